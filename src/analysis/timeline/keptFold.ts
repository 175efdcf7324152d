import { rowAfter, type Columns, type Table } from './table.ts';

/** What was made of a table's older rows, kept from one reading to the next: of a day only what is new is folded. */
interface Fold<Kept> {
  readonly kept: Kept;
  /** Rows `0 … rows - 1` are in `kept`; the reader looks at those after them itself. */
  readonly rows: number;
}

export interface FoldPlan<Kept> {
  /** What is kept. A table keeps one fold per name: another `binMs` takes the place of the one before. */
  readonly name: string;
  /** Whole bins are folded: bin k has the rows of `(k - 1) binMs < atMs ≤ k binMs`. */
  readonly binMs: number;
  start(): Kept;
  /** Takes in rows `from … to - 1`, which come next and fill whole bins. */
  extend(kept: Kept, from: number, to: number): void;
}

/** Requests are recorded when they end, a little out of order: rows younger than this are not folded yet. */
const SETTLED_MS = 60_000;

interface Held extends Fold<unknown> {
  readonly binMs: number;
  /** `table.folded.moves` when it began. */
  readonly moves: number;
  rows: number;
}

const held = new WeakMap<Table<Columns>, Map<string, Held>>();

/** The fold of a table, brought up to date. Begins anew when a folded row has moved since, which is rare. */
export function keptFold<Kept>(table: Table<Columns>, plan: FoldPlan<Kept>): Fold<Kept> {
  const folds = held.get(table) ?? new Map<string, Held>();
  held.set(table, folds);
  const before = folds.get(plan.name);
  const isValid = before?.binMs === plan.binMs && before.moves === table.folded.moves;
  const fold: Held = isValid
    ? before
    : { kept: plan.start(), rows: 0, binMs: plan.binMs, moves: table.folded.moves };
  folds.set(plan.name, fold);
  const to = settledRows(table, plan.binMs);
  if (to > fold.rows) {
    plan.extend(fold.kept as Kept, fold.rows, to);
    fold.rows = to;
    table.folded.rows = Math.max(table.folded.rows, to);
  }
  return fold as Fold<Kept>;
}

/** Rows of whole bins that are old enough. */
function settledRows(table: Table<Columns>, binMs: number): number {
  const newestMs = table.columns.atMs[table.length - 1] ?? 0;
  return rowAfter(table, Math.floor((newestMs - SETTLED_MS) / binMs) * binMs);
}

/** Calls `take` with the rows of each bin among `from … to - 1` that has any. */
export function eachBin(
  { columns: { atMs } }: Table<Columns>,
  { from, to, binMs }: { from: number; to: number; binMs: number },
  take: (from: number, to: number) => void,
): void {
  for (let row = from; row < to;) {
    const endMs = Math.ceil(atMs[row]! / binMs) * binMs;
    const first = row;
    do row += 1;
    while (row < to && atMs[row]! <= endMs);
    take(first, row);
  }
}
