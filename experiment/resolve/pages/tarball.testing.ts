/** Makes tarballs for tests, also such as no program writes. */
import { gzipSync } from 'node:zlib';

export interface TarEntry {
  readonly name: string;
  readonly data?: string | Buffer;
  /** One letter of the format; absent: an ordinary file. */
  readonly type?: string;
  readonly linkName?: string;
  readonly mode?: number;
  /** Eleven digits and NUL, or whatever else stands in their place; absent: the size of the data. */
  readonly size?: string;
}

/** Without the zeros at the end of an archive. */
export const tarOf = (entries: readonly TarEntry[]): Buffer => Buffer.concat(entries.map(entryOf));

export const tarballOf = (entries: readonly TarEntry[]): Buffer =>
  gzipSync(Buffer.concat([tarOf(entries), Buffer.alloc(1024)]));

function entryOf({ name, data = '', type = '0', linkName = '', mode = 0o644, size }: TarEntry): Buffer {
  const bytes = Buffer.from(data);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  header.write(size ?? `${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 12, 'latin1');
  header.write('        ', 148);
  header.write(type, 156);
  header.write(linkName, 157, 100);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** An extended header of a pax archive, for the entry after it. */
export function paxHeader(key: string, value: string): TarEntry {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return { name: 'PaxHeader', type: 'x', data: `${length}${rest}` };
}
