import type { MediaRequest, MediaResponse } from './progressEvents.ts';

/** A media request that is being loaded. */
export interface MediaLoad {
  /** Bytes of the body so far, and the length that the server announced. */
  progress(): { readonly bytes: number; readonly totalBytes: number | null };
  /**
   * Aborts the request, and requests what is missing of the body from `url`. Once for each request; false if it is too
   * late. Where the other server has no byte ranges, or another length, the whole body is requested there anew. Where it
   * fails, what is missing is requested from the first one again.
   */
  continueAt(url: string): boolean;
}

/** The body of a request, from one server or from two. */
export interface MediaBody extends MediaLoad {
  /** The whole response. Rejects where there is none. */
  readonly received: Promise<MediaResponse>;
  abort(): void;
}

export interface BodyListeners {
  /** What is missing has been requested from another server. */
  onPart(): void;
  /** A body begins: the length that the server announced, null when it did not. */
  onAnnounced(totalBytes: number | null): void;
  onBytes(bytes: number): void;
}

/** What has come of a body so far. */
interface Received {
  bytes: CollectedBytes | null;
  totalBytes: number | null;
}

/** Requests the body of `request` at once. */
export function createMediaBody(request: MediaRequest, listeners: BodyListeners): MediaBody {
  const got: Received = { bytes: null, totalBytes: null };
  let controller = new AbortController();
  let isAborted = false;
  let other: string | null = null;
  const from = (url: string): Promise<MediaResponse> =>
    receive(url, { request, got, signal: controller.signal, isOther: url === other, listeners });
  const goOn = (url: string): Promise<MediaResponse> => {
    const receivedBytes = got.bytes?.length ?? 0;
    const range = missingRange(request, receivedBytes);
    controller = new AbortController();
    // Before it is out: its Resource Timing entry begins no earlier than the recorder says that it was sent.
    request.customData.recorded?.continued({ url, range, receivedBytes });
    const receiving = from(url);
    listeners.onPart();
    return receiving;
  };
  const all = async (): Promise<MediaResponse> => {
    try {
      return await from(request.url);
    } catch (fault) {
      if (other === null || isAborted) throw fault;
    }
    try {
      return await goOn(other);
    } catch (fault) {
      if (isAborted) throw fault;
    }
    return await goOn(request.url);
  };
  return {
    received: all(),
    progress: () => ({ bytes: got.bytes?.length ?? 0, totalBytes: got.totalBytes }),
    continueAt(url) {
      if (other !== null) return false;
      other = url;
      controller.abort();
      return true;
    },
    abort() {
      isAborted = true;
      controller.abort();
    },
  };
}

interface Receiving {
  readonly request: MediaRequest;
  readonly got: Received;
  readonly signal: AbortSignal;
  /** The server is not the first one. */
  readonly isOther: boolean;
  readonly listeners: BodyListeners;
}

/** Requests what is missing of a body from one server. Rejects where that does not send it. */
async function receive(url: string, receiving: Receiving): Promise<MediaResponse> {
  const { request, got, signal, isOther, listeners } = receiving;
  const haveBytes = got.bytes?.length ?? 0;
  const answer = await fetch(url, optionsOf(request, { range: missingRange(request, haveBytes), signal }));
  const kind = haveBytes === 0 ? 'whole' : answerKind(answer, { request, haveBytes, ...got });
  // A refusal, or another piece, in place of the rest must not become the body: the first server is asked again.
  if (kind === 'other' || (isOther && !answer.ok)) throw new Error(`${url} has no such rest of the body`);
  const bytes = kind === 'rest' && got.bytes ? got.bytes : beginBody(answer, receiving);
  await collect(answer, bytes, listeners.onBytes);
  await nextTask();
  return responseOf(answer, bytes, kind === 'rest' && rangeOf(request) === null);
}

function beginBody(answer: Response, { request, got, listeners }: Receiving): CollectedBytes {
  if (got.bytes && got.bytes.length > 0) request.customData.recorded?.beganAnew();
  got.totalBytes = announcedBytesOf(answer.headers);
  const bytes = collectBytes(answer.body ? got.totalBytes : 0);
  got.bytes = bytes;
  listeners.onAnnounced(got.totalBytes);
  return bytes;
}

/** `isRestOfWhole`: what was requested as a whole is whole, although the second part was a range of it. */
function responseOf(answer: Response, bytes: CollectedBytes, isRestOfWhole: boolean): MediaResponse {
  const { url, status, statusText } = answer;
  return {
    url,
    headers: Object.fromEntries(answer.headers),
    data: bytes.toBuffer(),
    ...(isRestOfWhole ? { status: 200, statusText: 'OK' } : { status, statusText }),
  };
}

/**
 * What a second answer is: the rest of the body, if it begins where that stopped and belongs to a file of the same length;
 * the whole body once more; or something else.
 */
function answerKind(
  { status, headers }: Response,
  asked: { request: MediaRequest; haveBytes: number; totalBytes: number | null },
): 'rest' | 'whole' | 'other' {
  const { request, haveBytes, totalBytes } = asked;
  const range = rangeOf(request);
  if (status === 200) return range === null ? 'whole' : 'other';
  const firstByte = (range?.first ?? 0) + haveBytes;
  const restBytes = totalBytes === null ? null : totalBytes - haveBytes;
  return status === 206 && beginsAt(headers, firstByte) && isLong(headers, restBytes) ? 'rest' : 'other';
}

/** CORS hides the header unless the server exposes it: then the place is taken on trust. */
function beginsAt(headers: Headers, firstByte: number): boolean {
  const [, first] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? [];
  return first === undefined || Number(first) === firstByte;
}

function isLong(headers: Headers, bytes: number | null): boolean {
  const length = announcedBytesOf(headers);
  return bytes === null || length === null || length === bytes;
}

/** First and last byte of the range that was asked for; null for a whole file. */
export function rangeOf({ headers = {} }: MediaRequest): { first: number; last: number | null } | null {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === 'range');
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec((name && headers[name]) || '') ?? [];
  return first === undefined ? null : { first: Number(first), last: last ? Number(last) : null };
}

/** "first-last" of what is missing after so many bytes; null where nothing came of a whole file. */
function missingRange(request: MediaRequest, haveBytes: number): string | null {
  const range = rangeOf(request);
  if (range === null && haveBytes === 0) return null;
  return `${(range?.first ?? 0) + haveBytes}-${range?.last ?? ''}`;
}

/** `range`: "first-last"; null for the whole file. */
export function optionsOf(
  { method, headers = {}, credentials, priority }: MediaRequest,
  { range, signal }: { range: string | null; signal: AbortSignal },
): RequestInit {
  const sent = Object.entries(headers).filter(
    (pair): pair is [string, string] => Boolean(pair[1]) && pair[0].toLowerCase() !== 'range',
  );
  return {
    method,
    headers: range === null ? sent : [...sent, ['Range', `bytes=${range}`]],
    cache: range === null ? 'default' : 'no-store',
    // XMLHttpRequest without `withCredentials` sends cookies to the page's own origin (XMLHttpRequest §4.5.6).
    credentials: credentials === 'include' ? 'include' : 'same-origin',
    ...(priority && { priority }),
    signal,
  };
}

/** The length of the body, where the server announces it and it is the length of what arrives here. */
export function announcedBytesOf(headers: Headers): number | null {
  const text = headers.get('content-length');
  if (text === null || !/^\d{1,15}$/.test(text) || headers.get('content-encoding') !== null) return null;
  return Number(text);
}

/** Reads a body to its end; `onBytes` receives the bytes so far. */
export async function collect(
  { body }: Response,
  bytes: CollectedBytes,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const reader = body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes.add(value);
    onBytes(bytes.length);
  }
}

/**
 * The Resource Timing entry of a fetch may come a task after the end of its body (seen in Chromium 156: 13 of 600, none
 * later); with XMLHttpRequest it is always there. dash.js and the recorder look for it when the request ends. A
 * message and not a timer: pages in the background wait long for timers.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** A body that grows piece by piece. */
export interface CollectedBytes {
  /** Bytes so far. */
  readonly length: number;
  add(piece: Uint8Array): void;
  /** The whole body as a buffer of exactly its length. */
  toBuffer(): ArrayBuffer;
}

/** Bytes. The most that is reserved because a server announced it: what it announces need not come. */
const MAX_RESERVED_BYTES = 64 * 1024 * 1024;
const MIN_RESERVED_BYTES = 64 * 1024;

/**
 * Collects a body in time linear in its length. A body as long as announced is copied once and never moved. One of
 * unknown length moves to a buffer of twice the size when its buffer is full (amortised, Cormen et al., §17.4).
 */
export function collectBytes(announcedBytes: number | null): CollectedBytes {
  let bytes = new Uint8Array(Math.min(announcedBytes ?? MIN_RESERVED_BYTES, MAX_RESERVED_BYTES));
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(piece) {
      if (length + piece.length > bytes.length) bytes = moved(bytes, length, length + piece.length);
      bytes.set(piece, length);
      length += piece.length;
    },
    toBuffer: () => (length === bytes.length ? bytes.buffer : bytes.buffer.slice(0, length)),
  };
}

function moved(
  bytes: Uint8Array<ArrayBuffer>,
  usedBytes: number,
  neededBytes: number,
): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.max(neededBytes, 2 * bytes.length, MIN_RESERVED_BYTES));
  wider.set(bytes.subarray(0, usedBytes));
  return wider;
}
