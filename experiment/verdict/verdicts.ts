import { type SessionValues, couplesOf, pairsIn, type PairValues } from './pairs.ts';
import { compared, CONFIDENCE, estimatesOf, type Compared, type CompareOptions } from './compared.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { verdictReach } from './verdictReach.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { judge, type Judged, type Scale } from './judge.ts';
import {
  holm,
  relevanceOf,
  verdictOf,
  type Judgement,
  type Relevance,
  type Verdict,
} from '../../src/analysis/statistics/verdict.ts';
import type { MeanTest } from '../../src/analysis/statistics/meanIntervals.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { formatCount, decimalsOf, formatNumber, formatUnit } from '../../src/shared/format.ts';
import { logBound, marginOf, formatMargin, marginInUnit } from './margin.ts';

/** A comparison on the campaign's primary metric. */
export interface VerdictRow extends Compared {
  /** p of the signed-rank test, after Holm's correction over all comparisons of the campaign; null without a pair. */
  readonly holmP: number | null;
  /** The two statements; null where there can be none yet, or never. `why` then says so in a sentence. */
  readonly judgement: Judgement | null;
  /** Both statements in one word, for the viewer; null with `judgement`. */
  readonly verdict: Verdict | null;
  readonly why: string | null;
  /** Why a direction or an equivalence that the numbers show is not claimed, in a sentence; null where none is withheld. */
  readonly withheld: string | null;
  /** Relevance with other margins, by the margin in %; null where there is no ratio. */
  readonly sensitivity: Readonly<Record<SensitivityPercent, Relevance>> | null;
}

/** Margins in % that a reader may have chosen instead. */
export const SENSITIVITY_PERCENTS = [2, 5, 10] as const;
type SensitivityPercent = (typeof SENSITIVITY_PERCENTS)[number];

/** Judges every declared comparison; `better` is that of the primary metric, whose values these are. */
export function verdicts(
  plan: CampaignPlan,
  values: SessionValues,
  options: CompareOptions<NonNullable<Metric['better']>>,
): VerdictRow[] {
  const { campaign } = plan;
  const rows = settled(compared(plan, values, options), campaign);
  // A comparison without pairs stays in the family: what is declared is corrected for, not what could be played.
  const corrected = holm(rows.map(({ statistics }) => statistics?.test.p ?? 1));
  const margin = marginOf(campaign);
  const relevances = margin.isPercent
    ? ratioRelevances(rows, margin.value, campaign)
    : relevancesOf(
        rows.map(({ statistics }) => statistics?.tests.difference ?? null),
        margin.value,
        campaign,
      );
  const sensitivities = SENSITIVITY_PERCENTS.map((percent) => ratioRelevances(rows, percent, campaign));
  return rows.map((row, index) => {
    const { statistics } = row;
    const holmP = statistics ? corrected[index]! : null;
    const why = whyNone(plan, row) ?? whyTooInexact(plan, row, { ...options, values });
    const relevanceAt = (scale: Scale, relevance: Relevance): Judged =>
      judge(row, { scale, relevance, holmP: holmP ?? 1, alpha: campaign.alpha, better: options.better });
    const { judgement, withheld } = relevanceAt(
      margin.isPercent ? 'logRatio' : 'difference',
      relevances[index]!,
    );
    return {
      ...row,
      holmP,
      why,
      judgement: why === null ? judgement : null,
      verdict: why === null ? verdictOf(judgement, options.better) : null,
      withheld: why === null ? withheld : null,
      sensitivity: statistics?.ratio
        ? sensitivityOf(
            sensitivities.map((each) => relevanceAt('logRatio', each[index]!).judgement.relevance),
          )
        : null,
    };
  });
}

const sensitivityOf = (relevances: readonly Relevance[]): NonNullable<VerdictRow['sensitivity']> =>
  Object.fromEntries(
    SENSITIVITY_PERCENTS.map((percent, place) => [percent, relevances[place]!]),
  ) as NonNullable<VerdictRow['sensitivity']>;

function whyNone({ campaign }: CampaignPlan, { pairs, statistics }: Compared): string | null {
  const { isWithinReach, pairsNeeded: needed } = verdictReach(campaign);
  const count = pairs.values.length;
  const units = `${pairs.unit}s`;
  if (!isWithinReach) return `The design has too few ${units} for any verdict: it needs at least ${needed}.`;
  if (count < needed)
    return pairs.copies > 0
      ? `Only ${count} of the ${needed} independent ${units} that a verdict needs are available: under equal conditions the simulator gives copies.`
      : `Only ${count} of the ${needed} ${units} that a verdict needs are available.`;
  return statistics?.mean.interval === null
    ? `The differences of ${formatCount(count, pairs.unit)} have too few different values for an interval of their mean.`
    : null;
}

type Tests = readonly (MeanTest | null)[];

/** One-sided p of one claim about each comparison, and these p after Holm's correction over the family. */
interface Claims {
  readonly ps: readonly number[];
  readonly corrected: readonly number[];
}

/** Tests both claims about each comparison, corrected over all of them: two families of one-sided tests, one for each claim. */
function claimsAbout(tests: Tests, margin: number): Record<'inside' | 'beyond', Claims> {
  const inside = tests.map((test) => (test ? Math.max(test.pBelow(margin), test.pAbove(-margin)) : 1));
  const beyond = tests.map((test) => (test ? Math.min(test.pAbove(margin), test.pBelow(-margin)) : 1));
  return {
    inside: { ps: inside, corrected: holm(inside) },
    beyond: { ps: beyond, corrected: holm(beyond.map((p) => Math.min(1, 2 * p))) },
  };
}

function relevancesOf(tests: Tests, margin: number, { alpha }: Pick<CampaignFile, 'alpha'>): Relevance[] {
  const { inside, beyond } = claimsAbout(tests, margin);
  return tests.map((test, index) =>
    relevanceOf({
      interval: test?.interval(CONFIDENCE) ?? null,
      margin,
      alpha,
      insideP: inside.corrected[index]!,
      beyondP: beyond.corrected[index]!,
    }),
  );
}

/**
 * Returns the rows with tests that are drawn again, finer, where a statement of a row depends on its draws: its side of 0, and
 * each margin. Another seed then says something else only where a million draws do not settle it.
 */
function settled(rows: readonly Compared[], { margin, marginPercent, alpha }: CampaignFile): Compared[] {
  const percents = [...SENSITIVITY_PERCENTS, ...(marginPercent === undefined ? [] : [marginPercent])];
  const testsOf = (scale: 'difference' | 'logRatio'): Tests =>
    rows.map(({ statistics }) => statistics?.tests[scale] ?? null);
  const differences = drawnAgain(testsOf('difference'), [0, margin ?? 0], alpha);
  const logRatios = drawnAgain(testsOf('logRatio'), percents.map(logBound), alpha);
  return rows.map((row, index) => {
    const [difference, logRatio] = [differences[index]!, logRatios[index]!];
    return row.statistics && difference
      ? { ...row, statistics: { ...row.statistics, ...estimatesOf({ difference, logRatio }) } }
      : row;
  });
}

/** Draws tests again as long as one changes: Holm's correction depends on all of them. */
function drawnAgain(tests: Tests, margins: readonly number[], alpha: number): Tests {
  const claims = margins.flatMap((margin) => Object.values(claimsAbout(tests, margin)));
  const next = tests.map((test, index) =>
    test?.finer && claims.some((claim) => hangsOnDraws(test, claim, { index, alpha })) ? test.finer() : test,
  );
  return next.some((test, index) => test !== tests[index]) ? drawnAgain(next, margins, alpha) : next;
}

/**
 * Returns whether a claim depends on its draws. A claim needs a p below alpha after the correction, and an interval on its
 * side: a p below half of what that leaves out.
 */
function hangsOnDraws(
  test: MeanTest,
  { ps, corrected }: Claims,
  { index, alpha }: { readonly index: number; readonly alpha: number },
): boolean {
  const p = ps[index]!;
  return [(1 - CONFIDENCE) / 2, (p * alpha) / corrected[index]!].some((level) => test.hangsOnDraws(p, level));
}

const ratioRelevances = (
  rows: readonly Compared[],
  percent: number,
  campaign: Pick<CampaignFile, 'alpha'>,
): Relevance[] =>
  relevancesOf(
    rows.map(({ statistics }) => statistics?.tests.logRatio ?? null),
    logBound(percent),
    campaign,
  );

/**
 * Why the clocks of these sessions are too inexact for a verdict, in one sentence; null where they are not. Each value of a pair
 * may be off by its own error, so that the mean difference may be off by the means of both arms together.
 */
function whyTooInexact(
  plan: CampaignPlan,
  { comparison, pairs }: Pick<Compared, 'comparison' | 'pairs'>,
  { values, clockErrors, ...options }: CompareOptions & { readonly values: SessionValues },
): string | null {
  if (!clockErrors) return null;
  const { flagged = new Set(), playbackHashes = new Map() } = options;
  const { unit, bySession } = clockErrors;
  const couples = couplesOf(plan, comparison, { values, flagged, playbackHashes });
  const isKnown = (id: string): boolean => values.get(id) != null;
  const compared = couples.couples.filter((couple) => couple.every(({ id }) => isKnown(id)));
  const { first, second } = comparison;
  for (const [place, arm] of [first, second].entries())
    if (compared.some((couple) => bySession.get(couple[place]!.id) === null))
      return `The clock of ${arm} is that of the device, and nobody knows how far it is off.`;
  const errors = new Map(compared.flat().map(({ id }) => [id, bySession.get(id) ?? 0]));
  const { values: pairErrors } = pairsIn(
    { ...couples, couples: compared },
    { values: errors, censored: new Set() },
  );
  const [ofFirst, ofSecond] = [meanAt(pairErrors, 0), meanAt(pairErrors, 1)];
  const declared = marginOf(plan.campaign);
  const margin = marginInUnit(declared, meanAt(pairs.values, 1));
  if (ofFirst + ofSecond <= margin) return null;
  const format = (value: number): string =>
    `${formatNumber(value, decimalsOf(null, value))}${formatUnit(unit)}`;
  const inUnit = declared.isPercent ? ` (${format(margin)})` : '';
  return `The clock of ${first} may be ${format(ofFirst)} off and that of ${second} ${format(ofSecond)}, together more than the margin of ${formatMargin(declared, unit)}${inUnit}.`;
}

const meanAt = (pairs: readonly PairValues[], arm: 0 | 1): number =>
  pairs.reduce((sum, pair) => sum + pair[arm], 0) / Math.max(1, pairs.length);
