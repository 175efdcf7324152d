import type { MediaPlayerClass } from 'dashjs';
import type { PlayerSetup } from './player.ts';

/** The fields of dash.js' request that an interceptor may change. */
interface OutgoingRequest {
  readonly url: string;
  headers?: Record<string, string>;
  credentials?: string;
}

/**
 * Adds the headers and credentials that the user gave for an origin. The request is changed in place: dash.js loses
 * its Resource Timing entry when an interceptor returns another object (HTTPLoader._addResourceTimingValues).
 */
export function withOriginRequests<Request extends OutgoingRequest>(
  request: Request,
  origins: NonNullable<PlayerSetup['origins']>,
): Request {
  const origin = originOf(request.url);
  const wanted = origin !== null && Object.hasOwn(origins, origin) ? origins[origin] : undefined;
  if (wanted?.headers) request.headers = { ...request.headers, ...wanted.headers };
  if (wanted?.credentials) request.credentials = 'include';
  return request;
}

export function sendOriginRequests(player: MediaPlayerClass, origins: PlayerSetup['origins']): void {
  if (!origins || Object.keys(origins).length === 0) return;
  player.addRequestInterceptor((request) =>
    Promise.resolve(withOriginRequests(request as unknown as OutgoingRequest, origins) as typeof request),
  );
}

function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}
