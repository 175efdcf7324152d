// Reads one file out of a ZIP archive (APPNOTE 6.3.10): Node has inflate, but no unzip.
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
/** The end record is 22 bytes and may be followed by a comment of up to 65,535. */
const FARTHEST_END = 22 + 65535;

/** The bytes of the first entry whose name passes `wanted`. @throws Error when there is none or it is broken. */
export function unzipOne(archive, wanted) {
  for (const entry of entriesOf(archive)) if (wanted(entry.name)) return contentOf(archive, entry);
  throw new Error('the archive does not have the file that was looked for');
}

function entriesOf(archive) {
  let end = archive.length - 22;
  const min = Math.max(0, archive.length - FARTHEST_END);
  while (end >= min && archive.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < min) throw new Error('this is not a ZIP archive, or it is cut off');
  const entries = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`broken ZIP directory at byte ${at}`);
    const nameLength = archive.readUInt16LE(at + 28);
    entries.push({
      method: archive.readUInt16LE(at + 10),
      size: archive.readUInt32LE(at + 20),
      header: archive.readUInt32LE(at + 42),
      name: archive.toString('utf8', at + 46, at + 46 + nameLength),
    });
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function contentOf(archive, { method, size, header, name }) {
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const packed = archive.subarray(start, start + size);
  if (method === 0) return packed;
  if (method === 8) return inflateRawSync(packed);
  throw new Error(`${name} is packed with method ${method}, which is not known here`);
}
