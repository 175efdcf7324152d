import type { DecisionEvent } from '../../telemetry/event.ts';
import { csvLine } from './csv.ts';

const COLUMNS = [
  'id',
  'atMs',
  'mediaType',
  'requestId',
  'segment',
  'rule',
  'fromRung',
  'rung',
  'bitrateKbps',
  'holdUntilBufferMs',
  'because',
  'estimateKbps',
  'tookMs',
] as const satisfies readonly (keyof DecisionEvent)[];
const MOMENT = [
  'nowMs',
  'playheadMs',
  'bufferMs',
  'bufferTargetMs',
  'segmentsLeft',
  'lastRung',
  'liveLatencyMs',
  'playbackRate',
] as const satisfies readonly (keyof DecisionEvent['moment'])[];

export const decisionsCsvHead = csvLine([...COLUMNS, ...MOMENT, 'votes', 'values', 'missing']);

/** One row per decision. Votes are "rule=rung" pairs (rungs from 0, "-" for no wish), values "name=number". */
export function decisionsCsvLine(decision: DecisionEvent): string {
  const votes = decision.votes.map(({ rule, rung }) => `${rule}=${rung ?? '-'}`);
  const values = Object.entries(decision.values).map(([name, value]) => `${name}=${value ?? ''}`);
  const missing = Object.entries(decision.missing).map(([field, why]) => `${field}:${why}`);
  return csvLine([
    ...COLUMNS.map((name) => decision[name]),
    ...MOMENT.map((name) => decision.moment[name]),
    votes.join(' '),
    values.join(' '),
    missing.join(' '),
  ]);
}
