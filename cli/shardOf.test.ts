import { expect, test } from 'vitest';
import { shardOf } from './shardOf.ts';

test.each(['1/1', '3/4', '4/4'])('%s is a shard', (text) => expect(shardOf(text)).toBe(text));

test.each(['0/4', '5/4', '1', '1/', 'a/b', '-1/2', ''])('"%s" is none', (text) =>
  expect(() => shardOf(text)).toThrow('--shard takes a part and the number of parts, as in 1/4.'),
);
