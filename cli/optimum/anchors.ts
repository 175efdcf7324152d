import { valueOf, failed, ok, type Result } from '../../src/shared/result.ts';

/** What is known of a trace's optimum, QoE summed without the first segment. */
export interface Anchor {
  /** A policy of this QoE is known. */
  readonly lower: number;
  /** A bound of this height is known. */
  readonly upper: number;
}

const COLUMNS = ['trace', 'opt_feasible_lower', 'opt_optimistic_upper'] as const;

/** Anchors by trace name. @throws Error in one sentence that names file, line and column */
export const anchorsFrom = (text: string, name: string): ReadonlyMap<string, Anchor> =>
  valueOf(parsed(text, name));

function parsed(text: string, name: string): Result<Map<string, Anchor>> {
  const [head = '', ...lines] = text.trim().split(/\r?\n/);
  const columns = head.split(',').map((each) => each.trim());
  const places = COLUMNS.map((column) => columns.indexOf(column));
  const missing = COLUMNS.find((_, index) => places[index] === -1);
  if (missing) return failed(`${name}, line 1: There is no column ${missing}.`);
  const anchors = new Map<string, Anchor>();
  for (const [index, line] of lines.entries()) {
    const cells = line.split(',');
    const [trace = '', lower = '', upper = ''] = places.map((place) => cells[place]?.trim());
    for (const [column, cell] of [
      ['opt_feasible_lower', lower],
      ['opt_optimistic_upper', upper],
    ] as const)
      if (cell === '' || !Number.isFinite(Number(cell)))
        return failed(`${name}, line ${index + 2}, column ${column}: "${cell}" is not a number.`);
    anchors.set(trace, { lower: Number(lower), upper: Number(upper) });
  }
  return ok(anchors);
}
