import type { MediaType } from '../../abr/rule.ts';
import type { RateTrace } from '../../network/rateTrace.ts';
import { seededRandom } from '../../shared/random.ts';
import {
  createConnections,
  RECORD_BYTES,
  transportOf,
  type Connection,
  type Connections,
  type Losses,
} from './connections.ts';
import type { TransportKind } from './congestionWindow.ts';
import { requestDelayMs } from './exchanges.ts';
import type { Transfer } from './lane.ts';
import { PATHWAYS, settingsOver, type PathwayId } from './pathways.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';
import { createSharedLink, type SharedLink } from './sharedLink.ts';

/** A segment of a track, a file about all of them, or a measurement. */
type FetchJob = TrackJob | FileJob | ProbeJob;

export interface TrackJob {
  readonly type: 'media' | 'init';
  readonly mediaType: MediaType;
  readonly segment: number | null;
  readonly rung: number;
  readonly sizeBytes: number;
}

interface FileJob {
  readonly type: 'manifest' | 'index';
  readonly mediaType: null;
  readonly segment: null;
  readonly rung: null;
  readonly sizeBytes: number;
}

/** The first bytes of a file, for measurement alone: nobody keeps them. */
export interface ProbeJob {
  readonly type: 'probe';
  readonly mediaType: null;
  readonly segment: null;
  readonly rung: null;
  /** What the file has of the range that is requested. */
  readonly sizeBytes: number;
  readonly rangeBytes: number;
  readonly file: Pick<TrackJob, 'mediaType' | 'rung' | 'segment'>;
}

/** A request and how far it has come; a time that is not reached yet is null. */
export interface Fetch {
  readonly job: FetchJob;
  readonly startMs: number;
  readonly connection: Connection | null;
  readonly opened: boolean;
  readonly requestStartMs: number | null;
  readonly firstByteMs: number | null;
  readonly receivedBytes: number;
  readonly pathway: PathwayId;
  /** The aborted request whose body this one continues. */
  readonly continues: Fetch | null;
  /** How often the same has been requested before, and given up. */
  readonly attempt: number;
}

/** All requests of a session over one path. */
export interface Fetches {
  start(job: FetchJob, over?: Partial<Pick<Fetch, 'pathway' | 'continues' | 'attempt'>>): Fetch;
  /** Gives a request up. */
  abort(fetch: Fetch): void;
  /** Whether it has neither arrived nor been given up. */
  isRunning(fetch: Fetch): boolean;
  /** Bytes of the body that have come so far. */
  bytesOf(fetch: Fetch): number;
  nextMs(): number;
  advanceTo(atMs: number): void;
  /** Moves what is due one phase on; returns what has arrived. */
  arrived(): Fetch[];
}

/** Where the chunk model and this one agree when a trace has no round-trip time (Pensieve, LINK_RTT). */
const DEFAULT_RTT_MS = 80;

interface Running extends Fetch {
  connection: Connection | null;
  opened: boolean;
  requestStartMs: number | null;
  /** When the first byte comes, known once the request is out. */
  answerMs: number | null;
  firstByteMs: number | null;
  receivedBytes: number;
  transfer: Transfer | null;
}

/**
 *     start ─ (a free connection) ─ (handshake) ─ request out ── 1 RTT ── first byte ══ the link's rate ══ last byte
 */
export function createFetches(trace: RateTrace, settings: PlayerModelSettings): Fetches {
  const { link, losses, routes } = openPath(trace, settings);
  const running = new Set<Running>();
  let nowMs = 0;
  const stepOn = (fetch: Running): void => {
    const rttMs = settings.rttMs ?? link.rttMs() ?? DEFAULT_RTT_MS;
    const { connections, kind } = routes[fetch.pathway];
    if (!fetch.connection) connect(fetch, connections.take(nowMs, rttMs), nowMs);
    if (fetch.requestStartMs === null || fetch.requestStartMs > nowMs) return;
    fetch.answerMs ??= nowMs + rttMs + requestDelayMs(losses, kind, rttMs);
    if (fetch.answerMs <= nowMs) deliver(fetch);
  };
  const deliver = (fetch: Running): void => {
    fetch.transfer ??= link.start(wholeBits(fetch, routes), fetch.connection!.lane);
    if (link.isServed(fetch.transfer)) fetch.firstByteMs ??= nowMs;
  };
  const end = (fetch: Running, aborted: boolean): void => {
    if (!aborted) fetch.firstByteMs ??= nowMs;
    const missing = aborted ? missingBytes(fetch, routes) : 0;
    fetch.receivedBytes = fetch.job.sizeBytes - missing;
    running.delete(fetch);
    if (fetch.transfer) link.stop(fetch.transfer);
    if (fetch.connection) routes[fetch.pathway].connections.leave(fetch.connection, aborted);
  };
  return {
    start(job, { pathway = 'main', continues = null, attempt = 0 } = {}) {
      const fetch: Running = { ...NOT_STARTED, job, startMs: nowMs, pathway, continues, attempt };
      running.add(fetch);
      stepOn(fetch);
      return fetch;
    },
    abort(fetch) {
      end(fetch as Running, true);
      for (const waiting of running) stepOn(waiting);
    },
    isRunning: (fetch) => running.has(fetch as Running),
    bytesOf: (fetch) => fetch.job.sizeBytes - missingBytes(fetch as Running, routes),
    nextMs: () => nextTimerMs(link.nextMs(), running),
    advanceTo(atMs) {
      link.advanceTo(atMs);
      nowMs = atMs;
    },
    arrived() {
      const complete = [...running].filter(({ transfer }) => transfer !== null && link.isDone(transfer));
      for (const fetch of complete) end(fetch, false);
      for (const fetch of running) stepOn(fetch);
      return complete;
    },
  };
}

/** How one pathway is travelled. */
interface Route {
  readonly connections: Connections;
  readonly kind: TransportKind;
  /** Share of its bits that are bodies. */
  readonly payload: number;
}

type Routes = Readonly<Record<PathwayId, Route>>;

function openPath(trace: RateTrace, settings: PlayerModelSettings) {
  const link = createSharedLink(trace, settings.rttMs ?? DEFAULT_RTT_MS, settings.steering?.udp);
  const losses = lossesOf(settings, link);
  const routes = PATHWAYS.map(({ id }) => [id, routeOf(settingsOver(settings, id), losses)] as const);
  return { link, losses, routes: Object.fromEntries(routes) as Routes };
}

const routeOf = (settings: PlayerModelSettings, losses: Losses | null): Route => ({
  connections: createConnections(settings, losses),
  kind: transportOf(settings.protocol),
  payload: payloadOf(settings),
});

/** null where no packet can be lost at random. Every arm of a pair has its seed: the same law, not the same packets. */
function lossesOf({ sender }: PlayerModelSettings, link: SharedLink): Losses | null {
  if (sender?.lossSeed === undefined) return null;
  const random = seededRandom(sender.lossSeed);
  return {
    random,
    isLost(direction) {
      const share = link.lossShare(direction);
      return share > 0 && random() < share;
    },
  };
}

function connect(fetch: Running, taken: ReturnType<Connections['take']>, nowMs: number): void {
  if (!taken) return;
  fetch.connection = taken.connection;
  fetch.opened = taken.isNew;
  fetch.requestStartMs = Math.max(nowMs, taken.connection.readyMs);
}

const wholeBits = ({ job, pathway }: Running, routes: Routes): number =>
  (job.sizeBytes * 8) / routes[pathway].payload;

/** A byte that lacks a millionth of itself lacks a rounding. */
function missingBytes(fetch: Running, routes: Routes): number {
  const { transfer, pathway } = fetch;
  const bits = transfer ? transfer.leftBits + transfer.lostBits : wholeBits(fetch, routes);
  return Math.ceil((bits * routes[pathway].payload) / 8 - 1e-6);
}

const NOT_STARTED = {
  connection: null,
  opened: false,
  requestStartMs: null,
  answerMs: null,
  firstByteMs: null,
  receivedBytes: 0,
  transfer: null,
};

/** What it waits for by the clock; Infinity while it waits for a connection or for its body. */
function nextTimerMs(linkMs: number, running: Iterable<Running>): number {
  let nextMs = linkMs;
  for (const fetch of running) nextMs = Math.min(nextMs, timerOf(fetch));
  return nextMs;
}

function timerOf({ requestStartMs, answerMs, transfer }: Running): number {
  if (transfer || requestStartMs === null) return Infinity;
  return answerMs ?? requestStartMs;
}

/** Bytes of IP packets of 1500 that are not TCP payload: IPv4 20 (RFC 791), TCP 20 and its time stamps 12 (RFC 7323 §3). */
const TCP_IP_BYTES = 52;
const TCP_PAYLOAD_BYTES = 1500 - TCP_IP_BYTES;
/** Header 5, content type 1, tag 16 (RFC 8446 §5.2). */
const TLS_BYTES = 22;
/** RFC 9113 §4.1. */
const FRAME_BYTES = 9;
/**
 * A QUIC packet of the lab's origin: 1452 bytes of UDP after path MTU discovery (quic-go, protocol/params.go), IPv4 and UDP 28,
 * short header 3, tag 16 (RFC 9001 §5.3), stream frame 8 (RFC 9000 §19.8).
 */
const QUIC = { ipBytes: 1452 + 28, payloadBytes: 1452 - 3 - 16 - 8 };

/**
 * Share of IP bytes that are bodies. Go's servers hand each TLS record to the kernel by itself and without Nagle's algorithm
 * (net, TCPConn.SetNoDelay), so that it ends in a packet that is not full. An h2 frame of 16 KiB does not fit into one record.
 * Counted on the client's interface: 0.960 over h2 and h3.
 */
function payloadOf({ payload, protocol }: Pick<PlayerModelSettings, 'payload' | 'protocol'>): number {
  if (payload !== null) return payload;
  if (protocol === 'h3') return QUIC.payloadBytes / QUIC.ipBytes;
  const aroundBytes = protocol === 'h2' ? FRAME_BYTES + 2 * TLS_BYTES : TLS_BYTES;
  const tcpBytes = RECORD_BYTES + aroundBytes;
  return RECORD_BYTES / (tcpBytes + TCP_IP_BYTES * Math.ceil(tcpBytes / TCP_PAYLOAD_BYTES));
}
