/** One letter in so many may be wrong: `mpc-rubst` is meant to be `mpc-robust`, `magic` is no rule. */
const LETTERS_A_SLIP = 3;

/** More are not all named, but a few. */
const MAX_NAMED = 80;
const FEW = 3;

/** The sentence about an id that is not there. It asks about the most similar one, if one is similar, and names all. */
export function unknownId(what: string, given: string, known: readonly string[]): string {
  const written = given.toLowerCase();
  const maxSlips = Math.max(1, Math.floor(written.length / LETTERS_A_SLIP));
  const lengthens = (id: string): number => Math.abs(id.length - written.length);
  const [nearest] = known
    .map((id) => ({ id, slips: slipsBetween(written, id) }))
    .filter(({ slips }) => slips <= maxSlips)
    .sort((one, other) => one.slips - other.slips || lengthens(one.id) - lengthens(other.id));
  const meant = nearest?.id ?? known.find((id) => id.startsWith(`${written}-`));
  const question = meant === undefined ? '; known' : `: did you mean "${meant}"? Known`;
  const others = known.length > MAX_NAMED ? ` and ${known.length - FEW} others` : '';
  const named = others === '' ? known : known.slice(0, FEW);
  return `Unknown ${what} "${given}"${question}: ${named.join(', ')}${others}.`;
}

/** A longer text is no id. */
const MAX_LENGTH = 80;

/**
 * The fewest slips that make one text of the other: a letter too many, too few, another one, or two neighbours that changed
 * places (the optimal string alignment distance). Two that changed places are one slip, because that is the most frequent one.
 */
function slipsBetween(one: string, other: string): number {
  if (one.length > MAX_LENGTH) return Infinity;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        last[column]! + 1,
        next[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Infinity,
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length]!;
}
