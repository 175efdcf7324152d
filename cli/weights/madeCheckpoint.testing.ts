import { unit } from '../../src/abr/testWeights.testing.ts';

/** A tensor to write. Absent: the right value. */
export interface MadeTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly numbers: Float32Array;
  readonly dataType?: number;
  readonly sizeBytes?: number;
  readonly isSliced?: boolean;
}

interface MadeTable {
  /** Compression type that stands after each block; the bytes are never compressed. */
  readonly compression?: number;
  readonly header?: readonly number[];
  /** Entries of a block. TensorFlow starts another after 256 kB, which an index never reaches here. */
  readonly perBlock?: number;
}

/** Makes the two files of a checkpoint in TensorFlow's format V2. */
export function madeCheckpoint(tensors: readonly MadeTensor[], table: MadeTable = {}) {
  let at = 0;
  const entries: Entry[] = [['', Buffer.from(table.header ?? [8, 1, 0x1a, 2, 8, 1])]];
  const parts: Buffer[] = [];
  for (const tensor of [...tensors].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const bytes = Buffer.from(tensor.numbers.buffer);
    entries.push([tensor.name, madeEntry(tensor, bytes, at)]);
    parts.push(bytes);
    at += bytes.length;
  }
  return { index: madeTable(entries, table), data: Buffer.concat(parts) };
}

/** Names, shapes and numbers of a net as Pensieve's code trains it; of each convolution only the second tap should count. */
export function madeActor(): MadeTensor[] {
  const [rungs, history, width] = [6, 8, 128];
  const shapes: Readonly<Record<string, readonly number[]>> = {
    FullyConnected: [1, width],
    FullyConnected_1: [1, width],
    FullyConnected_2: [1, width],
    FullyConnected_3: [6 * width, width],
    FullyConnected_4: [width, rungs],
    Conv1D: [4, 1, history, width],
    Conv1D_1: [4, 1, history, width],
    Conv1D_2: [4, 1, rungs, width],
  };
  const layers = Object.entries(shapes).flatMap(([name, shape], stream) => [
    { name: `actor/${name}/W`, shape, numbers: numbersOf(shape, 2 * stream) },
    { name: `actor/${name}/b`, shape: shape.slice(-1), numbers: numbersOf(shape.slice(-1), 2 * stream + 1) },
  ]);
  return [...layers, { name: 'critic/FullyConnected/b', shape: [3], numbers: numbersOf([3], 40) }];
}

const numbersOf = (shape: readonly number[], stream: number): Float32Array =>
  Float32Array.from(
    { length: shape.reduce((product, size) => product * size, 1) },
    (_, at) => unit(stream, at) - 0.5,
  );

type Entry = readonly [key: string, value: Buffer];

function madeTable(entries: readonly Entry[], { compression = 0, perBlock = Infinity }: MadeTable): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  const addBlock = (block: readonly Entry[], interval: number): Buffer => {
    const bytes = madeBlock(block, interval);
    const handle = Buffer.from([...varint(at), ...varint(bytes.length)]);
    const typed = Buffer.concat([bytes, Buffer.from([compression])]);
    parts.push(typed, fixed32(masked(typed)));
    at += typed.length + 4;
    return handle;
  };
  const index: Entry[] = [];
  for (let from = 0; from < entries.length; from += perBlock) {
    const block = entries.slice(from, from + perBlock);
    index.push([block.at(-1)![0], addBlock(block, 16)]);
  }
  const handles = Buffer.concat([addBlock([], 1), addBlock(index, 1)]);
  return Buffer.concat([
    ...parts,
    handles,
    Buffer.alloc(40 - handles.length),
    Buffer.from([0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]),
  ]);
}

/** Makes a block whose keys share prefixes, but for one whole key every few. */
function madeBlock(entries: readonly Entry[], interval: number): Buffer {
  const restarts = [0];
  const bytes: number[] = [];
  entries.forEach(([key, value], place) => {
    const before = entries[place - 1]?.[0] ?? '';
    const isRestart = place % interval === 0;
    if (isRestart && place > 0) restarts.push(bytes.length);
    let shared = 0;
    while (!isRestart && shared < Math.min(before.length, key.length) && before[shared] === key[shared])
      shared += 1;
    const rest = Buffer.from(key.slice(shared));
    bytes.push(...varint(shared), ...varint(rest.length), ...varint(value.length), ...rest, ...value);
  });
  return Buffer.from([...bytes, ...restarts.flatMap((at) => [...fixed32(at)]), ...fixed32(restarts.length)]);
}

function madeEntry(tensor: MadeTensor, bytes: Buffer, offsetBytes: number): Buffer {
  const { shape, dataType = 1, sizeBytes = bytes.length, isSliced = false } = tensor;
  const dimensions = shape.flatMap((size) => {
    const dimension = [8, ...varint(size)];
    return [0x12, dimension.length, ...dimension];
  });
  return Buffer.from([
    ...[8, dataType, 0x12, dimensions.length, ...dimensions],
    ...(offsetBytes > 0 ? [0x20, ...varint(offsetBytes)] : []),
    ...[0x28, ...varint(sizeBytes), 0x35, ...fixed32(masked(bytes))],
    ...(isSliced ? [0x3a, 0] : []),
  ]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function fixed32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Computes the masked CRC-32C by dividing polynomials bit by bit, highest bit first: another way than the reader's. */
export function masked(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit += 1) {
      const top = (rest >>> 31) ^ ((byte >>> bit) & 1);
      rest = (rest << 1) ^ (top === 1 ? 0x1edc6f41 : 0);
    }
  let crc = 0;
  for (let bit = 0; bit < 32; bit += 1) crc |= ((rest >>> bit) & 1) << (31 - bit);
  const whole = ~crc >>> 0;
  return Number((((BigInt(whole) >> 15n) | (BigInt(whole) << 17n)) + 0xa282ead8n) & 0xffffffffn);
}
