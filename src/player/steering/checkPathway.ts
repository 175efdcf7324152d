import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { PlacedPathway } from './pathways.ts';

/** Bytes of a file that came over the pathway of the MPD. */
export interface FirstBytes {
  readonly url: string;
  /** Where in the file they begin. */
  readonly offset: number;
  readonly bytes: ArrayBuffer;
}

/** ms. A server that takes longer is no help. */
const MAX_WAIT_MS = 10_000;

/**
 * Requests the same bytes over another pathway, and compares them. Returns why the pathway is left out, in one sentence; null
 * if it can be used. The connection that this opens is there when it is needed.
 */
export async function checkPathway(
  { id }: PlacedPathway,
  { first, url, telemetry }: { first: FirstBytes; url: string; telemetry: Pick<Telemetry, 'fetch'> },
): Promise<string | null> {
  const { offset, bytes } = first;
  const leftOut = (why: string): string => `The pathway ${id} is left out: ${why}.`;
  const place = URL.parse(url)?.host ?? url;
  try {
    const answer = await telemetry.fetch(url, {
      type: 'probe',
      range: `${offset}-${offset + bytes.byteLength - 1}`,
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    });
    const { status } = answer;
    if (status !== 200 && status !== 206) return leftOut(`${place} answered ${status}`);
    const to = URL.parse(answer.url)?.origin;
    if (to !== URL.parse(url)?.origin) return leftOut(`${place} redirects to ${to ?? 'another address'}`);
    const got = status === 206 ? answer.body : answer.body.slice(offset, offset + bytes.byteLength);
    return areEqual(got, bytes) ? null : leftOut(`${place} serves other bytes than the server of the MPD`);
  } catch {
    return leftOut(`${place} does not answer, or does not allow this page to read its files (CORS)`);
  }
}

function areEqual(one: ArrayBuffer, other: ArrayBuffer): boolean {
  if (one.byteLength !== other.byteLength) return false;
  const [left, right] = [new Uint8Array(one), new Uint8Array(other)];
  return left.every((byte, at) => byte === right[at]);
}
