import type { RequestAnswer, RequestPurpose } from '../requestDraft.ts';
import type { RequestBook, RequestEntry } from './requestBook.ts';
import type { FetchedText, RecordedFetch } from './telemetry.ts';

const NOTHING: Omit<RequestPurpose, 'type'> = {
  mediaType: null,
  segment: null,
  mediaStartMs: null,
  mediaDurationMs: null,
  periodId: null,
  representationId: null,
  rung: null,
  bitrateKbps: null,
  serviceLocation: null,
};

/** Makes requests past dash.js that stand in the log like all others. Call it while the recording runs. */
export function createRecordedFetch(
  book: Pick<RequestBook, 'ask' | 'sending' | 'sent' | 'end'>,
): RecordedFetch {
  return async (url, { method = 'GET', headers, credentials, signal, ...about }) => {
    const entry = book.ask({
      url,
      method,
      range: null,
      attempt: 0,
      purpose: { ...NOTHING, ...about },
    });
    book.sending(entry, url);
    const init: RequestInit = {
      method,
      cache: 'no-store',
      ...(headers && { headers }),
      ...(credentials && { credentials: 'include' }),
      ...(signal && { signal }),
    };
    const answering = fetch(url, init);
    book.sent(entry);
    return await followed(book, entry, answering);
  };
}

async function followed(
  book: Pick<RequestBook, 'end'>,
  entry: RequestEntry,
  answering: Promise<Response>,
): Promise<FetchedText> {
  const end = (answer: Omit<RequestAnswer, 'endMs'>): void =>
    book.end(entry, { url: entry.url, answer: { ...answer, endMs: performance.now() } });
  let response: Response | null = null;
  try {
    response = await answering;
    const body = await response.arrayBuffer();
    const { status } = response;
    end({
      ...headOf(response),
      outcome: status >= 400 ? 'http-error' : 'ok',
      receivedBytes: body.byteLength,
    });
    return { status, headers: response.headers, text: new TextDecoder().decode(body) };
  } catch (fault) {
    const aborted = fault instanceof DOMException && fault.name === 'AbortError';
    const timedOut = fault instanceof DOMException && fault.name === 'TimeoutError';
    const outcome = timedOut ? 'timeout' : aborted ? 'aborted' : 'network-error';
    end({ ...headOf(response), outcome, receivedBytes: null });
    throw fault;
  }
}

const headOf = (response: Response | null): Pick<RequestAnswer, 'status' | 'finalUrl' | 'headers'> => ({
  status: response?.status ?? 0,
  finalUrl: response?.url ?? '',
  headers: Object.fromEntries(response?.headers ?? []),
});
