import type { NetLogConstants, NetLogEvent } from './netLogEvents.ts';
import type {
  BrokenPeriod,
  NetLogConnection,
  NetLogRace,
  NetLogRequest,
  RaceOutcome,
} from './netLogFacts.ts';

type Mutable<Facts> = { -readonly [Key in keyof Facts]: Facts[Key] };

/** What is known so far. The maps hold what is unfinished and shrink again; the lists hold what is found. */
export interface FoldState {
  /** Folds behind the reader's own. */
  readonly more: EventFolds;
  constants: NetLogConstants | null;
  firstUnixMs: number | null;
  lastUnixMs: number | null;
  readonly found: RequestDraft[];
  readonly requests: Map<number, RequestDraft>;
  readonly controllers: Map<number, RaceDraft>;
  readonly jobs: Map<number, Job>;
  readonly connections: Map<number, ConnectionDraft>;
  /** Socket below an HTTP/2 session. */
  readonly socketOfSession: Map<number, number>;
  /** host:port that a QUIC connection attempt is for. */
  readonly attempts: Map<number, string>;
  readonly altSvc: Map<string, AltSvcState>;
  readonly brokenPeriods: Mutable<BrokenPeriod>[];
  /** Attempt that began a QUIC session, by the id of the session. */
  readonly attemptOf: Map<number, number>;
  /** Attempts at QUIC that sent a handshake. */
  readonly begun: Set<number>;
  /** Attempts at QUIC that a request waited for: others are of preconnects. */
  readonly owned: Set<number>;
  /** HappyEyeballsV3: groups, managers and jobs that are alive. */
  readonly groups: Map<number, PoolGroup>;
  readonly managers: Map<number, PoolManager>;
  readonly poolJobs: Map<number, { readonly race: RaceDraft; manager: PoolManager | null }>;
  /** HappyEyeballsV3: races that TCP won, by the attempt at QUIC that goes on. */
  readonly orphans: Map<number, readonly RaceDraft[]>;
  /** HappyEyeballsV3: idle sockets that were handed out, in order, and when, until a request has each. */
  readonly idleUsed: Map<number, number>;
  /** HappyEyeballsV3: places (host:port) to which the browser was started to use QUIC at once. */
  readonly forcedPlaces: Set<string>;
}

export type ConnectionDraft = Mutable<NetLogConnection>;
export type RequestDraft = Mutable<Omit<NetLogRequest, 'races'>> & { readonly races: RaceDraft[] };

export interface RaceDraft extends Mutable<Omit<NetLogRace, 'outcome' | 'orphanRuns' | 'cause'>> {
  outcome: RaceOutcome | null;
  cause?: string;
  /** host:port that the request is for; empty where it is not https. */
  readonly place: string;
  altSvcFound: boolean;
  altSvcBroken: boolean;
  quicFailed: boolean;
  /** A job for QUIC began. */
  hasQuicJob: boolean;
  /** It is one of HappyEyeballsV3. */
  isPooled: boolean;
  /** The request went out on what the race had won. */
  sent: boolean;
  /** Jobs that run, by id. */
  readonly running: Map<number, Pick<Job, 'orphaned'>>;
}

export interface Job {
  readonly kind: 'main' | 'alternative' | 'dns-alpn';
  readonly race: RaceDraft;
  readonly overQuic: boolean;
  reused: boolean;
  orphaned: boolean;
  connectionId: number | null;
  /** Attempt at QUIC that it waits for. */
  attemptId: number | null;
  /** QUIC session that a preconnect opened and no request has used before. */
  charged: ConnectionDraft | null;
}

interface PoolGroup {
  readonly isForced: boolean;
  /** Socket that was handed out last. */
  socketId: number | null;
}

export interface PoolManager {
  readonly group: PoolGroup;
  /** Its attempt at QUIC that runs. */
  attemptId: number | null;
  isOwned: boolean;
  isReused: boolean;
  quicFailed: boolean;
  /** Race that TCP had won when the manager was asked for QUIC. */
  beside: RaceDraft | null;
}

export interface AltSvcState {
  /** When a request last found it usable; null while none did. */
  usableUnixMs: number | null;
  /** QUIC was tried because of DNS. */
  isTaughtByDns: boolean;
  broken: Mutable<BrokenPeriod> | null;
  /** QUIC's last failure to this place. Retried: a request that died with it was asked for again, over TCP alone. */
  failure: { readonly unixMs: number; readonly cause: string; isRetried: boolean } | null;
}

/** What each kind of event changes, by Chromium's name with the phase behind. */
export type EventFolds = Readonly<Record<string, (state: FoldState, event: NetLogEvent) => void>>;

export function emptyState(more: EventFolds): FoldState {
  return {
    more,
    constants: null,
    firstUnixMs: null,
    lastUnixMs: null,
    found: [],
    requests: new Map(),
    controllers: new Map(),
    jobs: new Map(),
    connections: new Map(),
    socketOfSession: new Map(),
    attempts: new Map(),
    altSvc: new Map(),
    brokenPeriods: [],
    attemptOf: new Map(),
    begun: new Set(),
    owned: new Set(),
    groups: new Map(),
    managers: new Map(),
    poolJobs: new Map(),
    orphans: new Map(),
    idleUsed: new Map(),
    forcedPlaces: new Set(),
  };
}
