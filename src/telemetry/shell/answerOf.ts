import type { RequestAnswer } from '../requestDraft.ts';
import type { LoaderResponse } from './dashRequest.ts';

/** What the hooks saw of a request. */
export interface Seen {
  readonly aborted: boolean;
  readonly timedOut: boolean;
  /** Body bytes by progress events; null when nobody listened. */
  readonly progressBytes: number | null;
  readonly endMs: number;
  readonly method: string;
}

/** The answer as dash.js received it; `response` is what its loader filled in, status 0 when nothing came. */
export function answerOf(seen: Seen, response: LoaderResponse): RequestAnswer {
  const status = response.status ?? 0;
  const complete = hasBody(response, seen.method);
  return {
    outcome: outcomeOf(seen, { status, complete }),
    status,
    finalUrl: response.url ?? '',
    headers: lowerCaseNames(response.headers ?? {}),
    receivedBytes: bytesOf(response, seen.progressBytes),
    endMs: seen.endMs,
  };
}

function outcomeOf(
  { aborted, timedOut }: Seen,
  { status, complete }: { status: number; complete: boolean },
): RequestAnswer['outcome'] {
  if (timedOut) return 'timeout';
  if (aborted) return 'aborted';
  if (status >= 400) return 'http-error';
  return status >= 100 && complete ? 'ok' : 'network-error';
}

/** FetchLoader knows the status before the body: a body that broke off leaves a good status and no data. */
function hasBody({ data, request }: LoaderResponse, method: string): boolean {
  if (request.customData?.request?.fileLoaderType !== 'fetch_loader') return true;
  return method === 'HEAD' || (data !== undefined && data !== null);
}

/** FetchLoader leaves only the last piece in `data`; its progress events count the whole. */
function bytesOf({ data, request }: LoaderResponse, progressBytes: number | null): number | null {
  const whole = request.customData?.request?.fileLoaderType !== 'fetch_loader';
  return whole && data instanceof ArrayBuffer ? data.byteLength : progressBytes;
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
