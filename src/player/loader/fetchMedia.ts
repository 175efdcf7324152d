import {
  createProgressEvents,
  type MediaRequest,
  type MediaResponse,
  type ProgressEvents,
} from './progressEvents.ts';

/** ms. Timers wait no longer (HTML, "timer initialisation steps": a signed 32-bit number). */
const MAX_TIMER_MS = 2 ** 31 - 1;

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

/**
 * Loads `request` with fetch, byte ranges past the browser's cache (`no-store`), and fills `response`. Calls dash.js back as
 * its own XHRLoader does: progress every 50 ms and at the end, then `onloadend`; `ontimeout` and `onloadend` when the time
 * is up; `onabort` alone, at once, when it is aborted. `response` stays as it was (status 0) unless the whole body came.
 * `onEnd` is called first at every end, and `onPart` when what is missing has been requested from another server.
 */
export function fetchMedia(
  request: MediaRequest,
  response: MediaResponse,
  { onEnd, onPart }: { onEnd: () => void; onPart?: () => void },
): MediaLoad {
  const { customData } = request;
  let hasEnded = false;
  let progress = progressOf(null, request);
  const body = createBody(request, {
    onPart: () => onPart?.(),
    onAnnounced(totalBytes) {
      progress.stop();
      progress = progressOf(totalBytes, request);
    },
    onBytes: (bytes) => progress.received(bytes),
  });
  const end = (tell: () => void): void => {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timer);
    progress.stop();
    onEnd();
    tell();
  };
  const timer = startTimer(request.timeout ?? 0, () =>
    end(() => {
      body.abort();
      customData.ontimeout?.(progress.current());
      customData.onloadend?.();
    }),
  );
  body.received.then(
    (received) => {
      if (!hasEnded) progress.flush();
      end(() => {
        Object.assign(response, received);
        customData.onloadend?.();
      });
    },
    () => end(() => customData.onloadend?.()),
  );
  customData.abort = () =>
    end(() => {
      body.abort();
      customData.onabort?.();
    });
  return {
    progress: body.progress,
    continueAt: (url) => !hasEnded && body.continueAt(url),
  };
}

interface Body extends MediaLoad {
  readonly received: Promise<MediaResponse>;
  abort(): void;
}

/** One body, from one server or from two. */
function createBody(
  request: MediaRequest,
  {
    onPart,
    onAnnounced,
    onBytes,
  }: {
    onPart: () => void;
    onAnnounced: (totalBytes: number | null) => void;
    onBytes: (bytes: number) => void;
  },
): Body {
  let controller = new AbortController();
  let isAborted = false;
  let other: string | null = null;
  let collected: CollectedBytes | null = null;
  let totalBytes: number | null = null;
  const receive = async (url: string): Promise<MediaResponse> => {
    const haveBytes = collected?.length ?? 0;
    const answer = await fetch(url, optionsOf(request, { haveBytes, signal: controller.signal }));
    const kind = haveBytes === 0 ? 'whole' : answerKind(answer, { request, haveBytes, totalBytes });
    // A refusal, or another piece, in place of the rest must not become the body: the caller asks the first server again.
    if (kind === 'other' || (url === other && !answer.ok))
      throw new Error(`${url} has no such rest of the body`);
    if (kind === 'whole' && haveBytes > 0) request.customData.recorded?.beganAnew();
    if (collected === null || kind === 'whole') {
      totalBytes = announcedBytesOf(answer.headers);
      collected = collectBytes(answer.body ? totalBytes : 0);
      onAnnounced(totalBytes);
    }
    await collect(answer, collected, onBytes);
    await nextTask();
    const { status, statusText } = answer;
    const headers = Object.fromEntries(answer.headers);
    // What was asked for as a whole is whole: the second part was a range of it.
    const isWhole = status === 206 && haveBytes > 0 && rangeOf(request) === null;
    return {
      ...{ url: answer.url, headers, data: collected.toBuffer() },
      ...(isWhole ? { status: 200, statusText: 'OK' } : { status, statusText }),
    };
  };
  const goOn = (url: string): Promise<MediaResponse> => {
    const receivedBytes = collected?.length ?? 0;
    const range = missingRange(request, receivedBytes);
    controller = new AbortController();
    const receiving = receive(url);
    request.customData.recorded?.continued({ url, range, receivedBytes });
    onPart();
    return receiving;
  };
  const received = (async (): Promise<MediaResponse> => {
    try {
      return await receive(request.url);
    } catch (fault) {
      if (other === null || isAborted) throw fault;
    }
    try {
      return await goOn(other);
    } catch (fault) {
      if (isAborted) throw fault;
    }
    return await goOn(request.url);
  })();
  return {
    received,
    progress: () => ({ bytes: collected?.length ?? 0, totalBytes }),
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
  if (status !== 206) return 'other';
  // CORS hides this header unless the server exposes it.
  const [, first] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? [];
  if (first !== undefined && Number(first) !== (range?.first ?? 0) + haveBytes) return 'other';
  const length = announcedBytesOf(headers);
  const isLong = totalBytes !== null && length !== null && haveBytes + length !== totalBytes;
  return isLong ? 'other' : 'rest';
}

/** First and last byte of the range that was asked for; null for a whole file. */
function rangeOf({ headers = {} }: MediaRequest): { first: number; last: number | null } | null {
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

const progressOf = (totalBytes: number | null, { customData }: MediaRequest): ProgressEvents =>
  createProgressEvents(totalBytes, (event) => customData.onprogress?.(event));

function startTimer(timeoutMs: number, onTime: () => void): ReturnType<typeof setTimeout> | undefined {
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) return undefined;
  return setTimeout(onTime, Math.min(timeoutMs, MAX_TIMER_MS));
}

function optionsOf(
  request: MediaRequest,
  { haveBytes, signal }: { haveBytes: number; signal: AbortSignal },
): RequestInit {
  const { method, headers = {}, credentials } = request;
  const range = missingRange(request, haveBytes);
  const sent = Object.entries(headers).filter(
    (pair): pair is [string, string] => Boolean(pair[1]) && pair[0].toLowerCase() !== 'range',
  );
  return {
    method,
    headers: range === null ? sent : [...sent, ['Range', `bytes=${range}`]],
    cache: range === null ? 'default' : 'no-store',
    // XMLHttpRequest without `withCredentials` sends cookies to the page's own origin (XMLHttpRequest §4.5.6).
    credentials: credentials === 'include' ? 'include' : 'same-origin',
    signal,
  };
}

/** The length of the body, where the server announces it and it is the length of what arrives here. */
function announcedBytesOf(headers: Headers): number | null {
  const text = headers.get('content-length');
  if (text === null || !/^\d{1,15}$/.test(text) || headers.get('content-encoding') !== null) return null;
  return Number(text);
}

async function collect(
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
function nextTask(): Promise<void> {
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
interface CollectedBytes {
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
