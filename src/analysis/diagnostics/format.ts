import type { RequestEvent } from '../../telemetry/event.ts';
import { PROTOCOL_NAMES, protocolOf } from '../transport/protocol.ts';

const LONGEST_WORDS = 300;

/** "3.9 s"; from ten minutes on "12 min". */
export function lasting(ms: number): string {
  return ms < 600_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** A string from outside, short enough for a sentence and without its own full stop. */
export function cut(text: string): string {
  const trimmed = text.trim().replace(/\.$/, '');
  return trimmed.length > LONGEST_WORDS ? `${trimmed.slice(0, LONGEST_WORDS)}…` : trimmed;
}

/** "a video request of level 3" (people count from 1). */
export function formatRequest({ type, mediaType, rung }: RequestEvent): string {
  const article = /^[aeiou]/.test(mediaType ?? type) && type !== 'xlink' ? 'an' : 'a';
  const of = mediaType === null ? type : type === 'media' ? mediaType : `${mediaType} ${type}`;
  const ofRung = rung === null || type !== 'media' ? '' : ` of level ${rung + 1}`;
  return `${article} ${of} request${ofRung}`;
}

/** How a request failed: "HTTP 503", "no complete response". */
export function formatFailure({ outcome, status }: Pick<RequestEvent, 'outcome' | 'status'>): string {
  if (outcome === 'http-error') return status === null ? 'an HTTP error' : `HTTP ${status}`;
  return outcome === 'timeout' ? 'no complete response before the player’s time-out' : 'no complete response';
}

/** " over h2"; "" where the protocol is unknown. */
export function overProtocol(alpn: string | null): string {
  const protocol = protocolOf(alpn);
  return protocol === 'unknown' ? '' : ` over ${PROTOCOL_NAMES[protocol]}`;
}

/** "https://host:port" of an absolute URL; what has no origin is named as it is. The core has no `URL`. */
export function originOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]+/i.exec(url)?.[0].toLowerCase() ?? url.slice(0, 100);
}
