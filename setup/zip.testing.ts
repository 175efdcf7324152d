import { deflateRawSync } from 'node:zlib';

/** A ZIP with one entry: local header, content, directory, end record (APPNOTE 4.3). */
export function zip(name: string, content: Buffer, method: 0 | 8): Buffer {
  const packed = method === 8 ? deflateRawSync(content) : content;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const directory = Buffer.alloc(46);
  directory.writeUInt32LE(0x02014b50, 0);
  directory.writeUInt16LE(method, 10);
  directory.writeUInt32LE(packed.length, 20);
  directory.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, directory, Buffer.from(name), end]);
}
