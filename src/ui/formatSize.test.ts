import { expect, test } from 'vitest';
import { formatSize } from './formatSize.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [412_300, '412 kB'],
  [999_700, '1.0 MB'],
  [12_340_000, '12.3 MB'],
  [123_400_000, '123 MB'],
])('%d bytes are %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
