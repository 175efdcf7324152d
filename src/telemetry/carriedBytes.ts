import type { RequestEvent } from './event.ts';

/**
 * Bytes of a body that the network carried: as encoded, where that is known and all of it came. null where nothing is known, or where the browser
 * had the body, or a part of it, already: `transferSize` counts headers, too, so that it is smaller only then (Resource Timing
 * Level 2, §4.4). A service worker that passes an answer on looks the same.
 */
export function carriedBytes({
  transferSizeBytes,
  encodedBodyBytes,
  receivedBytes,
}: Pick<RequestEvent, 'transferSizeBytes' | 'encodedBodyBytes' | 'receivedBytes'>): number | null {
  if (encodedBodyBytes === null || !receivedBytes) return receivedBytes;
  const isLocal = transferSizeBytes !== null && transferSizeBytes < encodedBodyBytes;
  return isLocal ? null : Math.min(encodedBodyBytes, receivedBytes);
}
