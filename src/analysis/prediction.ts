import type { Metric } from './metrics/metric.ts';
import type { Interval } from './statistics/intervals.ts';
import { meanTest } from './statistics/meanIntervals.ts';
import { fitLinear, fitMean, fitNearest, type Fit } from './statistics/regression.ts';
import { mean } from './statistics/summaries.ts';

/** A session as far as predictions know it. */
export interface KnownSession {
  readonly id: string;
  readonly arm: string;
  /** What may not be in training and test at once: sessions of one network are alike. */
  readonly network: string;
  /** Id of the machine that played it, `simulator`, or null where nobody says. */
  readonly machine: string | null;
  /** Value of each metric, by its id; null where the log has none. */
  readonly values: Readonly<Record<string, number | null>>;
}

type MetricOf = Pick<Metric, 'id' | 'label' | 'unit' | 'isPositive'>;

/** A model of how a metric follows from the inputs. */
interface PredictionModel {
  readonly id: string;
  readonly label: string;
  readonly fit: Fit;
}

const NEIGHBOURS = 5;

/** All models; the first is the trivial one, with which the others are compared. */
export const predictionModels: readonly PredictionModel[] = [
  { id: 'mean', label: 'mean', fit: fitMean },
  { id: 'linear', label: 'linear', fit: fitLinear },
  { id: 'nearest', label: `nearest ${NEIGHBOURS}`, fit: fitNearest(NEIGHBOURS) },
];

/** With fewer networks there is nothing to train on when one is left out, or no spread between them. */
export const MIN_NETWORKS = 3;

/** How well one metric can be predicted; null where too few networks have it. */
export interface Prediction {
  readonly target: MetricOf;
  /** Sessions with the target and all inputs. */
  readonly sessions: readonly KnownSession[];
  readonly networks: readonly string[];
  /** Errors of the models, in the order of `predictionModels`; empty with fewer than `MIN_NETWORKS` networks. */
  readonly models: readonly ModelError[];
}

export interface ModelError {
  readonly model: string;
  /** Predictions of the model, one for each session, by a fit without the session's network. */
  readonly predicted: readonly number[];
  /** Mean over networks of the mean absolute error on each, in the target's unit. */
  readonly meanError: number;
  /** Root of the mean over networks of the mean squared error on each. */
  readonly rmsError: number;
  /** Gain over the trivial model; absent for the trivial model itself. */
  readonly gain?: Gain;
}

interface Gain {
  /** Share of the trivial model's mean squared error that is gone; null where that error is 0. Below 0: this model is worse. */
  readonly explainedShare: number | null;
  /** Mean absolute error of the trivial model less this one's: mean over networks, in the target's unit. */
  readonly meanError: number;
  /** Interval of `meanError` at 95 %, by bootstrap-t over networks; null where the networks are too alike for one. */
  readonly interval: Interval | null;
  /** Number of networks on which the mean absolute error is smaller than that of the trivial model. */
  readonly betterNetworks: number;
}

/**
 * Predicts each target of each session from its inputs, with models that were fitted to the sessions of all other networks.
 * Networks weigh the same, however many sessions they have.
 */
export function predict(
  sessions: readonly KnownSession[],
  { inputs, targets }: { readonly inputs: readonly MetricOf[]; readonly targets: readonly MetricOf[] },
): Prediction[] {
  return targets.map((target) => {
    const used = sessions.flatMap((session) => usedSession(session, inputs, target) ?? []);
    const networks = [...new Set(used.map(({ session }) => session.network))].sort();
    return {
      target,
      sessions: used.map(({ session }) => session),
      networks,
      models: networks.length < MIN_NETWORKS ? [] : modelErrors(used, networks),
    };
  });
}

interface UsedSession {
  readonly session: KnownSession;
  readonly row: readonly number[];
  readonly value: number;
}

/** Returns the session with its inputs and target; null where a value is unknown. */
function usedSession(
  session: KnownSession,
  inputs: readonly MetricOf[],
  target: MetricOf,
): UsedSession | null {
  const row = inputs.map((input) => inputOf(input, session.values[input.id] ?? null));
  const value = session.values[target.id] ?? null;
  const known = row.flatMap((each) => each ?? []);
  return value === null || known.length < row.length ? null : { session, row: known, value };
}

/** Whether a metric enters the models by its logarithm: what is above 0 is compared by ratios, as rates and times are. */
export const isLogarithmic = ({ isPositive }: Pick<Metric, 'isPositive'>): boolean => isPositive === true;

function inputOf(input: MetricOf, value: number | null): number | null {
  if (value === null || !isLogarithmic(input)) return value;
  return value > 0 ? Math.log(value) : null;
}

function modelErrors(used: readonly UsedSession[], networks: readonly string[]): ModelError[] {
  const errors = predictionModels.map(({ id, fit }) => {
    const predicted = predictedBy(fit, used);
    const byNetwork = networks.map((network) => errorsOn(network, used, predicted));
    return { id, predicted, byNetwork };
  });
  const trivial = errors[0]!.byNetwork;
  return errors.map(({ id, predicted, byNetwork }, place) => ({
    model: id,
    predicted,
    meanError: mean(byNetwork.map(({ absolute }) => absolute)),
    rmsError: Math.sqrt(mean(byNetwork.map(({ squared }) => squared))),
    ...(place > 0 && { gain: gainOf(byNetwork, trivial) }),
  }));
}

/** For each session the answer of the model that knows all networks but the session's own. */
function predictedBy(fit: Fit, used: readonly UsedSession[]): number[] {
  const models = new Map<string, ReturnType<Fit>>();
  return used.map(({ session: { network }, row }) => {
    const known = models.get(network);
    if (known) return known(row);
    const others = used.filter(({ session }) => session.network !== network);
    const model = fit(
      others.map((each) => each.row),
      others.map(({ value }) => value),
    );
    models.set(network, model);
    return model(row);
  });
}

interface NetworkError {
  readonly absolute: number;
  readonly squared: number;
}

function errorsOn(network: string, used: readonly UsedSession[], predicted: readonly number[]): NetworkError {
  const errors = used.flatMap(({ session, value }, place) =>
    session.network === network ? [predicted[place]! - value] : [],
  );
  return { absolute: mean(errors.map(Math.abs)), squared: mean(errors.map((error) => error ** 2)) };
}

/** Draws of the bootstrap, with the same seed in every run. */
const DRAWS = { seed: 1, resamples: 10_000 };
const CONFIDENCE = 0.95;

function gainOf(own: readonly NetworkError[], trivial: readonly NetworkError[]): Gain {
  const gains = own.map(({ absolute }, network) => trivial[network]!.absolute - absolute);
  const squared = mean(trivial.map((each) => each.squared));
  return {
    explainedShare: squared > 0 ? 1 - mean(own.map((each) => each.squared)) / squared : null,
    meanError: mean(gains),
    interval: meanTest(gains, DRAWS).interval(CONFIDENCE),
    betterNetworks: gains.filter((gain) => gain > 0).length,
  };
}
