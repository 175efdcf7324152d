import { describe, expect, it } from 'vitest';
import type { SizesEvent } from './rule.ts';
import { createSizeTable } from './sizeTable.ts';

const sizesOf = (rung: number, firstSegment: number, ...sizesBytes: (number | null)[]): SizesEvent => ({
  kind: 'sizes',
  atMs: 0,
  from: 'sidx',
  rung,
  firstSegment,
  sizesBytes,
});
const tableOf = (...events: SizesEvent[]) => {
  const table = createSizeTable();
  for (const event of events) table.learn(event);
  return table;
};

describe('the table of sizes', () => {
  it.each([
    { name: 'nothing learnt', events: [], segment: 0, rung: 0, bytes: null },
    { name: 'the first of a list', events: [sizesOf(1, 5, 100, 200)], segment: 5, rung: 1, bytes: 100 },
    { name: 'the next of a list', events: [sizesOf(1, 5, 100, 200)], segment: 6, rung: 1, bytes: 200 },
    { name: 'before a list', events: [sizesOf(1, 5, 100, 200)], segment: 4, rung: 1, bytes: null },
    { name: 'after a list', events: [sizesOf(1, 5, 100, 200)], segment: 7, rung: 1, bytes: null },
    { name: 'another rung', events: [sizesOf(1, 5, 100, 200)], segment: 5, rung: 0, bytes: null },
    { name: 'a hole in a list', events: [sizesOf(0, 0, 100, null, 300)], segment: 1, rung: 0, bytes: null },
    {
      name: 'a hole does not wipe what was known',
      events: [sizesOf(0, 1, 7), sizesOf(0, 0, 100, null)],
      segment: 1,
      rung: 0,
      bytes: 7,
    },
    {
      name: 'the later list wins',
      events: [sizesOf(0, 0, 1), sizesOf(0, 0, 2)],
      segment: 0,
      rung: 0,
      bytes: 2,
    },
  ])('$name', ({ events, segment, rung, bytes }) => {
    expect(tableOf(...events).sizeBytes(segment, rung)).toBe(bytes);
  });

  it('names its latest source, and none when there is nothing', () => {
    expect(tableOf().from()).toBeNull();
    expect(tableOf(sizesOf(0, 0, 1), { ...sizesOf(1, 0, 2), from: 'head' }).from()).toBe('head');
  });

  it('forgets all on `clear`', () => {
    const table = tableOf(sizesOf(0, 0, 1));
    table.clear();
    expect(table.sizeBytes(0, 0)).toBeNull();
    expect(table.from()).toBeNull();
  });
});
