import { MAX_COMPARED_BYTES, MAX_COMPARISON_MS } from '../../steering/steeringSession.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { PlacedPathway } from './pathways.ts';

/** Bytes of a file that came over a pathway. */
export interface FirstBytes {
  readonly url: string;
  readonly pathway: string;
  /** Where in the file they begin. */
  readonly offset: number;
  readonly bytes: ArrayBuffer;
}

/** A response of dash.js, as far as it is read here. */
interface Response {
  readonly request: { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
  readonly status?: number;
  readonly data?: unknown;
}

/** Keeps the beginning of the first file that comes over a pathway: the others have to serve the same. */
export function createFirstFile(pathwayOf: (url: string) => string | null): {
  readonly first: Promise<FirstBytes>;
  take(response: Response): void;
} {
  let resolve: ((first: FirstBytes) => void) | null = null;
  const first = new Promise<FirstBytes>((fulfil) => (resolve = fulfil));
  return {
    first,
    take(response) {
      const { request, data } = response;
      if (!resolve || !isWhole(response) || !(data instanceof ArrayBuffer)) return;
      const pathway = pathwayOf(request.url);
      if (data.byteLength === 0 || pathway === null) return;
      const [, begin = '0'] = /^bytes=(\d+)-/.exec(request.headers?.['Range'] ?? '') ?? [];
      const bytes = data.slice(0, MAX_COMPARED_BYTES);
      resolve({ url: request.url, pathway, offset: Number(begin), bytes });
      resolve = null;
    },
  };
}

const isWhole = ({ status = 0 }: Response): boolean => status >= 200 && status < 300;

/**
 * Requests the same bytes over another pathway, and compares them. Returns why the pathway is left out, in one sentence; null
 * if it can be used. The connection that this opens is there when it is needed.
 */
export async function checkPathway(
  { id }: PlacedPathway,
  { first, url, telemetry }: { first: FirstBytes; url: string; telemetry: Pick<Telemetry, 'fetch'> },
): Promise<string | null> {
  const { offset, bytes } = first;
  const place = URL.parse(url)?.host ?? url;
  const fault = await telemetry
    .fetch(url, {
      type: 'probe',
      range: `${offset}-${offset + bytes.byteLength - 1}`,
      signal: AbortSignal.timeout(MAX_COMPARISON_MS),
    })
    .then(
      (answer) => faultOf(answer, first, url),
      () => 'does not answer, or does not allow this page to read its files (CORS)',
    );
  return fault === null ? null : `The pathway ${id} is left out: ${place} ${fault}.`;
}

type Answer = Awaited<ReturnType<Telemetry['fetch']>>;

/** What is wrong with an answer; null if it is the same bytes. */
function faultOf(
  { status, body, url: from }: Answer,
  { pathway, offset, bytes }: FirstBytes,
  url: string,
): string | null {
  if (status !== 200 && status !== 206) return `answered ${status}`;
  const [asked, answered] = [URL.parse(url)?.origin, URL.parse(from)?.origin];
  if (answered !== asked) return `redirects to ${answered ?? 'another address'}`;
  const got = status === 206 ? body : body.slice(offset, offset + bytes.byteLength);
  return areEqual(got, bytes) ? null : `serves other bytes than the pathway ${pathway}`;
}

function areEqual(one: ArrayBuffer, other: ArrayBuffer): boolean {
  if (one.byteLength !== other.byteLength) return false;
  const [left, right] = [new Uint8Array(one), new Uint8Array(other)];
  return left.every((byte, at) => byte === right[at]);
}
