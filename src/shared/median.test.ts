import { describe, expect, it } from 'vitest';
import { median } from './median.ts';

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[], null],
  ])('%j', (values, wanted) => expect(median(values)).toBe(wanted));
});
