import { open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatFileError, readText } from '../../../node/files.ts';
import {
  askServer,
  formatAskError,
  textOf,
  type Asking,
  type ServerAnswer,
  type Trusted,
} from '../../../node/trust.ts';

/** Part of a resource. */
interface ByteRange {
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

/** Returns the resource at a `file:`, `http:` or `https:` address. Servers may have a certificate of `trusted`. */
export const resourceAt = (url: string, trusted?: Pick<Trusted, 'pem'>): Resource =>
  url.startsWith('file:') ? fileAt(url) : servedAt(url, trusted);

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

function servedAt(url: string, trusted: Pick<Trusted, 'pem'> | undefined): Resource {
  const ask = (asking: Asking): Promise<ServerAnswer> => askOrThrow(url, asking, trusted);
  return {
    text: async () => textOf((await ask({})).body),
    async sizeBytes() {
      // Without a content coding: the length of the answer is then that of the file.
      const { headers } = await ask({ method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
      const length = headers.get('content-length');
      if (length === null) throw new Error(`${url}: The server sends no Content-Length.`);
      return Number(length);
    },
    async bytes({ offset, length }) {
      const range = `bytes=${offset}-${offset + length - 1}`;
      const { status, body } = await ask({ headers: { range } });
      const bytes = Buffer.from(body);
      // A server that knows no ranges sends everything (RFC 9110 §14.2).
      return status === 206 ? bytes : bytes.subarray(offset, offset + length);
    },
  };
}

/** @throws Error in one sentence where the server does not answer, or refuses */
async function askOrThrow(
  url: string,
  asking: Asking,
  trusted: Pick<Trusted, 'pem'> | undefined,
): Promise<ServerAnswer> {
  const answer = await askServer(url, asking, trusted).catch((error: Error) => {
    throw new Error(`${url}: The server cannot be reached (${formatAskError(error)}).`);
  });
  if (!answer.ok) throw new Error(`${url}: The server answers ${answer.status}.`);
  return answer;
}
