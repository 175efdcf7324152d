import { describe, expect, it } from 'vitest';
import { crc32c } from './checkpoint.ts';
import { convertCheckpoint } from '../weights.ts';
import { madeActor, madeCheckpoint, masked, type MadeTensor } from './madeCheckpoint.testing.ts';
import type { WeightsFile } from '../../src/abr/testWeights.testing.ts';

const actor = madeActor();
const whole = madeCheckpoint(actor);

function convert(files: { index: Buffer; data: Buffer }): string {
  const text = convertCheckpoint('net', files);
  return text.ok ? text.value : text.error;
}

/** Converts the actor with one of its tensors changed. */
const convertWith = (name: string, change: Partial<MadeTensor>): string =>
  convert(madeCheckpoint(actor.map((each) => (each.name === name ? Object.assign({}, each, change) : each))));

const numbersOf = (name: string): Float32Array => actor.find((each) => each.name === name)!.numbers;

describe('crc32c', () => {
  it('has the check values of RFC 3720, appendix B.4', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
  });
});

describe('a checkpoint of Pensieve', () => {
  it('becomes weights that have its numbers, bit by bit', () => {
    const file = JSON.parse(convert(whole)) as WeightsFile;
    const dataOf = (layer: string, part: 'kernel' | 'bias') =>
      Buffer.from(file.layers[layer]![part].data, 'base64');
    expect(file.name).toBe('net');
    expect(dataOf('merge', 'kernel')).toEqual(Buffer.from(numbersOf('actor/FullyConnected_3/W').buffer));
    expect(dataOf('logits', 'bias')).toEqual(Buffer.from(numbersOf('actor/FullyConnected_4/b').buffer));
    expect(dataOf('segmentsLeft', 'kernel')).toEqual(
      Buffer.from(numbersOf('actor/FullyConnected_2/W').buffer),
    );
    expect(file.layers['nextSizes']!.kernel.shape).toEqual([6, 128]);
    // The second tap of four.
    const taps = Buffer.from(numbersOf('actor/Conv1D_2/W').buffer);
    expect(dataOf('nextSizes', 'kernel')).toEqual(taps.subarray(taps.length / 4, taps.length / 2));
  });

  it('is the same with its index in several blocks', () => {
    for (const perBlock of [1, 5]) expect(convert(madeCheckpoint(actor, { perBlock }))).toBe(convert(whole));
  });

  const FAULTS: { name: string; sentence: string; found: () => string }[] = [
    {
      name: 'another type of numbers',
      sentence: 'actor/Conv1D/W has data type 2; 1 (32-bit floats) is needed.',
      found: () => convertWith('actor/Conv1D/W', { dataType: 2 }),
    },
    {
      name: 'another shape',
      sentence: 'actor/FullyConnected/W has the shape [128, 1]; [1, 128] is needed.',
      found: () => convertWith('actor/FullyConnected/W', { shape: [128, 1] }),
    },
    {
      name: 'a missing tensor',
      sentence: 'it has no tensor actor/Conv1D_1/b.',
      found: () => convert(madeCheckpoint(actor.filter(({ name }) => name !== 'actor/Conv1D_1/b'))),
    },
    {
      name: 'slices',
      sentence: 'actor/Conv1D/b is stored in slices, which are not supported.',
      found: () => convertWith('actor/Conv1D/b', { isSliced: true }),
    },
    {
      name: 'a wrong number of bytes',
      sentence: 'actor/Conv1D/b has 508 bytes; its shape needs 512.',
      found: () => convertWith('actor/Conv1D/b', { sizeBytes: 508 }),
    },
    {
      name: 'a number that is none',
      sentence: 'the data of "layers.rates.bias" has NaN in place 1.',
      found: () => convertWith('actor/Conv1D/b', { numbers: new Float32Array(128).fill(NaN) }),
    },
    {
      name: 'an index with Snappy',
      sentence: 'is compressed with Snappy, which is not supported.',
      found: () => convert(madeCheckpoint(actor, { compression: 1 })),
    },
    {
      name: 'an index with another compression',
      sentence: 'is compressed (type 4), which is not supported.',
      found: () => convert(madeCheckpoint(actor, { compression: 4 })),
    },
    {
      name: 'several files of data',
      sentence: 'it has 3 files of data; only checkpoints with one are supported.',
      found: () => convert(madeCheckpoint(actor, { header: [8, 3] })),
    },
    {
      name: 'big-endian numbers',
      sentence: 'its numbers are big-endian, which is not supported.',
      found: () => convert(madeCheckpoint(actor, { header: [8, 1, 16, 1] })),
    },
    {
      name: 'an index that is none',
      sentence: 'its index (4 bytes) does not end as that of a TensorFlow checkpoint of format V2.',
      found: () => convert({ index: Buffer.from('none'), data: whole.data }),
    },
    {
      name: 'data that are cut',
      sentence: 'its data end at byte 600, but actor/',
      found: () => convert({ index: whole.index, data: whole.data.subarray(0, 600) }),
    },
  ];

  it.each(FAULTS)('with $name is refused', ({ sentence, found }) => expect(found()).toContain(sentence));
});

/** Files whose index has several blocks. */
const damaged = madeCheckpoint(actor, { perBlock: 6 });
const converted = convert(damaged);

describe('a damaged checkpoint', () => {
  it('is refused with one sentence wherever its index is cut', () => {
    for (let length = 0; length < damaged.index.length; length += 1)
      expect(convert({ index: damaged.index.subarray(0, length), data: damaged.data })).toMatch(SENTENCE);
  });

  it('is refused with one sentence wherever its data are cut', () => {
    for (let length = 0; length < damaged.data.length - 12; length += 9973)
      expect(convert({ index: damaged.index, data: damaged.data.subarray(0, length) })).toMatch(SENTENCE);
  });

  it('is refused, or converted to the same weights, whichever byte of its index is another', () => {
    let refused = 0;
    for (let at = 0; at < damaged.index.length; at += 1) {
      const index = Buffer.from(damaged.index);
      index[at]! ^= 1 << (at % 8);
      const text = convert({ index, data: damaged.data });
      if (text === converted) continue;
      expect(text).toMatch(SENTENCE);
      refused += 1;
    }
    // Only the empty block, its handle and the padding of the footer decide nothing.
    expect(damaged.index.length - refused).toBeLessThan(60);
  });

  it('is refused whichever tensor of the actor has another bit', () => {
    for (const place of [0, 5000, damaged.data.length - 20]) {
      const data = Buffer.from(damaged.data);
      data[place]! ^= 1;
      expect(convert({ index: damaged.index, data })).toMatch(/^the data of actor\/\S+ do not match/);
    }
  });

  it('ends also where its checksums are right and its bytes are not', () => {
    for (let at = 0; at < 400; at += 2)
      for (const byte of [15, 255]) expect(convert(withByte(at, byte))).toMatch(/^\{|^[^\n]{10,300}\.$/);
  });
});

const SENTENCE = /^(it|the|actor)[^\n]{10,300}\.$/;

/** Replaces a byte of the first block and makes its checksum anew. */
function withByte(at: number, byte: number): { index: Buffer; data: Buffer } {
  const index = Buffer.from(whole.index);
  index[at] = byte;
  const footer = index.subarray(-48);
  // The empty block lies behind the first block and its trailer.
  const emptyAt = (footer[0]! & 127) + 128 * footer[1]!;
  index.writeUInt32LE(masked(index.subarray(0, emptyAt - 4)), emptyAt - 4);
  return { index, data: whole.data };
}
