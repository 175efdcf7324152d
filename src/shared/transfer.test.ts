import { expect, test } from 'vitest';
import { copiesOf, parseTransfer, partsOf, type Transfer } from './transfer.ts';
import { valueOf } from './result.ts';

const parse = (text: string): Transfer => valueOf(parseTransfer(text));

test.each<[string, Partial<Transfer>]>([
  ['objects', { sizesBytes: [2e6, 5e6, 10e6, 20e6, 50e6], count: 5, pauseMs: 500, streams: 1, ranges: 1 }],
  ['objects:mb=0.5:count=40:pause=0', { sizesBytes: [500_000], count: 40, pauseMs: 0 }],
  ['streams:mb=1,8:pause=8000', { sizesBytes: [1e6, 8e6], count: 4, pauseMs: 8000, streams: 2 }],
  ['ranges:ranges=12:names=2', { sizesBytes: [1e6], count: 1, ranges: 12, names: 2 }],
  ['handshake', { sizesBytes: [10_000], connection: 'cold', count: 1, pauseMs: 0 }],
  ['handshake:connection=zero-rtt:kb=1', { sizesBytes: [1000], connection: 'zero-rtt' }],
])('%s', (text, expected) => expect(parse(text)).toMatchObject(expected));

test.each([
  ['segments', 'Unknown transfer "segments"; known: objects, streams, ranges, handshake.'],
  ['toString', 'Unknown transfer "toString"; known: objects, streams, ranges, handshake.'],
  [
    'objects:mb=2=50',
    '"mb=2=50" in "objects:mb=2=50" should be up to 20 sizes of at most 1000 MB with commas between, as in mb=2,5,10.',
  ],
  ['objects:ranges=2', 'Unknown setting "ranges=2" in "objects:ranges=2"; known: mb, count, pause.'],
  [
    'objects:mb=0',
    '"mb=0" in "objects:mb=0" should be up to 20 sizes of at most 1000 MB with commas between, as in mb=2,5,10.',
  ],
  [
    'objects:mb=1001',
    '"mb=1001" in "objects:mb=1001" should be up to 20 sizes of at most 1000 MB with commas between, as in mb=2,5,10.',
  ],
  ['objects:mb=1:mb=2', '"objects:mb=1:mb=2" sets mb twice.'],
  [
    'ranges:ranges=13',
    '"ranges=13" in "ranges:ranges=13" should be a whole number from 1 to 12, as in ranges=6.',
  ],
  [
    'handshake:connection=warm',
    '"connection=warm" in "handshake:connection=warm" should be cold, resumed, zero-rtt.',
  ],
])('%s is refused', (text, error) => expect(parseTransfer(text)).toEqual({ ok: false, error }));

test('the ranges of an object are all of it, each byte once', () => {
  const parts = partsOf(parse('ranges:mb=0.01:ranges=3'), { stream: 0, object: 0 });
  expect(parts.map(({ range }) => range)).toEqual(['0-3332', '3333-6665', '6666-9999']);
  expect(parts.map(({ file }) => file)).toEqual(['10000-1.bin', '10000-2.bin', '10000-3.bin']);
  expect(parts.map(({ sizeBytes }) => sizeBytes)).toEqual([3333, 3333, 3334]);
});

test('an object in one part is requested whole', () =>
  expect(partsOf(parse('objects:mb=1,2'), { stream: 0, object: 3 })).toEqual([
    { file: '2000000-1.bin', part: 0, range: null, sizeBytes: 2_000_000 },
  ]));

test('streams download files of their own', () => {
  const transfer = parse('streams:mb=1');
  const [one, other] = [0, 1].map((stream) => partsOf(transfer, { stream, object: 0 })[0]!.file);
  expect([one, other]).toEqual(['1000000-1.bin', '1000000-2.bin']);
  expect(copiesOf(transfer)).toBe(2);
});
