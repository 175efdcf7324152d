import type { ReportModel } from './reportModel.ts';
import { formatDuration } from '../../../experiment/plan/formatDuration.ts';
import { formatCount } from '../../shared/format.ts';

/** How much a report stands on, in one line. */
export function formatCounts({ counts }: Pick<ReportModel, 'counts'>): string {
  const { planned, finished, used, pairs, comparisons, recordedMs, firstUnixMs, lastUnixMs } = counts;
  const part = used === finished ? '' : `, ${used} of them used`;
  return [
    `${formatCount(finished, 'session')} of ${planned} finished${part}`,
    formatCount(pairs, 'pair'),
    formatCount(comparisons, 'comparison'),
    `${formatDuration(recordedMs)} recorded`,
    ...(firstUnixMs === null || lastUnixMs === null ? [] : [`played ${days(firstUnixMs, lastUnixMs)}`]),
  ].join(' · ');
}

/** In UTC: the same wherever the report is made. */
function days(firstUnixMs: number, lastUnixMs: number): string {
  const [first, last] = [firstUnixMs, lastUnixMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  return first === last ? `on ${first}` : `${first} to ${last}`;
}
