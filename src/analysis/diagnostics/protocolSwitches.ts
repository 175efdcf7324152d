import { formatCount } from '../../shared/format.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { PROTOCOL_NAMES, protocolOf, type Protocol } from '../transport/protocol.ts';
import { hasFailed } from './failedRequests.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { kept, type Kept } from './kept.ts';
import { originOf, formatFailure, lasting } from './format.ts';

const ID = 'protocol-switch';
const MAX = 5;
const MAX_PATHS = 40;

/** A time on TCP after h3. */
interface Fall {
  readonly id: string;
  readonly atMs: number;
  readonly to: Protocol;
  readonly firstTookMs: number;
  /** How the request before it failed; null when none did. */
  readonly failure: string | null;
  requests: number;
  untilMs: number;
  back: boolean;
}

/** Media of one type from one origin: another origin's protocol is no switch. */
interface Path {
  last: Protocol;
  failure: string | null;
  fall: Fall | null;
}

/**
 * Media that rode on h3 and then on TCP, as `nextHopProtocol` of successive requests shows it. The page does not see
 * what the browser tried in between: this is protocol switching, not racing.
 */
export const protocolSwitches: Diagnostic = {
  id: ID,
  label: 'protocol switches',
  watch() {
    const paths = new Map<string, Path>();
    const falls = { video: kept<Fall>(MAX), audio: kept<Fall>(MAX) };
    let hasVideo = false;
    return {
      see(event) {
        if (event.kind !== 'request' || event.type !== 'media') return;
        const { mediaType } = event;
        if (mediaType !== 'video' && mediaType !== 'audio') return;
        hasVideo ||= mediaType === 'video';
        const path = pathOf(paths, event);
        if (path) follow(path, event, falls[mediaType]);
      },
      // Audio follows video on the same connection: reporting one of them is enough.
      findings: () => reported(hasVideo ? falls.video : falls.audio),
    };
  },
};

function pathOf(paths: Map<string, Path>, { mediaType, url, finalUrl }: RequestEvent): Path | null {
  const key = `${mediaType} ${originOf(finalUrl ?? url)}`;
  const path = paths.get(key) ?? { last: 'unknown' as const, failure: null, fall: null };
  if (!paths.has(key) && paths.size >= MAX_PATHS) return null;
  paths.set(key, path);
  return path;
}

function follow(path: Path, event: RequestEvent, falls: Kept<Fall>): void {
  if (hasFailed(event)) path.failure = formatFailure(event);
  const now = protocolOf(event.protocol);
  if (event.outcome !== 'ok' || now === 'unknown') return;
  const endMs = event.endMs ?? event.atMs;
  if (now === 'h3') {
    if (path.fall) path.fall.back = true;
    path.fall = null;
  } else if (path.fall) {
    path.fall.requests += 1;
    path.fall.untilMs = endMs;
  } else if (path.last === 'h3') {
    path.fall = fallOf(event, { to: now, failure: path.failure, endMs });
    falls.add(path.fall);
  }
  path.last = now;
  path.failure = null;
}

const fallOf = (
  { id, atMs }: RequestEvent,
  { to, failure, endMs }: { to: Protocol; failure: string | null; endMs: number },
): Fall => ({
  id,
  atMs,
  to,
  firstTookMs: endMs - atMs,
  failure,
  requests: 1,
  untilMs: endMs,
  back: false,
});

function reported({ items, leftOut }: Kept<Fall>): Finding[] {
  const more: Finding = {
    id: `${ID}:more`,
    severity: 'warning',
    sentence: `Media left h3 ${formatCount(leftOut, 'more time')}: see the marks in the lane “Racing”`,
    fix: null,
    atMs: null,
  };
  return [...items.map(finding), ...(leftOut > 0 ? [more] : [])];
}

function finding({ id, atMs, to, firstTookMs, failure, requests, untilMs, back }: Fall): Finding {
  const name = PROTOCOL_NAMES[to];
  const why =
    failure === null
      ? `without a failed request, the first answer over ${name} took ${lasting(firstTookMs)}`
      : `after a request got ${failure}`;
  const stay = `${formatCount(requests, 'request')} in ${lasting(untilMs - atMs)} used ${name}`;
  return {
    id: `${ID}:${id}`,
    severity: 'warning',
    sentence: `Protocol switch from h3 to ${name} ${why}; ${stay}, ${back ? 'then h3 came back' : 'h3 has not come back since'}`,
    fix: null,
    atMs,
  };
}
