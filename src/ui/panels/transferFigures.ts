import { meanOf } from '../../analysis/statistics/summaries.ts';
import { AUDIO, OK } from '../../analysis/timeline/columns.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { formatCount, formatNumber } from '../../shared/format.ts';
import { mbpsFromKbps, secondsFromMs } from '../../shared/units.ts';
import type { FigureText } from './figureText.ts';

/**
 * The key figures of a session that downloaded files and played nothing, in the places of those of a player. A range of a
 * file is a download of its own. Times are means over the downloads that arrived whole, from the start of their requests.
 */
export function formatTransferFigures(series: SessionSeries): readonly FigureText[] {
  const rows = completeRows(series);
  const { atMs, firstByteMs, endMs, sizeBytes } = series.requests.columns;
  const mean = (of: (row: number) => number): number | null => meanOf(rows.map(of).filter(Number.isFinite));
  const times = rows.map((row) => endMs[row]! - atMs[row]!);
  const bytes = rows.reduce((sum, row) => sum + (sizeBytes[row]! || 0), 0);
  const rateKbps = mean((row) => (8 * sizeBytes[row]!) / (endMs[row]! - firstByteMs[row]!));
  const none = rows.length === 0 ? 'nothing has arrived yet' : null;
  return [
    text(
      'bitrate',
      { label: 'Rate', unit: 'Mbit/s', sub: none ?? 'mean, first to last byte' },
      rateKbps && mbpsFromKbps(rateKbps),
      2,
    ),
    text(
      'buffer',
      { label: 'Downloads', unit: '', sub: none ?? `${formatNumber(bytes / 1e6, 1)} MB` },
      rows.length,
      0,
    ),
    text(
      'rebuffer',
      { label: 'First byte', unit: 'ms', sub: none ?? 'mean, from the request' },
      mean((row) => firstByteMs[row]! - atMs[row]!),
      0,
    ),
    text(
      'join',
      { label: 'Download time', unit: 's', sub: none ?? 'mean, request to last byte' },
      seconds(meanOf(times)),
      2,
    ),
    text(
      'qoe',
      { label: 'Slowest', unit: 's', sub: none ?? `of ${formatCount(rows.length, 'download')}` },
      seconds(times.length > 0 ? Math.max(...times) : null),
      2,
    ),
  ];
}

function completeRows({ requests }: SessionSeries): number[] {
  const { lane, outcome, endMs } = requests.columns;
  return Array.from({ length: requests.length }, (_, row) => row).filter(
    (row) => lane[row]! <= AUDIO && outcome[row] === OK && !Number.isNaN(endMs[row]!),
  );
}

const seconds = (ms: number | null): number | null => (ms === null ? null : secondsFromMs(ms));

const text = (
  id: FigureText['id'],
  head: Pick<FigureText, 'label' | 'unit' | 'sub'>,
  value: number | null,
  decimals: number,
): FigureText => ({ id, ...head, value: value === null ? null : formatNumber(value, decimals) });
