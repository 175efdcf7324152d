import { plainTable } from '../../node/textTable.ts';
import type { CodelCalibrated } from '../../lab/link/calibrate/calibrateCodel.ts';
import { codelCaseName } from '../../lab/link/calibrate/codelCase.ts';
import type { CodelVerdict } from '../../lab/link/calibrate/judgeCodel.ts';

const HEAD = [
  'link',
  'way',
  'full queue ms',
  'CoDel peak ms',
  'back at target s',
  'dropped until then',
  'verdict',
];

/** Measured against what CoDel ought to do, a line per link and way; a figure outside its bounds has a cross. */
export const codelTable = (results: readonly CodelCalibrated[]): string =>
  plainTable(
    HEAD,
    results.flatMap((result) => (['down', 'up'] as const).map((way) => lineOf(result, way))),
  );

function lineOf({ asked, verdicts, again }: CodelCalibrated, way: 'down' | 'up'): string[] {
  const outside = verdicts[way].filter(({ within }) => !within).length;
  const verdict = outside === 0 ? 'within' : `${outside} OUTSIDE`;
  return [
    codelCaseName(asked),
    way,
    ...verdicts[way].map(cellOf),
    again ? `${verdict}, second try` : verdict,
  ];
}

function cellOf({ quantity, asked, measured, within }: CodelVerdict): string {
  const text = (value: number | null): string =>
    value === null ? 'never' : quantity === 'back' ? (value / 1000).toFixed(2) : value.toFixed(0);
  return `${text(measured)} of ${text(asked)}${within ? '' : ' ✗'}`;
}
