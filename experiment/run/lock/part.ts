/**
 * Which part of a run a process plays: `1/4`, as `--shard` has it, or `pair-7`. undefined: all of it. Parts that can have
 * no session in common may share a folder: shards of the same number, and different pairs.
 */
export type Part = string | undefined;

export const partOf = ({
  shard,
  pair,
}: {
  readonly shard?: string;
  readonly pair?: number | undefined;
}): Part => (pair === undefined ? shard : `pair-${pair}`);

/** What the name of a file of this part ends in; empty for the whole. Folders of parts are put together by copying. */
export const suffixOf = (part: Part): string => (part === undefined ? '' : `-${part.replace('/', '-of-')}`);

/** Matches what `suffixOf` answers. */
export const SUFFIX = /(?:-\d+-of-\d+|-pair-\d+)?/;

/** The option that asked for it. */
export const optionOf = (part: NonNullable<Part>): string =>
  part.startsWith('pair-') ? `--pair ${part.slice('pair-'.length)}` : `--shard ${part}`;

/** Whether two parts can have a session in common. `other` is a suffix. */
export function mayOverlap(part: Part, other: string): boolean {
  if (suffixOf(part) === other) return true;
  if (part === undefined || other === '') return true;
  if (part.startsWith('pair-')) return !other.startsWith('-pair-');
  return !other.endsWith(`-of-${part.split('/')[1]}`);
}
