import type { RequestEvent } from '../../event.ts';
import {
  NO_PURPOSE,
  requestDraft,
  type RequestAnswer,
  type RequestSurroundings,
} from '../../join/requestDraft.ts';
import type { TimingEntry } from '../../join/resourceTiming.ts';
import { clockServers, placeOf, type ClockManifest } from '../clockServers.ts';
import type { Recording } from '../recording.ts';
import { onPlayer, type Surroundings } from '../surroundings.ts';
import type { Fetched, RecordedFetch } from '../telemetry.ts';
import type { RequestBook, RequestEntry } from './requestBook.ts';

/** Requests that dash.js makes past its loader, known by their URL alone. */
interface SideRequests {
  /** Records the entries that are such requests, and says which they were. */
  take(entries: readonly TimingEntry[]): readonly TimingEntry[];
  dispose(): void;
}

interface Expected {
  readonly type: RequestEvent['type'];
  readonly method: string;
}

/**
 * Clock servers (UTCTiming, controllers/TimeSyncController.js) and licences (protection/ProtectionController.js): dash.js
 * sends them with an XMLHttpRequest of its own, where no interceptor runs. Their URLs are known before, and each leaves
 * a Resource Timing entry, also when it fails; so they are recorded when they end.
 */
export function trackSideRequests(
  { player, recording }: Pick<Surroundings, 'player'> & { recording: Pick<Recording, 'record'> },
  around: RequestSurroundings,
): SideRequests {
  const sinceMs = performance.now();
  const expected = new Map<string, Expected>();
  const off = onPlayer<{ url?: string; data?: ClockManifest | null }>(player, {
    manifestLoaded({ data = null }) {
      for (const { scheme, place } of clockServers(player, data))
        expected.set(place, { type: 'other', method: scheme === 'http-head' ? 'HEAD' : 'GET' });
    },
    public_licenseRequestSending({ url }) {
      if (url) expected.set(placeOf(url), { type: 'license', method: 'POST' });
    },
  });
  return {
    take(entries) {
      const mine = entries.filter(
        ({ name, startTime }) => startTime >= sinceMs && expected.has(placeOf(name)),
      );
      for (const entry of mine) {
        const kind = expected.get(placeOf(entry.name));
        if (kind) recording.record(draftOf(entry, kind, around));
      }
      return mine;
    },
    dispose: off,
  };
}

function draftOf(entry: TimingEntry, { type, method }: Expected, around: RequestSurroundings) {
  const status = entry.responseStatus ?? 0;
  const ended = status >= 400 ? 'http-error' : 'ok';
  return requestDraft(
    {
      url: entry.name,
      method,
      range: null,
      attempt: 0,
      askedMs: entry.startTime,
      purpose: { ...NO_PURPOSE, type },
      answer: {
        outcome: status > 0 ? ended : 'network-error',
        status,
        finalUrl: '',
        headers: {},
        receivedBytes: entry.decodedBodySize > 0 ? entry.decodedBodySize : null,
        endMs: entry.responseEnd,
      },
      timing: entry,
    },
    around,
  );
}

/** Makes requests past dash.js that stand in the log like all others. Call it while the recording runs. */
export function createRecordedFetch(
  book: Pick<RequestBook, 'ask' | 'sending' | 'sent' | 'end'>,
): RecordedFetch {
  return async (url, options) => {
    const {
      method = 'GET',
      headers,
      credentials,
      signal,
      range = null,
      onProgress,
      onSent,
      ...about
    } = options;
    const entry = book.ask({
      url,
      method,
      range,
      attempt: 0,
      purpose: { ...NO_PURPOSE, ...about },
    });
    book.sending(entry, url);
    const init: RequestInit = {
      method,
      cache: 'no-store',
      headers: { ...headers, ...(range !== null && { Range: `bytes=${range}` }) },
      ...(credentials && { credentials: 'include' }),
      ...(signal && { signal }),
    };
    const answering = fetch(url, init);
    book.sent(entry);
    if (entry.id !== null) onSent?.(entry.id);
    return await followRequest(book, entry, { answering, onProgress });
  };
}

type OnProgress = (bytes: number, totalBytes: number | null) => void;

/** By the name of what `fetch` was rejected with. */
const OUTCOMES: Readonly<Record<string, RequestAnswer['outcome']>> = {
  TimeoutError: 'timeout',
  AbortError: 'aborted',
};

async function followRequest(
  book: Pick<RequestBook, 'end'>,
  entry: RequestEntry,
  { answering, onProgress }: { answering: Promise<Response>; onProgress: OnProgress | undefined },
): Promise<Fetched> {
  const end = (answer: Omit<RequestAnswer, 'endMs'>): void =>
    book.end(entry, { url: entry.url, answer: { ...answer, endMs: performance.now() } });
  let response: Response | null = null;
  let receivedBytes: number | null = null;
  const onBytes: OnProgress = (bytes, totalBytes) => {
    receivedBytes = bytes;
    onProgress?.(bytes, totalBytes);
  };
  try {
    response = await answering;
    const body = onProgress ? await bodyOf(response, onBytes) : await response.arrayBuffer();
    const { status } = response;
    end({
      ...headOf(response),
      outcome: status >= 400 ? 'http-error' : 'ok',
      receivedBytes: body.byteLength,
    });
    const { headers, url } = response;
    return { status, url, headers, body, text: new TextDecoder().decode(body) };
  } catch (fault) {
    const outcome = OUTCOMES[(fault as Error | null)?.name ?? ''] ?? 'network-error';
    end({ ...headOf(response), outcome, receivedBytes });
    throw fault;
  }
}

async function bodyOf(response: Response, onBytes: OnProgress): Promise<ArrayBuffer> {
  const announced = response.headers.get('content-length');
  const totalBytes = announced !== null && /^\d{1,15}$/.test(announced) ? Number(announced) : null;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    bytes += value.length;
    onBytes(bytes, totalBytes);
  }
  return new Blob(pieces).arrayBuffer();
}

const headOf = (response: Response | null): Pick<RequestAnswer, 'status' | 'finalUrl' | 'headers'> => ({
  status: response?.status ?? 0,
  finalUrl: response?.url ?? '',
  headers: Object.fromEntries(response?.headers ?? []),
});
