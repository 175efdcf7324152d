import { blocksWarning } from './blockEffects.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { pick } from '../../../src/shared/registry.ts';
import { triesWarning } from './triesTable.ts';
import { armTally, type ArmTally } from './ranTable.ts';
import { allSessions, type ReportSource } from '../reportSource.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { listed } from '../reportTable.ts';
import { formatBusy } from '../../verdict/flagged.ts';
import { scopeCaution } from '../../verdict/scope.ts';
import { isSimulated } from '../../../src/telemetry/isSimulated.ts';

/** Returns what a reader must know before any number: a sentence each. */
export function warningsOf(source: ReportSource): string[] {
  const arms = armTally(source);
  return [
    ...simulatedWarning(source),
    ...(source.registration?.isChanged ? [source.registration.sentence] : []),
    ...aaWarning(source),
    ...networksWarning(source),
    ...missingWarning(arms),
    ...failureWarnings(arms),
    ...cutShortWarning(arms),
    ...invalidatedWarning(source),
    ...busyWarning(source),
    ...triesWarning(source),
    ...blocksWarning(source, pick<Metric>(metrics, source.plan.campaign.primary)),
    ...lengthWarning(source),
  ];
}

function simulatedWarning(source: ReportSource): string[] {
  const all = allSessions(source);
  const simulated = all.filter(isSimulated).length;
  if (simulated === 0) return [];
  return simulated === all.length
    ? [
        'Simulated: a model of the player played these sessions, without a browser and without a real network.',
      ]
    : [
        `${formatCount(simulated, 'session')} of ${all.length} were simulated, the others were played in a browser. The two kinds cannot be compared.`,
      ];
}

function aaWarning({ plan }: ReportSource): string[] {
  const { compare, aaLabels = [] } = plan.campaign;
  return compare === 'aaLabels'
    ? [
        `An A/A test: ${listed(aaLabels)} are the same arm under ${aaLabels.length} names. All differences between them are due to chance, and a verdict of better or worse is a false alarm.`,
      ]
    : [];
}

/** Warns that a network does the same to all its repeats: a hundred pairs of two networks are no hundred networks. */
function networksWarning({ plan }: ReportSource): string[] {
  const caution = scopeCaution(plan);
  return caution === null ? [] : [caution];
}

/** Warns of sessions without a log: whoever stops when the numbers please finds differences that are not there. */
function missingWarning(arms: readonly ArmTally[]): string[] {
  const planned = sum(arms.map((arm) => arm.planned));
  const open = sum(arms.map(({ states }) => states['not-played'] + states.laboratory + states.unreadable));
  if (open === 0) return [];
  const torn = sum(arms.map(({ states }) => states.unreadable));
  const words = torn > 0 ? ` (${torn} with a file that cannot be read)` : '';
  return [
    `Preliminary: ${formatCount(open, 'session')} of ${planned} ${open === 1 ? 'has' : 'have'} no log yet${words}. Do not stop a campaign because of a preliminary verdict.`,
  ];
}

/** Warns of sessions without a frame. They have no bitrate, so their pairs leave the means: that flatters the failed arm. */
function failureWarnings(arms: readonly ArmTally[]): string[] {
  const failing = arms
    .map(({ arm, planned, states, frameless }) => ({
      arm,
      planned,
      failed: states['never-started'] + states['gave-up'] + frameless,
    }))
    .filter(({ failed }) => failed > 0);
  if (failing.length === 0) return [];
  const words = failing.map(({ arm, planned, failed }) => `${failed} of ${planned} of ${arm}`);
  return [
    `Sessions that never showed a frame or gave up: ${listed(words)}. These sessions have no value, so their pairs are left out of means and verdicts. This flatters the arms that failed.`,
  ];
}

/** Warns of sessions that an error ended: metrics describe what came before, so they may look better than others. */
function cutShortWarning(arms: readonly ArmTally[]): string[] {
  const words = arms
    .filter(({ cutShort }) => cutShort > 0)
    .map(({ arm, planned, cutShort }) => `${cutShort} of ${planned} of ${arm}`);
  return words.length === 0
    ? []
    : [
        `Sessions that an error ended after their first frame: ${listed(words)}. Their metrics are of what was played before the error.`,
      ];
}

function invalidatedWarning({ flagged, sessions }: ReportSource): string[] {
  const pairs = new Set(flagged.map(({ design }) => design.pair)).size;
  if (pairs === 0) return [];
  const all = pairs + new Set(sessions.map(({ design }) => design.pair)).size;
  return [
    `${formatCount(pairs, 'pair')} of ${all} left out: a session of the pair was invalidated by host overload.`,
  ];
}

function busyWarning(source: ReportSource): string[] {
  const found = new Map(allSessions(source).map((session) => [session.id, session]));
  const sentence = formatBusy(source.plan.sessions, found);
  return sentence === null ? [] : [sentence];
}

/** Warns of short sessions: their sums and counts are small without being good. */
function lengthWarning({ plan, sessions }: ReportSource): string[] {
  // A transfer is over when its objects are there.
  if (plan.campaign.transfers) return [];
  const plannedMs = plan.campaign.seconds * 1000;
  const short = sessions.filter(({ lengthMs, hasPlayed }) => hasPlayed && lengthMs < SHORT * plannedMs);
  if (short.length === 0) return [];
  const [min, max] = [Math.min, Math.max].map((of) =>
    Math.round(of(...short.map(({ lengthMs }) => lengthMs)) / 1000),
  );
  const long = min === max ? `${min} s` : `${min} to ${max} s`;
  return [
    `${formatCount(short.length, 'session')} ended before ${plan.campaign.seconds} s (after ${long}): their sums and counts cover less time.`,
  ];
}

/** Share of the planned time that a whole session has: it ends by a timer, some milliseconds off. */
const SHORT = 0.97;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
