/** What a steering policy receives, from what the recording and the loader report. */
import type { MediaPlayerClass } from 'dashjs';
import { msFromSeconds } from '../../shared/units.ts';
import type { RequestEnded } from '../../steering/policy.ts';
import type { SteeringSample } from '../../steering/steeringSession.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { MediaLoad } from '../loader/mediaBody.ts';
import type { MediaRequest } from '../loader/progressEvents.ts';

/** A media request that runs. */
export interface Followed {
  readonly request: MediaRequest;
  readonly load: MediaLoad;
  /** `performance.now()`. */
  readonly startMs: number;
  /** Id in the log of the part that the policy knows of; null before it knows of any. */
  partId: string | null;
}

/** Bytes of the running part of a request; nothing while the policy does not know of it. */
export function progressOf({ load, request, partId }: Followed): SteeringSample['progress'] {
  const part = request.customData.recorded?.part();
  if (!part || part.id !== partId) return [];
  const { bytes, totalBytes } = load.progress();
  const left = totalBytes === null ? null : Math.max(0, totalBytes - part.bytesBefore);
  return [{ requestId: partId, bytes: Math.max(0, bytes - part.bytesBefore), totalBytes: left }];
}

/** Where in its file a request begins. */
export function firstByteOf({ headers }: Pick<MediaRequest, 'headers'>): number {
  const [, first] = /^bytes=(\d+)-/.exec(headers?.['Range'] ?? '') ?? [];
  return Number(first ?? 0);
}

/** A recorded request as an input; null for all that is not one that ended over a pathway. */
export function endedOf(event: SessionEvent): RequestEnded | null {
  if (event.kind !== 'request' || event.pathway === undefined) return null;
  if (event.outcome === 'in-flight' || (event.type !== 'media' && event.type !== 'probe')) return null;
  const { pathway, protocol, connectionReused } = event;
  return {
    kind: 'ended',
    requestId: event.id,
    pathway,
    purpose: event.type,
    outcome: outcomeOf(event),
    bytes: event.receivedBytes ?? 0,
    ...timesOf(event),
    protocol,
    connectionReused,
  };
}

function timesOf(event: RequestEvent): Pick<RequestEnded, 'atMs' | 'startMs' | 'firstByteMs' | 'lastByteMs'> {
  const { firstByteMs, endMs } = event;
  const lastByteMs = event.lastByteMs ?? endMs ?? event.atMs;
  return {
    atMs: Math.max(endMs ?? 0, lastByteMs),
    startMs: event.startMs ?? event.atMs,
    firstByteMs,
    lastByteMs,
  };
}

const outcomeOf = ({ outcome }: RequestEvent): RequestEnded['outcome'] =>
  outcome === 'ok' || outcome === 'aborted' ? outcome : 'failed';

/** The bitrates that the ladders of now offer, and the buffers of their media types. */
interface Offers {
  take(event: SessionEvent): void;
  seen(player: MediaPlayerClass): Pick<SteeringSample, 'bufferMs' | 'lowestKbps' | 'highestKbps'>;
}

export function createOffers(): Offers {
  const ladders = new Map<'video' | 'audio', { lowestKbps: number; highestKbps: number }>();
  const sum = (field: 'lowestKbps' | 'highestKbps'): number | null =>
    ladders.size === 0 ? null : [...ladders.values()].reduce((total, each) => total + each[field], 0);
  return {
    take(event) {
      if (event.kind !== 'ladder') return;
      const rates = event.rungs.map(({ bitrateKbps }) => bitrateKbps);
      ladders.set(event.mediaType, { lowestKbps: Math.min(...rates), highestKbps: Math.max(...rates) });
    },
    seen: (player) => ({
      bufferMs: bufferMsOf(player, [...ladders.keys()]),
      lowestKbps: sum('lowestKbps'),
      highestKbps: sum('highestKbps'),
    }),
  };
}

/** The shortest buffer: it is what playback stalls for. */
function bufferMsOf(player: MediaPlayerClass, mediaTypes: readonly ('video' | 'audio')[]): number {
  const levels = mediaTypes.map((type) => player.getDashMetrics().getCurrentBufferLevel(type));
  const known = levels.filter((seconds) => Number.isFinite(seconds) && seconds >= 0);
  return Math.round(msFromSeconds(known.length > 0 ? Math.min(...known) : 0));
}
