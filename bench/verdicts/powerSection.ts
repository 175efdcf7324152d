import { powerCell, powerDesigns, sessionNoises, type PowerCell } from './powerCells.ts';
import type { VerdictSection } from './verdictSection.ts';
import { plainTable } from '../../node/textTable.ts';
import type { Figure } from '../figure.ts';

/** From so many pairs on 80 % are stated, below 75 to 90 % (`formatChance`); and three percentage points either way. */
const SURE_PAIRS = 20;
const TOLERANCE = 3;
const MAX_CLAIMED = 5;

/** Stated against found: each campaign tells what it could find, and another one of its design has just that planted. */
export const powerSection: VerdictSection = {
  id: 'power',
  label: 'How often a difference is found that a campaign stated as detectable, and what equal arms claim',
  repetitions: 500,
  measure({ repetitions, print, say }) {
    const cells = powerDesigns.flatMap((design) =>
      sessionNoises.map((noise) => {
        const name = `${design.pairs} pairs, ${design.comparisons} comp., margin in ${design.isPercent ? '%' : 'kbit/s'}, ${noise.id}`;
        say(name);
        return { name, pairs: design.pairs, cell: powerCell(design, noise, repetitions) };
      }),
    );
    print(
      plainTable(
        ['', 'stated', 'found, %', 'with A/A, %', 'equal arms claim, %', 'coverage', 'without caution'],
        cells.map(({ name, pairs, cell }) => [
          name,
          pairs < SURE_PAIRS ? '75 to 90 %' : '80 %',
          ...foundPercents(cell).map((percent) => percent.toFixed(1)),
          ((100 * cell.claimed) / cell.campaigns).toFixed(1),
          ...[cell.intervals, cell.trusted].map(({ held, count }) => (held / count).toFixed(3)),
        ]),
      ),
    );
    return [distanceFigure(cells, true), distanceFigure(cells, false), ...claims(cells)];
  },
};

interface NamedCell {
  readonly pairs: number;
  readonly cell: PowerCell;
}

/** Without and with A/A sessions. */
const foundPercents = ({ stated, found, foundWithAa }: PowerCell): number[] =>
  [found, foundWithAa].map((count) => (100 * count) / stated);

/** How far the cells lie from what was stated. */
function distanceFigure(cells: readonly NamedCell[], isFew: boolean): Figure {
  const [min, max] = isFew ? [75, 90] : [80, 80];
  const among = cells.filter(({ pairs }) => pairs < SURE_PAIRS === isFew);
  const shares = among.flatMap(({ cell }) => foundPercents(cell));
  const distances = shares.map((share) => Math.max(0, min - share, share - max));
  const label = isFew ? 'stated 75 to 90 % (10 to 19 pairs)' : 'stated 80 % (20 pairs or more)';
  return {
    id: `power-${isFew ? 'few' : 'many'}`,
    label: `${label}: mean distance of the cells from it, percentage points`,
    unit: '%',
    value: distances.reduce((sum, each) => sum + each, 0) / distances.length,
    interval: null,
    goalMax: TOLERANCE,
    known: `found ${Math.min(...shares).toFixed(1)} to ${Math.max(...shares).toFixed(1)} %`,
  };
}

function claims(cells: readonly NamedCell[]): Figure[] {
  const all = cells.reduce((sum, { cell }) => sum + cell.campaigns, 0);
  const claimed = cells.reduce((sum, { cell }) => sum + cell.claimed, 0);
  return [
    {
      id: 'power-claims',
      label: `of ${all} campaigns of equal arms claim a direction`,
      unit: '%',
      value: (100 * claimed) / all,
      interval: null,
      goalMax: MAX_CLAIMED,
    },
  ];
}
