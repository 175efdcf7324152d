import { request as requestOverHttp, type IncomingMessage } from 'node:http';
import { request as requestOverHttps, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { formatAskError, type Trusted } from '../../node/trust.ts';
import { pathOf } from '../../src/doctor/answers.ts';
import type { Answer, FileEvidence, Unknown, Way } from '../../src/doctor/evidence.ts';

/** What requests share: limits, and how names become addresses. */
export interface Asking {
  readonly pageOrigin: string;
  readonly trusted: Trusted | undefined;
  /** Absent: the system's. */
  readonly lookup?: LookupFunction;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Counts bytes of bodies down; requests are refused from 0 on. */
  readonly budget: { leftBytes: number };
}

export interface Asked {
  readonly answer: Answer;
  /** Without its content coding. */
  readonly body: Buffer;
  /** Whether there is more of the body than was read. */
  readonly isCut: boolean;
}

/** A limit of the check itself ended a request, which says nothing of the server. */
export class LimitReached extends Error {}

interface Wanted {
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes of the body that are read; the rest is not waited for. */
  readonly limitBytes?: number;
}

/** For the headers, and then between two pieces of the body. */
const PATIENCE_MS = 4000;
const MAX_REDIRECTS = 5;
export const MANIFEST_BYTES = 4_000_000;
const TOO_LONG = `the manifest is longer than what is read of it (${MANIFEST_BYTES / 1e6} MB at most)`;
const USED_UP = 'the bytes of --max-bytes are used up';
const MEDIA_BYTES = 65_536;
const START_CHARACTERS = 256;

/** Asks once over http/1.1, without following redirects. Certificates are judged elsewhere. @throws Error with the reason */
export function ask(url: string, asking: Asking, wanted: Wanted = {}): Promise<Asked> {
  const { method = 'GET', headers = {}, limitBytes = 4096 } = wanted;
  const { budget, trusted, lookup, pageOrigin } = asking;
  if (budget.leftBytes <= 0) return Promise.reject(new LimitReached(USED_UP));
  const options: RequestOptions = {
    method,
    headers: { origin: pageOrigin, 'user-agent': 'pitwall-doctor', ...headers },
    agent: false,
    // One for each request: Node warns of more than ten listeners.
    signal: AbortSignal.any([asking.signal]),
    rejectUnauthorized: false,
    ...(lookup && { lookup }),
    ...(trusted && { ca: [...rootCertificates, trusted.pem] }),
  };
  const send: typeof requestOverHttps = url.startsWith('https:') ? requestOverHttps : requestOverHttp;
  const named = pageOrigin === 'null' ? ({ origin: 'null' } as const) : {};
  return new Promise<Asked>((resolve, reject) => {
    let hasEarlyHints = false;
    let hasBegun = false;
    const end = (): void => {
      clearTimeout(silence);
      sent.destroy();
    };
    const fail = (error: Error): void => {
      end();
      const inBody = hasBegun ? ` while the body of ${pathOf(url)} was coming` : '';
      if (asking.signal.aborted) reject(new LimitReached(`the time of the check was up${inBody}`));
      else reject(new Error(`${reasonOf(error)}${inBody}`));
    };
    const sent = send(url, options, (response) => {
      const atUnixMs = Date.now();
      hasBegun = true;
      response.on('data', () => silence.refresh());
      readBody(response, Math.min(limitBytes, budget.leftBytes)).then(({ body, isCut }) => {
        budget.leftBytes -= body.length;
        end();
        resolve(askedOf(url, response, { body, isCut, hasEarlyHints, atUnixMs, ...named }));
      }, fail);
    });
    const silence = setTimeout(
      () => fail(new Error(`no ${hasBegun ? 'byte' : 'answer'} within ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
    sent.on('information', ({ statusCode }) => (hasEarlyHints ||= statusCode === 103));
    sent.on('error', fail);
    sent.end();
  });
}

const reasonOf = (error: Error): string =>
  formatAskError(error) || (error as NodeJS.ErrnoException).code || 'the connection failed';

function readBody(response: IncomingMessage, limitBytes: number): Promise<Pick<Asked, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const end = (): void =>
      resolve({ body: Buffer.concat(chunks).subarray(0, limitBytes), isCut: length > limitBytes });
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // One byte more tells a file that is as long as the limit from a longer one.
      if ((length += chunk.length) > limitBytes) end();
    });
    response.once('end', end);
    response.on('error', reject);
  });
}

/** Returns which limit of the check itself cut a body off: that of all bytes, or that of a manifest; null: none. */
export function limitOn({ isCut }: Asked, { budget }: Asking): string | null {
  if (!isCut) return null;
  return budget.leftBytes <= 0 ? USED_UP : TOO_LONG;
}

/** @throws LimitReached where the bytes of all requests were used up in a body */
export function mustBeRead(asked: Asked, asking: Asking): void {
  if (limitOn(asked, asking) === USED_UP) throw new LimitReached(USED_UP);
}

/** Asks, and follows redirects as a browser does; their answers are added to `hops`. @throws Error with the reason */
export async function askThrough(
  url: string,
  asking: Asking,
  { hops = [], ...wanted }: Wanted & { readonly hops?: Answer[] } = {},
): Promise<Asked> {
  let asked = await ask(url, asking, wanted);
  let { pageOrigin } = asking;
  for (let to = locationOf(asked.answer); to !== null; to = locationOf(asked.answer)) {
    hops.push(asked.answer);
    if (hops.length > MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
    const from = new URL(asked.answer.url).origin;
    if (from !== asking.pageOrigin && from !== new URL(to).origin) pageOrigin = 'null';
    asked = await ask(to, { ...asking, pageOrigin }, wanted);
  }
  return asked;
}

function askedOf(
  url: string,
  { statusCode: status = 0, rawHeaders }: IncomingMessage,
  read: Pick<Answer, 'hasEarlyHints' | 'atUnixMs' | 'origin'> & Pick<Asked, 'body' | 'isCut'>,
): Asked {
  const { body: coded, isCut, ...about } = read;
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    headers[name] = [headers[name] ?? [], rawHeaders[at + 1]!].flat().join(', ');
  }
  const { body, isLong } = decode(coded, headers['content-encoding'] ?? '');
  const start = body.toString('latin1', 0, START_CHARACTERS);
  const answer = { ...about, url, status, headers, readBytes: coded.length, start };
  return { answer, body, isCut: isCut || isLong };
}

const DECODERS = new Map([
  ['gzip', { decoder: gunzipSync, finishFlush: constants.Z_SYNC_FLUSH }],
  ['deflate', { decoder: inflateSync, finishFlush: constants.Z_SYNC_FLUSH }],
  ['br', { decoder: brotliDecompressSync, finishFlush: constants.BROTLI_OPERATION_FLUSH }],
]);
/** As many bytes of gzip become 2.1 MB at most (1032:1). */
const START_BYTES = 2048;

/** Takes the content coding off, but of a body that was cut off, or becomes too long, only from its start; a body of another coding stays as it is. */
function decode(coded: Buffer, coding: string): { body: Buffer; isLong: boolean } {
  const { decoder, finishFlush } = DECODERS.get(coding) ?? {};
  if (!decoder) return { body: coded, isLong: false };
  const limits = { maxOutputLength: MANIFEST_BYTES };
  try {
    return { body: decoder(coded, limits), isLong: false };
  } catch (error) {
    const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    try {
      return { body: decoder(coded.subarray(0, START_BYTES), { ...limits, finishFlush }), isLong };
    } catch {
      return { body: coded, isLong };
    }
  }
}

/** A file as it was found. */
export interface AskedFile {
  readonly file: FileEvidence;
  /** Body of the answer without redirects; empty where there is none. */
  readonly body: Buffer;
  /** Which limit of the check itself kept it from the whole file; null: none. */
  readonly limit: string | null;
  /** Which limit kept it from one of the other answers. */
  readonly unknown: Unknown;
}

/** Asks for one file in all ways that checks need. Never rejects: a server that does not answer is evidence, too. */
export async function askFile(kind: FileEvidence['kind'], url: string, asking: Asking): Promise<AskedFile> {
  const hops: Answer[] = [];
  const nothing = { kind, url, hops, whole: null, range: null, again: null, preflight: null, missing: null };
  const unknown: Unknown = {};
  try {
    const limitBytes = kind === 'manifest' ? MANIFEST_BYTES : MEDIA_BYTES;
    const wanted = { headers: CODINGS, limitBytes, hops };
    const asked = await askThrough(url, asking, wanted);
    const { answer, body } = asked;
    const limit = kind === 'manifest' ? limitOn(asked, asking) : null;
    const more =
      answer.status === 200
        ? await askMore(kind, answer, {
            asking: { ...asking, pageOrigin: answer.origin ?? asking.pageOrigin },
            unknown,
          })
        : {};
    return { file: { ...nothing, ...more, whole: answer, error: null }, body, limit, unknown };
  } catch (error) {
    const { message } = error as Error;
    const limit = error instanceof LimitReached ? message : null;
    return { file: { ...nothing, error: message }, body: Buffer.alloc(0), limit, unknown };
  }
}

const CODINGS = { 'accept-encoding': 'gzip, deflate, br' };

function locationOf({ url, status, headers }: Answer): string | null {
  const { location } = headers;
  return [301, 302, 303, 307, 308].includes(status) && location !== undefined && URL.canParse(location, url)
    ? new URL(location, url).href
    : null;
}

async function askMore(
  kind: FileEvidence['kind'],
  whole: Answer,
  { asking, unknown }: { asking: Asking; unknown: Unknown },
): Promise<Pick<FileEvidence, Way | 'failed'>> {
  const { url } = whole;
  const failed: { [way in Way]?: string } = {};
  const tried = (way: Way, wanted: Wanted, at = url): Promise<Answer | null> =>
    ask(at, asking, wanted).then(
      ({ answer }) => answer,
      (error: Error) => {
        (error instanceof LimitReached ? unknown : failed)[way] = error.message;
        return null;
      },
    );
  const preflight = tried('preflight', {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'GET', 'access-control-request-headers': 'cmcd-request' },
  });
  if (kind === 'manifest')
    return { range: null, again: null, preflight: await preflight, missing: null, failed };
  const missing = tried('missing', {}, absentBeside(url));
  const range = await tried('range', { headers: { range: 'bytes=4-99', 'accept-encoding': 'identity' } });
  const { etag, 'last-modified': modified } = (range ?? whole).headers;
  const condition =
    etag !== undefined
      ? { 'if-none-match': etag }
      : modified !== undefined && { 'if-modified-since': modified };
  const again = condition
    ? await tried('again', { headers: { ...condition, 'accept-encoding': 'identity' } })
    : null;
  return { range, again, preflight: await preflight, missing: await missing, failed };
}

/** A name that no packager makes, in the folder of a file and with its ending. */
const absentBeside = (url: string): string =>
  new URL(`pitwall-doctor-asks-for-a-missing-file${/\.\w+$/.exec(new URL(url).pathname)?.[0] ?? ''}`, url)
    .href;
