import { textTable } from '../../node/textTable.ts';
import type { Compared, ParityCell } from '../../src/analysis/parity.ts';
import { formatNumber, formatSigned } from '../../src/shared/format.ts';

const HEAD = [
  'cell',
  'sessions',
  ...['bitrate, kbit/s: lab', 'simulated', '%'],
  ...['stalled, s/min: lab', 'simulated', 's/min'],
  ...['join, ms: lab', 'simulated'],
  ...['switches: lab', 'simulated'],
  'gap',
];

/** A line for each cell, gaps marked. */
export const parityTable = (cells: readonly ParityCell[]): string => textTable([HEAD, ...cells.map(lineOf)]);

function lineOf({ cell, sessions, figures, gaps }: ParityCell): string[] {
  const { bitrateKbps, rebufferPerMinuteS, joinMs, switches } = figures;
  return [
    cell,
    String(sessions),
    ...both(bitrateKbps, 0),
    difference(bitrateKbps, 1),
    ...both(rebufferPerMinuteS, 2),
    difference(rebufferPerMinuteS, 2),
    ...both(joinMs, 0),
    ...both(switches, 1),
    gaps.map((gap) => (gap === 'bitrateKbps' ? 'bitrate' : 'stalls')).join(', '),
  ];
}

const both = ({ lab, simulated }: Compared, decimals: number): string[] => [
  formatNumber(lab, decimals, '–'),
  formatNumber(simulated, decimals, '–'),
];

const difference = ({ difference }: Compared, decimals: number): string =>
  difference === null ? '–' : formatSigned(difference, decimals);
