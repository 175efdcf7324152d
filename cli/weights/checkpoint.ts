/** A fault of a checkpoint, as the end of a sentence; leaves `convertCheckpoint` as a `Result`. */
export class CheckpointFault extends Error {}

/** A tensor as the index of its checkpoint describes it. */
interface StoredTensor {
  /** Number of `DataType` in TensorFlow's types.proto. */
  readonly dataType: number;
  readonly shape: readonly number[];
  readonly isSliced: boolean;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  readonly maskedCrc: number;
}

/** The two files of a checkpoint that have its tensors. */
export interface CheckpointFiles {
  readonly index: Buffer;
  readonly data: Buffer;
}

/**
 * A TensorFlow checkpoint of format V2. Its index is a table of LevelDB (doc/table_format.md of google/leveldb) from
 * names to protocol buffers (tensorflow/core/protobuf/tensor_bundle.proto); its data are the bytes of all tensors.
 */
export class Checkpoint {
  private readonly tensors: ReadonlyMap<string, StoredTensor>;
  private readonly data: Buffer;

  /** @throws CheckpointFault */
  constructor({ index, data }: CheckpointFiles) {
    const entries = readTable(index);
    checkHeader(entries.get(''));
    entries.delete('');
    this.tensors = new Map([...entries].map(([name, bytes]) => [name, readStoredTensor(name, bytes)]));
    this.data = data;
  }

  /** Returns the numbers of a tensor, row-major. @throws CheckpointFault if they are not whole, or of another type or shape */
  readFloats(name: string, shape: readonly number[]): Float32Array {
    const stored = this.tensors.get(name);
    if (stored === undefined) throw new CheckpointFault(`it has no tensor ${name}.`);
    const { dataType, offsetBytes, sizeBytes, maskedCrc } = stored;
    if (dataType !== FLOAT)
      throw new CheckpointFault(`${name} has data type ${dataType}; ${FLOAT} (32-bit floats) is needed.`);
    if (stored.isSliced) throw new CheckpointFault(`${name} is stored in slices, which are not supported.`);
    if (stored.shape.join() !== shape.join())
      throw new CheckpointFault(
        `${name} has the shape [${stored.shape.join(', ')}]; [${shape.join(', ')}] is needed.`,
      );
    const count = shape.reduce((product, size) => product * size, 1);
    if (sizeBytes !== 4 * count)
      throw new CheckpointFault(`${name} has ${sizeBytes} bytes; its shape needs ${4 * count}.`);
    const end = offsetBytes + sizeBytes;
    if (end > this.data.length)
      throw new CheckpointFault(
        `its data end at byte ${this.data.length}, but ${name} has bytes ${offsetBytes} to ${end}.`,
      );
    const bytes = this.data.subarray(offsetBytes, end);
    if (maskCrc(crc32c(bytes)) !== maskedCrc)
      throw new CheckpointFault(`the data of ${name} do not match their checksum.`);
    return Float32Array.from({ length: count }, (_, at) => bytes.readFloatLE(4 * at));
  }
}

/** DT_FLOAT of types.proto. */
const FLOAT = 1;

const FOOTER_BYTES = 48;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');

/** Returns keys and values of a table: those of each block that its index block names. */
function readTable(file: Buffer): Map<string, Buffer> {
  const footer = file.subarray(Math.max(0, file.length - FOOTER_BYTES));
  if (footer.length < FOOTER_BYTES || !footer.subarray(-MAGIC.length).equals(MAGIC))
    throw new CheckpointFault(
      `its index (${file.length} bytes) does not end as that of a TensorFlow checkpoint of format V2.`,
    );
  const handles = new Cursor(footer.subarray(0, -MAGIC.length), 'the footer of its index');
  // The handle of the block with metadata, which TensorFlow leaves empty.
  handles.readVarint();
  handles.readVarint();
  const blocks = [...readBlock(file, handles).values()].map((handle) =>
    readBlock(file, new Cursor(handle, 'the index block')),
  );
  return new Map(blocks.flatMap((block) => [...block]));
}

/** Compression type and checksum after each block. */
const TRAILER_BYTES = 5;
const SNAPPY = 1;

/** Returns keys and values of the block that a handle names. */
function readBlock(file: Buffer, handle: Cursor): Map<string, Buffer> {
  const start = handle.readVarint();
  const size = handle.readVarint();
  const where = `the block of its index at byte ${start}`;
  if (start + size + TRAILER_BYTES > file.length)
    throw new CheckpointFault(`${where} has ${size} bytes, more than the file.`);
  const end = start + size;
  const withType = file.subarray(start, end + 1);
  if (maskCrc(crc32c(withType)) !== file.readUInt32LE(end + 1))
    throw new CheckpointFault(`${where} does not match its checksum.`);
  const compression = withType[size]!;
  if (compression !== 0)
    throw new CheckpointFault(
      `${where} is compressed${compression === SNAPPY ? ' with Snappy' : ` (type ${compression})`}, which is not supported.`,
    );
  return readEntries(withType.subarray(0, size), where);
}

/** Returns keys and values of a block. A key shares a prefix with the one before; restart points, at the end, are for searching. */
function readEntries(block: Buffer, where: string): Map<string, Buffer> {
  const restarts = block.length < 4 ? Infinity : block.readUInt32LE(block.length - 4);
  const end = block.length - 4 - 4 * restarts;
  if (end < 0) throw new CheckpointFault(`${where} is too short for its restart points.`);
  const cursor = new Cursor(block.subarray(0, end), where);
  const entries = new Map<string, Buffer>();
  let key = Buffer.alloc(0);
  while (!cursor.isAtEnd()) {
    const shared = cursor.readVarint();
    const added = cursor.readVarint();
    const size = cursor.readVarint();
    if (shared > key.length)
      throw new CheckpointFault(`${where} has a key that shares more than the one before has.`);
    key = Buffer.concat([key.subarray(0, shared), cursor.readBytes(added)]);
    entries.set(key.toString(), cursor.readBytes(size));
  }
  return entries;
}

/** Checks the BundleHeaderProto, whose key is empty. */
function checkHeader(bytes: Buffer | undefined): void {
  if (bytes === undefined) throw new CheckpointFault('its index has no header.');
  const header = new Message(bytes, 'the header of its index');
  const shards = header.numberOf(1);
  if (shards !== 1)
    throw new CheckpointFault(`it has ${shards} files of data; only checkpoints with one are supported.`);
  if (header.numberOf(2) !== 0)
    throw new CheckpointFault('its numbers are big-endian, which is not supported.');
}

/** Reads a BundleEntryProto. */
function readStoredTensor(name: string, bytes: Buffer): StoredTensor {
  const where = `the entry of ${name}`;
  const entry = new Message(bytes, where);
  const dimensions = entry
    .bytesOf(2)
    .flatMap((shape) => new Message(shape, where).bytesOf(2))
    .map((dimension) => new Message(dimension, where).numberOf(1));
  return {
    dataType: entry.numberOf(1),
    shape: dimensions,
    isSliced: entry.bytesOf(7).length > 0,
    offsetBytes: entry.numberOf(4),
    sizeBytes: entry.numberOf(5),
    maskedCrc: entry.numberOf(6),
  };
}

/** A protocol buffer (protobuf.dev/programming-guides/encoding) by the numbers of its fields. */
class Message {
  private readonly fields: readonly { readonly field: number; readonly value: number | Buffer }[];

  constructor(bytes: Buffer, where: string) {
    const cursor = new Cursor(bytes, where);
    const fields = [];
    while (!cursor.isAtEnd()) {
      const tag = cursor.readVarint();
      fields.push({ field: Math.floor(tag / 8), value: readValue(cursor, tag % 8) });
    }
    this.fields = fields;
  }

  /** Returns the last number of a field, or 0: what protocol buffers leave out. */
  numberOf(wanted: number): number {
    const found = this.fields.findLast(({ field, value }) => field === wanted && typeof value === 'number');
    return found === undefined ? 0 : Number(found.value);
  }

  bytesOf(wanted: number): readonly Buffer[] {
    return this.fields.flatMap(({ field, value }) =>
      field === wanted && typeof value !== 'number' ? [value] : [],
    );
  }
}

function readValue(cursor: Cursor, wireType: number): number | Buffer {
  switch (wireType) {
    case 0:
      return cursor.readVarint();
    case 1:
      return cursor.readBytes(8);
    case 2:
      return cursor.readBytes(cursor.readVarint());
    case 5:
      return cursor.readBytes(4).readUInt32LE();
    default:
      throw new CheckpointFault(`${cursor.where} has a field of unknown type ${wireType}.`);
  }
}

/** Reads bytes from front to back. */
class Cursor {
  private at = 0;
  readonly where: string;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer, where: string) {
    this.bytes = bytes;
    this.where = where;
  }

  isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  readBytes(count: number): Buffer {
    if (count > this.bytes.length - this.at) throw new CheckpointFault(`${this.where} ends too early.`);
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Reads a number of seven bits a byte, lowest first. */
  readVarint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 49; scale *= 128) {
      const byte = this.readBytes(1)[0]!;
      value += (byte & 127) * scale;
      if (byte < 128 && Number.isSafeInteger(value)) return value;
    }
    throw new CheckpointFault(`${this.where} has a number above 2^53.`);
  }
}

/** Masks a checksum as LevelDB stores it (util/crc32c.h). */
const maskCrc = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;

/** Polynomial of CRC-32C (RFC 3720, appendix B.4), lowest bit first. */
const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** Computes the CRC-32C of bytes. Node has only the CRC-32 of zlib. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 255]!;
  return (crc ^ 0xffffffff) >>> 0;
}
