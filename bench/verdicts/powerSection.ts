import { powerCell, powerDesigns, sessionNoises, type PowerCell } from './powerCells.ts';
import type { VerdictSection } from './verdictSection.ts';
import { formatChance } from '../../experiment/verdict/rowPower.ts';
import { plainTable } from '../../node/textTable.ts';
import type { Figure } from '../figure.ts';

/** Three percentage points either way of what is stated. */
const TOLERANCE = 3;
/** The statement that holds for one share alone: a standard error of 0.9 points would be too much for its tolerance. */
const EXACT = '80 %';
const SURER = 4;
/** What `formatChance` states, with the shares of campaigns in % that hold it. */
const STATEMENTS = [
  { stated: '75 to 90 %', min: 75, max: 90 },
  { stated: EXACT, min: 80, max: 80 },
  { stated: 'at least 80 %', min: 80, max: 100 },
];
const MAX_CLAIMED = 5;

/** Stated against found: each campaign tells what it could find, and another one of its design has just that planted. */
export const powerSection: VerdictSection = {
  id: 'power',
  label: 'How often a difference is found that a campaign stated as detectable, and what equal arms claim',
  repetitions: 2000,
  measure({ repetitions, print, say }) {
    const cells = powerDesigns.flatMap((design) =>
      sessionNoises.map((noise) => {
        const name = `${design.pairs} pairs, ${design.comparisons} comp., margin in ${design.isPercent ? '%' : 'kbit/s'}, ${noise.id}`;
        say(name);
        const stated = formatChance(design.pairs, design.comparisons);
        const campaigns = stated === EXACT ? SURER * repetitions : repetitions;
        return { name, stated, cell: powerCell(design, noise, campaigns) };
      }),
    );
    print(
      plainTable(
        ['', 'stated', 'found, %', 'with A/A, %', 'equal arms claim, %', 'coverage', 'without caution'],
        cells.map(({ name, stated, cell }) => [
          name,
          stated,
          ...foundPercents(cell).map((percent) => percent.toFixed(1)),
          ((100 * cell.claimed) / cell.campaigns).toFixed(1),
          ...[cell.intervals, cell.trusted].map(({ held, count }) => (held / count).toFixed(3)),
        ]),
      ),
    );
    return [...STATEMENTS.map((statement) => distanceFigure(cells, statement)), ...claims(cells)];
  },
};

interface NamedCell {
  readonly stated: string;
  readonly cell: PowerCell;
}

/** Without and with A/A sessions. */
const foundPercents = ({ stated, found, foundWithAa }: PowerCell): number[] =>
  [found, foundWithAa].map((count) => (100 * count) / stated);

/** Measures how far the farthest cell lies from what was stated. */
function distanceFigure(
  cells: readonly NamedCell[],
  { stated, min, max }: (typeof STATEMENTS)[number],
): Figure {
  const shares = cells.flatMap((each) => (each.stated === stated ? foundPercents(each.cell) : []));
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return {
    id: `power-${stated.replace(/ %$/, '').replaceAll(' ', '-')}`,
    label: `stated ${stated}: greatest distance of a cell from it, percentage points`,
    unit: '%',
    value: Math.max(...shares.map((share) => Math.max(0, min - share, share - max))),
    interval: null,
    goalMax: TOLERANCE,
    known: `found ${Math.min(...shares).toFixed(1)} to ${Math.max(...shares).toFixed(1)} %, mean ${mean.toFixed(1)}`,
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
