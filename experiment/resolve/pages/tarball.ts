/**
 * Reads one file out of a tarball, as bytes. Nothing is unpacked: an archive of others may have devices, links, pipes and files
 * with rights of the user who unpacks them. The format is that of POSIX.1-2001 `pax`, which includes `ustar`, with GNU's long
 * names; npm writes no other.
 */
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { BYTES_PER_MIB } from './ordinaryFile.ts';

/** Maximum size of an archive, unpacked: a package of dash.js has 130 MB. */
const MAX_UNPACKED_BYTES = 512 * BYTES_PER_MIB;
const BLOCK_BYTES = 512;
/** Maximum size of an extended header, which has records of a file's name and times. */
const MAX_HEADER_BYTES = BYTES_PER_MIB;

/** The types of an ordinary file, in the oldest and in newer archives, and one that is stored contiguously. */
const ORDINARY = ['\0', '0', '7'];

/**
 * Returns the bytes of a file by its name in the archive, or null. The last of several with this name counts, as for `tar -x`.
 * @throws Error with a part of a sentence where the archive cannot be read, or has something else under this name
 */
export async function fileInTarball(
  tarball: Buffer,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): Promise<Buffer | null> {
  const chunks = unpacked(tarball);
  const read = readerOf(chunks);
  let found: Buffer | null = null;
  try {
    for (let entry = await nextEntry(read); entry !== null; entry = await nextEntry(read)) {
      if (entry.name === name) {
        mustBeReadable(entry, maxBytes);
        found = await read.bytes(entry.sizeBytes);
      } else await read.skip(entry.sizeBytes);
      await read.skip(paddingOf(entry.sizeBytes));
    }
  } finally {
    await chunks.return(undefined);
  }
  return found;
}

function mustBeReadable({ name, type, sizeBytes }: Entry, maxBytes: number): void {
  if (!ORDINARY.includes(type)) throw new Error(`${name} in it is no ordinary file`);
  if (sizeBytes > maxBytes)
    throw new Error(`${name} in it has more than ${Math.floor(maxBytes / BYTES_PER_MIB)} MiB`);
}

const paddingOf = (sizeBytes: number): number => (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;

/** Unpacks an archive in parts, so that one of zeros takes no memory. */
async function* unpacked(tarball: Buffer): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of Readable.from([tarball]).pipe(createGunzip())) {
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes > MAX_UNPACKED_BYTES)
      throw new Error(`it has more than ${MAX_UNPACKED_BYTES / BYTES_PER_MIB} MiB unpacked`);
    yield chunk as Buffer;
  }
}

interface Reader {
  /** Returns the next bytes. @throws Error where fewer are left */
  bytes(count: number): Promise<Buffer>;
  skip(count: number): Promise<void>;
  isAtEnd(): Promise<boolean>;
}

function readerOf(chunks: AsyncGenerator<Buffer>): Reader {
  let rest: Buffer = Buffer.alloc(0);
  const isAtEnd = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done) return true;
      rest = next.value;
    }
    return false;
  };
  const take = async (count: number, onPart: (part: Buffer) => void): Promise<void> => {
    for (let missing = count; missing > 0;) {
      if (await isAtEnd()) throw new Error('it ends in the middle of a file');
      const part = rest.subarray(0, missing);
      rest = rest.subarray(part.length);
      missing -= part.length;
      onPart(part);
    }
  };
  return {
    async bytes(count) {
      const parts: Buffer[] = [];
      await take(count, (part) => parts.push(part));
      return Buffer.concat(parts);
    },
    skip: (count) => take(count, () => undefined),
    isAtEnd,
  };
}

interface Entry {
  readonly name: string;
  /** Type of the entry: one letter, as the header has it. */
  readonly type: string;
  readonly sizeBytes: number;
}

/** Reads the next entry, with what the extended headers before it say; null at the end. */
async function nextEntry(read: Reader): Promise<Entry | null> {
  let extended: Partial<Entry> = {};
  while (!(await read.isAtEnd())) {
    const entry = headerOf(await read.bytes(BLOCK_BYTES));
    if (entry === null) return null;
    if (!['x', 'L', 'g', 'K'].includes(entry.type)) return named({ ...entry, ...extended });
    if (entry.sizeBytes > MAX_HEADER_BYTES) throw new Error('one of its headers is too large');
    const header = await read.bytes(entry.sizeBytes);
    await read.skip(paddingOf(entry.sizeBytes));
    if (entry.type === 'x') extended = { ...extended, ...paxRecords(header) };
    if (entry.type === 'L') extended = { ...extended, name: textAt(header, 0, header.length) };
  }
  return null;
}

const named = (entry: Entry): Entry => ({ ...entry, name: entry.name.replace(/^(?:\.\/)+/, '') });

/** Reads a header. null: two blocks of zeros end an archive, and what follows is none of it. */
function headerOf(block: Buffer): Entry | null {
  if (block.every((byte) => byte === 0)) return null;
  if (octal(block, 148, 8) !== checksumOf(block)) throw new Error('it is no tar archive');
  const [name, prefix] = [textAt(block, 0, 100), textAt(block, 345, 155)];
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0';
  return {
    name: isUstar && prefix !== '' ? `${prefix}/${name}` : name,
    type: block.toString('latin1', 156, 157),
    sizeBytes: sizeOf(octal(block, 124, 12)),
  };
}

/** Computes the checksum of a header, with spaces in the place of the sum. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 32;
  for (const [at, byte] of block.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum;
}

const textAt = (block: Buffer, at: number, length: number): string =>
  block.toString('utf8', at, at + length).split('\0')[0]!;

function octal(block: Buffer, at: number, length: number): number {
  const digits = block
    .toString('latin1', at, at + length)
    .replaceAll('\0', ' ')
    .trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(`0${digits}`, 8) : NaN;
}

/** Reads records, `length key=value` in lines. The length counts its own digits, the space and the end of the line. */
function paxRecords(bytes: Buffer): Partial<Entry> {
  let found: Partial<Entry> = {};
  for (let at = 0; at < bytes.length;) {
    const length = Number(/^(\d{1,7}) /.exec(bytes.toString('latin1', at, at + 8))?.[1] ?? NaN);
    if (!(length > 0) || at + length > bytes.length) throw new Error('one of its headers cannot be read');
    const [key, value] = bytes
      .toString('utf8', at, at + length - 1)
      .split(/^\d+ ([^=]*)=/)
      .slice(1);
    if (key === 'path') found = { ...found, name: value! };
    if (key === 'size') found = { ...found, sizeBytes: sizeOf(Number(value)) };
    at += length;
  }
  return found;
}

/** @throws Error where a size is none: the larger ones of GNU are in binary, and no build has 8 GiB */
function sizeOf(size: number): number {
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw new Error('a size in it cannot be read');
}
