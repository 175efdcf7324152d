import { textTable } from '../../experiment/run/textTable.ts';
import type { Compared, ParityCell } from '../../src/analysis/parity/parityOf.ts';

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
    signed(bitrateKbps.difference, 1),
    ...both(rebufferPerMinuteS, 2),
    signed(rebufferPerMinuteS.difference, 2),
    ...both(joinMs, 0),
    ...both(switches, 1),
    gaps.map((gap) => (gap === 'bitrateKbps' ? 'bitrate' : 'stalls')).join(', '),
  ];
}

const both = ({ lab, simulated }: Compared, decimals: number): string[] => [
  shown(lab, decimals),
  shown(simulated, decimals),
];

const shown = (value: number | null, decimals: number): string =>
  value === null ? '–' : value.toFixed(decimals);

const signed = (value: number | null, decimals: number): string =>
  value !== null && value > 0 ? `+${shown(value, decimals)}` : shown(value, decimals);
