/**
 * Which part of a run a process plays: `1/4`, as `--shard` has it, `pair-7`, or `chunk-7` of a simulated campaign. undefined:
 * all of it. Parts that can have no session in common may share a folder: shards of the same number, different pairs, and
 * different chunks.
 */
export type Part = string | undefined;

export function partOf({
  shard,
  pair,
  chunk,
}: {
  readonly shard?: string | undefined;
  readonly pair?: number | undefined;
  readonly chunk?: number | undefined;
}): Part {
  if (pair !== undefined) return `pair-${pair}`;
  return chunk === undefined ? shard : `chunk-${chunk}`;
}

/** What the name of a file of this part ends in; empty for the whole. Folders of parts are put together by copying. */
export const suffixOf = (part: Part): string => (part === undefined ? '' : `-${part.replace('/', '-of-')}`);

/** Matches what `suffixOf` answers. */
export const SUFFIX = /(?:-\d+-of-\d+|-(?:pair|chunk)-\d+)?/;

/** What is named by its place; all others are shards. */
const KINDS = ['pair', 'chunk'] as const;

/** The option that asked for it. */
export function optionOf(part: NonNullable<Part>): string {
  const kind = KINDS.find((each) => part.startsWith(`${each}-`));
  return kind === undefined ? `--shard ${part}` : `--${kind} ${part.slice(kind.length + 1)}`;
}

/** Whether two parts can have a session in common. `other` is a suffix. */
export function mayOverlap(part: Part, other: string): boolean {
  if (suffixOf(part) === other) return true;
  if (part === undefined || other === '') return true;
  const kind = KINDS.find((each) => part.startsWith(`${each}-`));
  return kind === undefined ? !other.endsWith(`-of-${part.split('/')[1]}`) : !other.startsWith(`-${kind}-`);
}
