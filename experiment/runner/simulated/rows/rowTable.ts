import { playbackHashOf } from '../../finishedSessions.ts';
import { metrics } from '../../../../src/analysis/metrics/registry.ts';
import { whyNotPlayed } from '../../../../src/analysis/timeline/played.ts';
import type { Cell, TableColumn } from '../../../../src/export/table.ts';
import { sessions } from '../../../../src/export/tables/sessions.ts';
import type { SessionLog } from '../../../../src/telemetry/schema/sessionLog.ts';

const text = (name: string, meaning: string): TableColumn => ({ name, type: 'text', unit: '', meaning });

/** What table and verdicts need of a session besides the columns of the table `sessions`. */
export const PLAYBACK_HASH = text(
  'playbackHash',
  'hash of all that the simulator played; equal hashes are copies of one session',
);
export const WHY_NOT_PLAYED = text('whyNotPlayed', 'why no frame was shown; empty where one was');
export const PARTS = text('parts', 'parts of metrics that have some, JSON: {metric: {part: value}}');

/** The columns of `pitwall export --format parquet --tables sessions`, and three more. */
export const rowColumns: readonly TableColumn[] = [...sessions.columns, PLAYBACK_HASH, WHY_NOT_PLAYED, PARTS];

/** A simulated session as a row, in the order of `rowColumns`. */
export const rowOf = (log: SessionLog): readonly Cell[] => [
  ...sessions.rows(log, null)[0]!,
  playbackHashOf(log),
  whyNotPlayed(log),
  formatParts(log),
];

const WITH_PARTS = metrics.filter(({ parts }) => parts !== undefined);

function formatParts(log: SessionLog): string | null {
  const found = WITH_PARTS.flatMap((metric) => {
    const { by } = metric.of(log);
    return by === undefined ? [] : [[metric.id, by] as const];
  });
  return found.length > 0 ? JSON.stringify(Object.fromEntries(found)) : null;
}
