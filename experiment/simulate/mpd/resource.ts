import { open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatFileError, readText } from '../../../node/files.ts';

/** Part of a resource. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** What is asked of a file or of a server about one address. */
export interface Resource {
  /** @throws Error in one sentence */
  text(): Promise<string>;
  /** Bytes of the whole. @throws Error in one sentence */
  sizeBytes(): Promise<number>;
  /** @throws Error in one sentence */
  bytes(range: ByteRange): Promise<Buffer>;
}

/** The resource at a `file:`, `http:` or `https:` address. */
export const resourceAt = (url: string): Resource => (url.startsWith('file:') ? fileAt(url) : servedAt(url));

function fileAt(url: string): Resource {
  const file = fileURLToPath(url);
  const said = <Value>(promise: Promise<Value>): Promise<Value> =>
    promise.catch((error: unknown) => {
      throw new Error(formatFileError(file, error));
    });
  return {
    text: () => readText(file),
    sizeBytes: () => said(stat(file).then(({ size }) => size)),
    bytes: ({ offset, length }) => said(bytesOf(file, offset, length)),
  };
}

async function bytesOf(file: string, offset: number, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function servedAt(url: string): Resource {
  return {
    text: async () => (await asked(url, {})).text(),
    async sizeBytes() {
      // Without a content coding: the length of the answer is then that of the file.
      const response = await asked(url, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
      const length = response.headers.get('content-length');
      if (length === null) throw new Error(`${url}: The server sends no Content-Length.`);
      return Number(length);
    },
    async bytes({ offset, length }) {
      const range = `bytes=${offset}-${offset + length - 1}`;
      const response = await asked(url, { headers: { range } });
      const bytes = Buffer.from(await response.arrayBuffer());
      // A server that knows no ranges sends everything (RFC 9110 §14.2).
      return response.status === 206 ? bytes : bytes.subarray(offset, offset + length);
    },
  };
}

async function asked(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, request).catch((error: Error) => {
    throw new Error(
      `${url}: The server cannot be reached (${(error.cause as Error | undefined)?.message ?? error.message}).`,
    );
  });
  if (!response.ok) throw new Error(`${url}: The server answers ${response.status}.`);
  return response;
}
