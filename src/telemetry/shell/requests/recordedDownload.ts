import { NO_PURPOSE, type RequestAnswer } from '../../join/requestDraft.ts';
import type { RequestEvent } from '../../event.ts';
import type { RequestBook } from './requestBook.ts';

/** Downloads a file, counts its bytes and drops them. Never rejects: how it ended is in the log. */
export type RecordedDownload = (
  url: string,
  about: {
    /** "first-last", in bytes; null: the whole file. */
    readonly range: string | null;
    readonly transfer: NonNullable<RequestEvent['transfer']>;
    readonly signal: AbortSignal;
  },
) => Promise<void>;

/** Between two samples of the bytes so far. */
const SAMPLE_MS = 100;

type Book = Pick<RequestBook, 'ask' | 'sending' | 'sent' | 'end'>;

/** Makes requests of sessions without media. They are not kept: 50 MB of a body would cost the page more than its network. */
export function createRecordedDownload(book: Book): RecordedDownload {
  return async (url, { range, transfer, signal }) => {
    const progress: { atMs: number; bytes: number }[] = [];
    const entry = book.ask({
      url,
      method: 'GET',
      range,
      attempt: 0,
      progress,
      purpose: { ...NO_PURPOSE, type: 'probe', transfer },
    });
    book.sending(entry, url);
    const headers = range === null ? {} : { Range: `bytes=${range}` };
    const answering = fetch(url, { cache: 'no-store', headers, signal });
    book.sent(entry);
    const answer = await followDownload(answering, progress);
    book.end(entry, { url: entry.url, answer: { ...answer, endMs: performance.now() } });
  };
}

async function followDownload(
  answering: Promise<Response>,
  progress: { atMs: number; bytes: number }[],
): Promise<Omit<RequestAnswer, 'endMs'>> {
  let head: Head = { status: 0, finalUrl: '', headers: {} };
  let receivedBytes: number | null = null;
  try {
    const response = await answering;
    const { status, url: finalUrl, headers } = response;
    head = { status, finalUrl, headers: Object.fromEntries(headers) };
    receivedBytes = 0;
    for await (const bytes of piecesOf(response)) {
      receivedBytes += bytes;
      note(progress, receivedBytes);
    }
    return { ...head, outcome: status >= 400 ? 'http-error' : 'ok', receivedBytes };
  } catch (fault) {
    const isAborted = fault instanceof DOMException && fault.name === 'AbortError';
    return { ...head, outcome: isAborted ? 'aborted' : 'network-error', receivedBytes };
  }
}

type Head = Pick<RequestAnswer, 'status' | 'finalUrl' | 'headers'>;

/** The sizes of the pieces of a body, as they come. */
async function* piecesOf({ body }: Response): AsyncGenerator<number> {
  const reader = body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return;
    yield piece.value.length;
  }
}

/** Notes the bytes so far, unless they were noted just now. */
function note(progress: { atMs: number; bytes: number }[], bytes: number): void {
  const atMs = performance.now();
  if (atMs - (progress.at(-1)?.atMs ?? -Infinity) >= SAMPLE_MS) progress.push({ atMs, bytes });
}
