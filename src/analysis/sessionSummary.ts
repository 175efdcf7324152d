import { carriedBytes } from '../telemetry/carriedBytes.ts';
import type { RequestEvent } from '../telemetry/event.ts';
import type { SessionEvent, SessionHeader, SessionLog } from '../telemetry/schema/sessionLog.ts';
import { meanBitrate } from './metrics/quality.ts';
import { joinTime } from './metrics/stalls.ts';
import { eventsOf } from './timeline/log.ts';
import { hasPlayed, playSpans, stallSpans, waitSpans } from './timeline/played.ts';
import { totalMs } from './timeline/spans.ts';
import { protocolOf } from './transport/protocol.ts';

/** What a trial needs to know of a session. Its metrics are those of the whole log. */
export interface SessionSummary {
  /** Unix time at which the session began, ms, by the viewer's clock. */
  readonly startedMs: number;
  /** Time from the first request to play to the first frame, ms; null where playback never started. */
  readonly joinMs: number | null;
  /** Time in which the picture moved, ms. */
  readonly playedMs: number;
  /** Time in which picture or sound stood for want of media, ms, however short each wait was. */
  readonly stalledMs: number;
  readonly stalls: number;
  /** Mean bitrate of the rendered video over played time, kbit/s; null where none was rendered or its level is not known. */
  readonly bitrateKbps: number | null;
  /** Errors that the player or the media element reported. */
  readonly errors: number;
  /** Bytes of media that the network carried over HTTP/3, and over HTTP/2 and HTTP/1.1. Those of unknown protocol are in neither. */
  readonly h3Bytes: number;
  readonly tcpBytes: number;
  /** Pathway with the largest part of the media bytes; null where none is known. */
  readonly pathway: string | null;
}

/** Folds the events of a session as they come. It keeps states, stalls and switches, and sums of the rest. */
interface SessionFold {
  add(event: SessionEvent): void;
  /**
   * Summarizes what was added. null for a session that is none for a trial: nobody asked to play, or it played before it was
   * recorded. `open`: what is unfinished now. `nowMs`: session time until which an open part was recorded; absent: its last event.
   */
  summarize(
    header: SessionHeader,
    now?: { readonly open?: readonly SessionEvent[]; readonly nowMs?: number },
  ): SessionSummary | null;
}

type PathwayOf = (request: RequestEvent) => string | null;

/** Makes a fold. `pathwayOf` names the pathway of a request where the log does not. */
export function createSessionFold(pathwayOf: PathwayOf = ({ pathway }) => pathway ?? null): SessionFold {
  const events: SessionEvent[] = [];
  const sums = newSums();
  return {
    add(event) {
      addToSums(sums, event, pathwayOf);
      if (isKept(event)) events.push(event);
    },
    summarize(header, { open = [], nowMs = 0 } = {}) {
      const whole = copySums(sums);
      for (const event of open) addToSums(whole, event, pathwayOf);
      const endMs = Math.max(nowMs, whole.lastMs);
      const parts = header.parts.map((part, index) =>
        index === header.parts.length - 1 && part.endMs === null ? { ...part, endMs } : part,
      );
      return summaryOf({ ...header, parts, events: [...events, ...open.filter(isKept)] }, whole);
    },
  };
}

/** Summarizes a whole log, as `createSessionFold` does. */
export function summarizeSession(log: SessionLog, pathwayOf?: PathwayOf): SessionSummary | null {
  const fold = createSessionFold(pathwayOf);
  for (const event of log.events) fold.add(event);
  return fold.summarize(log);
}

/** Samples and rates change nothing that is summarized. */
function isKept(event: SessionEvent): boolean {
  switch (event.kind) {
    case 'playback':
      return event.state !== 'sample' && event.state !== 'rate';
    case 'switch':
      return event.phase === 'rendered' && event.mediaType === 'video';
    default:
      return event.kind === 'stall';
  }
}

interface Sums {
  errors: number;
  h3Bytes: number;
  tcpBytes: number;
  readonly bytesByPathway: Map<string, number>;
  /** Session time of the last event, ms. */
  lastMs: number;
}

const newSums = (): Sums => ({ errors: 0, h3Bytes: 0, tcpBytes: 0, bytesByPathway: new Map(), lastMs: 0 });

const copySums = (sums: Sums): Sums => ({ ...sums, bytesByPathway: new Map(sums.bytesByPathway) });

function addToSums(sums: Sums, event: SessionEvent, pathwayOf: PathwayOf): void {
  sums.lastMs = Math.max(sums.lastMs, event.atMs);
  if (event.kind === 'error' && (event.source === 'player' || event.source === 'media')) sums.errors += 1;
  if (event.kind !== 'request' || event.type !== 'media') return;
  const sizeBytes = carriedBytes(event) ?? 0;
  const protocol = protocolOf(event.protocol);
  if (protocol === 'h3') sums.h3Bytes += sizeBytes;
  else if (protocol !== 'unknown') sums.tcpBytes += sizeBytes;
  const pathway = pathwayOf(event);
  if (pathway !== null && sizeBytes > 0)
    sums.bytesByPathway.set(pathway, (sums.bytesByPathway.get(pathway) ?? 0) + sizeBytes);
}

function summaryOf(
  log: SessionLog,
  { errors, h3Bytes, tcpBytes, bytesByPathway }: Sums,
): SessionSummary | null {
  const isWanted = eventsOf(log, 'playback').some(({ state }) => state === 'play-requested');
  const join = joinTime.of(log);
  // Without its start nobody knows how long it took.
  if (!isWanted || (join.value === null && hasPlayed(log))) return null;
  const [largest] = [...bytesByPathway].sort(([, one], [, other]) => other - one);
  return {
    startedMs: log.clock.startedAtUnixMs,
    joinMs: join.lowerBound ? null : join.value,
    playedMs: totalMs(playSpans(log)),
    stalledMs: totalMs(waitSpans(log)),
    stalls: stallSpans(log).length,
    bitrateKbps: meanBitrate.of(log).value,
    errors,
    h3Bytes,
    tcpBytes,
    pathway: largest?.[0] ?? null,
  };
}
