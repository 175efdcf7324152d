import { InvalidArgumentError } from 'commander';

/** A parser for `i/n`, the i-th of n parts. */
export function shardOf(text: string): string {
  const [, part, parts] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  if (part === undefined || Number(part) < 1 || Number(part) > Number(parts))
    throw new InvalidArgumentError('--shard takes a part and the number of parts, as in 1/4.');
  return text;
}
