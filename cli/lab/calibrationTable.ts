import { plainTable } from '../../node/textTable.ts';
import type { Calibrated } from '../../lab/link/calibrate/calibrate.ts';
import { caseName } from '../../lab/link/calibrate/calibrationCase.ts';
import type { Verdict } from '../../lab/link/calibrate/judge.ts';
import { formatPercent, formatSigned } from '../../src/shared/format.ts';

const HEAD = [
  'link',
  'UDP down kbit/s',
  'UDP up kbit/s',
  'TCP down kbit/s',
  'RTT ms',
  'lost down',
  'lost up',
  'queue down',
  'queue up',
  'verdict',
];
/** The columns between the link and the verdict. */
const COLUMNS = [
  ['udp-rate', 'down'],
  ['udp-rate', 'up'],
  ['tcp-rate', 'down'],
  ['rtt', 'round'],
  ['loss', 'down'],
  ['loss', 'up'],
  ['queue', 'down'],
  ['queue', 'up'],
] as const;

/** Measured against asked, a line per link; a figure outside its bounds has a cross. */
export const calibrationTable = (results: readonly Calibrated[]): string =>
  plainTable(HEAD, results.map(lineOf));

function lineOf({ asked, verdicts, again }: Calibrated): string[] {
  const cells = COLUMNS.map(([quantity, direction]) => {
    const verdict = verdicts.find((each) => each.quantity === quantity && each.direction === direction);
    return verdict ? cellOf(verdict) : '–';
  });
  const outside = verdicts.filter(({ within }) => !within).length;
  const verdict = outside === 0 ? 'within' : `${outside} OUTSIDE`;
  return [caseName(asked), ...cells, again ? `${verdict}, second try` : verdict];
}

function cellOf(verdict: Verdict): string {
  const { measured, within } = verdict;
  return `${measured === null ? 'no data' : formatMeasured(verdict, measured)}${within ? '' : ' ✗'}`;
}

function formatMeasured({ unit, asked, p }: Verdict, measured: number): string {
  switch (unit) {
    case 'kbit/s':
      return `${measured.toFixed(0)} (${formatSigned((measured / asked - 1) * 100, 1)} %)`;
    case 'ms':
      return `${measured.toFixed(1)} (${formatSigned(measured - asked, 1)})`;
    case 'share':
      return `${formatPercent(measured, { decimals: 2 })} (p ${p === null ? '?' : p.toFixed(2)})`;
    case 'packets':
      return `${measured} of ${asked}`;
  }
}

/** What TCP gets of lossy links, by controller; null when there is none of them. */
export function tcpUnderLossTable(results: readonly Calibrated[]): string | null {
  const lossy = results.filter(({ asked }) => asked.loss > 0);
  const controllers = [...new Set(lossy.flatMap(({ figures }) => Object.keys(figures.tcpKbps)))];
  if (controllers.length === 0) return null;
  const rows = lossy.map(({ asked, figures }) => [
    caseName(asked),
    ...controllers.map((name) => {
      const kbps = figures.tcpKbps[name] ?? null;
      return kbps === null ? 'no data' : `${kbps.toFixed(0)} (${formatPercent(kbps / asked.rateKbps)})`;
    }),
  ]);
  return plainTable(['link', ...controllers.map((name) => `${name} kbit/s`)], rows);
}
