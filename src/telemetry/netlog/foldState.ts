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
}

export type ConnectionDraft = Mutable<NetLogConnection>;
export type RequestDraft = Mutable<Omit<NetLogRequest, 'races'>> & { readonly races: RaceDraft[] };

export interface RaceDraft extends Mutable<Omit<NetLogRace, 'outcome' | 'orphanRuns' | 'cause'>> {
  outcome: RaceOutcome | null;
  cause?: string;
  altSvcBroken: boolean;
  quicFailed: boolean;
  /** The request went out on what the race had won. */
  sent: boolean;
  /** Jobs that run, by id. */
  readonly running: Map<number, Job>;
}

export interface Job {
  readonly kind: 'main' | 'alternative' | 'dns-alpn';
  readonly race: RaceDraft;
  readonly overQuic: boolean;
  reused: boolean;
  orphaned: boolean;
  connectionId: number | null;
}

export interface AltSvcState {
  /** When a request last found it usable; null while none did. */
  usableUnixMs: number | null;
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
  };
}
