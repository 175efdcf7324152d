import {
  type CompareCell,
  type InstrumentedPlan,
  ORIGIN_HOST,
  type ComparePlan,
  type LiveCell,
  type SharedOrigin,
  browserProfileOf,
} from './plan.ts';
import type { Origin, OriginOptions } from '../../lab/caddy/origin.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import type { Controller } from '../../lab/link/linkEnd.ts';
import { QUIC_WORDS, TCP_WORDS, tcpSender } from '../../lab/link/fairness.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';
import { connectionOf } from '../factors/transfer.ts';
import { formatQuicController, sendersOf, USUAL_SENDERS, type Senders } from '../factors/sendersOf.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import path from 'node:path';
import { endingOptions } from './connectionEnds.ts';
import type { Place } from './place.ts';
import { during } from './sessionFailure.ts';
import { sessionFiles } from './sessionFiles.ts';
import { VISIT_MS } from '../design/campaignDuration.ts';
import { startLiveStream, type LiveStream, readEncodedSource } from '../../lab/content/liveStream.ts';
import { liveRecipe } from '../../lab/content/ladder.ts';
import { readPaddedSource } from '../../lab/content/padded/paddedStream.ts';

type Environment = SessionLog['environment'];
type OriginRun = NonNullable<Environment['origin']>;

/** The origin of a cell, and how it sends. */
export interface CellOrigin {
  /** For the routes at both ends of a link: TCP's first window is theirs. */
  readonly tcp: Controller;
  /** For the log, where TCP's first window has been set. */
  readonly facts: Pick<Environment, 'tcpController' | 'quicController'> & { readonly origin: OriginRun };
  /** `transportLogFile` is for the instrumented origin: Caddy writes none. null: nor does this one. */
  start(options: OriginOptions, transportLogFile: string | null): Promise<Origin>;
}

/** Caddy, or the instrumented origin with the cell's controllers. */
export function cellOrigin(
  instrumented: InstrumentedPlan | undefined,
  { controller, transfer, ends }: Pick<CompareCell, 'controller' | 'transfer' | 'ends'>,
): CellOrigin {
  if (!instrumented) return caddy;
  const senders = controller === undefined ? USUAL_SENDERS : knownSenders(controller);
  const zeroRtt = transfer === undefined ? instrumented.zeroRtt : connectionOf(transfer) === 'zero-rtt';
  const { initialWindowPackets, tcpPacing, tlsRecords } = instrumented;
  const origin = originRun({ ...instrumented, zeroRtt }, senders);
  return {
    tcp: { name: senders.tcp, initialWindowPackets },
    facts: { origin, tcpController: formatSender(origin.tcp), quicController: formatSender(origin.quic) },
    start: (options, transportLogFile) =>
      startInstrumentedOrigin({
        ...options,
        tcpController: senders.tcp,
        quicController: senders.quic,
        initialWindowPackets,
        tcpPacing,
        tlsRecords,
        zeroRtt,
        ...endingOptions(ends),
        ...(transportLogFile !== null && { transportLogFile }),
        ...(senders.emulatedConnections !== null && { emulatedConnections: senders.emulatedConnections }),
        ...(senders.maxWindowPackets !== null && { maxWindowPackets: senders.maxWindowPackets }),
      }),
  };
}

const caddy: CellOrigin = {
  tcp: tcpSender,
  facts: {
    tcpController: TCP_WORDS,
    quicController: QUIC_WORDS,
    origin: {
      program: 'caddy',
      tcp: { controller: 'reno', initialWindowPackets: tcpSender.initialWindowPackets, paced: false },
      quic: { controller: 'reno', initialWindowPackets: 32, paced: true },
      // Those of Go's crypto/tls.
      tlsRecords: 'dynamic',
      zeroRtt: null,
    },
  },
  start: (options) => startCaddy(options),
};

function originRun(
  { initialWindowPackets, tcpPacing, tlsRecords, zeroRtt }: InstrumentedPlan,
  senders: Senders,
): OriginRun {
  const { tcp } = senders;
  return {
    program: 'instrumented',
    // The kernel's BBR is always paced, and so is everything of quinn.
    tcp: { controller: tcp, initialWindowPackets, paced: tcpPacing || tcp === 'bbr' },
    quic: {
      controller: formatQuicController(senders),
      initialWindowPackets,
      paced: true,
    },
    tlsRecords,
    zeroRtt,
  };
}

const formatSender = ({ controller, initialWindowPackets, paced }: OriginRun['tcp']): string =>
  `${controller}, initial window ${initialWindowPackets} packets, ${paced ? 'paced' : 'not paced'}`;

function knownSenders(controller: string): Senders {
  const senders = sendersOf(controller);
  if (!senders.ok) throw new Error(senders.error);
  return senders.value;
}

/** An origin on loopback for one session and its live stream. */
interface LiveOrigin extends Pick<Place, 'ready' | 'leave'> {
  readonly address: Omit<SharedOrigin, 'appUrl'>;
}

/** Play is requested so long after the page is ready, and after its visit: at a moment that is known, as over a link. */
const AHEAD_MS = 1000;

/** @throws SessionFailure when the laboratory could not make it */
export async function liveOrigin(
  plan: Pick<ComparePlan, 'logDir' | 'instrumented' | 'browserProfile'>,
  cell: CompareCell,
  live: LiveCell,
): Promise<LiveOrigin> {
  const { logDir, instrumented } = plan;
  const stream = await during('origin-did-not-answer', cellLive(live));
  const { transportLog: transportLogFile } = sessionFiles(logDir, cell.id);
  const about = {
    host: `${cell.id}.${ORIGIN_HOST}`,
    mounts: stream.mounts,
    accessLogFile: path.join(logDir, `${cell.id}.access.jsonl`),
  };
  const starting = cellOrigin(instrumented, cell).start(about, transportLogFile);
  const origin = await during('origin-did-not-answer', starting).catch(async (error: unknown) => {
    await stream.stop();
    throw error;
  });
  return {
    address: {
      httpsPort: origin.httpsPort,
      spkiSha256Base64: origin.spki,
      accessLogFile: origin.accessLogFile,
      pidFile: origin.pidFile,
      ...(instrumented && { transportLogFile }),
    },
    ready() {
      const playDueAtUnixMs =
        Date.now() + AHEAD_MS + (browserProfileOf(plan, cell) === 'warm' ? VISIT_MS : 0);
      stream.restart(playDueAtUnixMs);
      return Promise.resolve(playDueAtUnixMs);
    },
    async leave() {
      await origin.stop();
      await stream.stop();
    },
  };
}

/** A player finds a full window behind it. */
const MIN_AGE_SECONDS = 60;

/** The live stream of one session, and where its origin mounts it. */
export interface CellLive extends Pick<LiveStream, 'restart' | 'stop'> {
  readonly mounts: Readonly<Record<string, { readonly proxyUrl: string }>>;
}

/**
 * Starts the live stream of a session. After `restart(playDueAtUnixMs)` a whole number of segments is there when play is
 * requested: every arm of a pair, and every session, meets the same stream at the same place.
 */
export async function cellLive(
  { prefix, folder, isPadded, isLowLatency, delaySeconds, windowSeconds }: LiveCell,
  namespace?: string,
): Promise<CellLive> {
  const source = await (isPadded ? readPaddedSource(folder) : readEncodedSource(liveRecipe, folder));
  const { segmentSeconds } = source.recipe;
  const ageSeconds =
    Math.ceil(Math.max(MIN_AGE_SECONDS, windowSeconds ?? 0) / segmentSeconds) * segmentSeconds;
  const stream = await startLiveStream({
    source,
    isLowLatency,
    ageSeconds,
    ...(delaySeconds !== undefined && { delaySeconds }),
    ...(windowSeconds !== undefined && { windowSeconds }),
    ...(namespace !== undefined && { namespace }),
  });
  return { ...stream, mounts: { [prefix]: { proxyUrl: stream.proxyUrl } } };
}
