import { element, BETTER, tone, WORSE, picture, WIDTH } from './element.ts';
import { text, TEXT_SIZE, TICK_SIZE, fitted, fittedName, textWidth } from './text.ts';

export interface Cell {
  readonly text: string;
  /** −1 to 1: how strong its colour is, and of which; above 0 is better for the viewer. */
  readonly good: number;
}

export interface CellRow {
  readonly label: string;
  /** null: nothing is known. */
  readonly cells: readonly (Cell | null)[];
  /** A heading over the rows from here on. */
  readonly heading?: string;
}

interface Grid {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Over the labels of the rows. */
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly CellRow[];
  /** Its numbers are neither better nor worse, so its cells have no colour. */
  readonly isPlain?: boolean;
}

const ROW_PX = 25;
const HEADING_PX = 24;
const HEAD_PX = 24;
const KEY_PX = 28;
const MAX_LABEL_PX = 128;
/** So strong at most that ink is read on it, in the light and in the dark (4.5:1). */
const STRONGEST = 0.5;

/** Numbers in coloured cells: the number says it, the colour only finds it. */
export function cellGrid({ id, title, description, corner, columns, rows, isPlain = false }: Grid): string {
  const widest = Math.max(...[corner, ...rows.map(({ label }) => label)].map((each) => textWidth(each)));
  const labelPx = Math.min(MAX_LABEL_PX, widest + 10);
  const cellPx = (WIDTH - labelPx) / columns.length;
  const tops = topsOf(rows);
  const bottom = tops.at(-1)!;
  return picture({ id, title, description, height: bottom + (isPlain ? 8 : KEY_PX) }, [
    text(fitted(corner, labelPx - 4), { x: 0, y: 16, tone: 'ink-3' }),
    ...columns.map((label, column) =>
      text(fitted(label, cellPx, TICK_SIZE), {
        x: labelPx + (column + 0.5) * cellPx,
        y: 16,
        anchor: 'middle',
        size: TICK_SIZE,
      }),
    ),
    ...rows.map((row, index) => rowMarks(row, { top: tops[index]!, labelPx, cellPx })),
    ...(isPlain ? [] : key(bottom + 18)),
  ]);
}

/** Where each row begins, its heading left out, and where the last one ends. */
function topsOf(rows: readonly CellRow[]): number[] {
  let at = HEAD_PX;
  const tops = rows.map(({ heading }) => {
    at += heading === undefined ? 0 : HEADING_PX;
    at += ROW_PX;
    return at - ROW_PX;
  });
  return [...tops, at];
}

interface Layout {
  readonly top: number;
  readonly labelPx: number;
  readonly cellPx: number;
}

function rowMarks({ label, cells, heading }: CellRow, { top, labelPx, cellPx }: Layout): string {
  return element('g', {}, [
    ...(heading === undefined
      ? []
      : [text(fitted(heading, WIDTH), { x: 0, y: top - 7, tone: 'ink', strong: true })]),
    text(fittedName(label, labelPx - 6), { x: 0, y: top + 17 }),
    ...cells.flatMap((cell, column) => cellMarks(cell, { x: labelPx + column * cellPx, top, cellPx })),
  ]);
}

function cellMarks(
  cell: Cell | null,
  { x, top, cellPx }: { x: number; top: number; cellPx: number },
): string[] {
  const middle = { x: x + cellPx / 2, y: top + 17, anchor: 'middle' } as const;
  if (cell === null) return [text('–', { ...middle, tone: 'ink-3' })];
  const size = textWidth(cell.text, TEXT_SIZE) <= cellPx - 3 ? TEXT_SIZE : TICK_SIZE;
  return [
    element('rect', {
      class: 'cell',
      x: x + 1,
      y: top + 1,
      width: cellPx - 2,
      height: ROW_PX - 2,
      rx: 2,
      fill: tone(cell.good < 0 ? WORSE : BETTER),
      'fill-opacity': strength(cell.good),
    }),
    text(cell.text, { ...middle, size, tone: 'ink' }),
  ];
}

const strength = (good: number): string =>
  String(Math.round(100 * Math.min(1, Math.abs(good)) * STRONGEST) / 100);

/** What the colours mean. */
function key(y: number): string[] {
  const steps = [-1, -0.6, -0.25, 0, 0.25, 0.6, 1];
  const from = WIDTH / 2 - (steps.length * 18) / 2;
  return [
    text('▼ worse', { x: from - 6, y: y + 1, anchor: 'end', tone: 'ink-3' }),
    ...steps.map((good, index) =>
      element('rect', {
        x: from + index * 18,
        y: y - 9,
        width: 17,
        height: 11,
        rx: 1,
        fill: tone(good < 0 ? WORSE : BETTER),
        'fill-opacity': strength(good),
        stroke: tone('line'),
      }),
    ),
    text('better ▲', { x: from + steps.length * 18 + 6, y: y + 1, tone: 'ink-3' }),
  ];
}
