import { sessionWindows, type SessionWindow } from '../../src/analysis/windows/sessionWindows.ts';
import { windowBytes } from '../../src/analysis/windows/windowBytes.ts';
import { gaveUp, whyNotPlayed } from '../../src/analysis/timeline/played.ts';
import { eventsOf, logEndMs } from '../../src/analysis/timeline/log.ts';
import { mediaTimings } from '../../src/analysis/transport/mediaTimings.ts';
import { mainPathway, udpLimits, type UdpLimit } from '../../src/analysis/transport/pathways.ts';
import type { Protocol } from '../../src/analysis/transport/protocol.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import type { PlannedSession } from '../design/plan.ts';
import { invalidatingFlags } from '../verdict/flagged.ts';
import { pickFields } from '../../src/shared/jsonObject.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** All that a report keeps of a session: some kB, however long its log is. Plain data, so that threads can pass it on. */
export interface SessionSummary {
  readonly id: string;
  readonly rule: string;
  readonly transport: PlannedSession['transport'];
  readonly content: string;
  /** null without an emulated link. */
  readonly network: string | null;
  /** With campaign, cell, pair, arm, repeat and seed. */
  readonly design: PlannedSession['design'];
  /** By metric id: null where the log lacks it. */
  readonly values: Readonly<Record<string, number | null>>;
  /** By metric id, where an error of the value is known, in its unit: how far it may be off; null: nobody knows. */
  readonly errors: Readonly<Record<string, number | null>>;
  /** Ids of metrics whose value is censored: the true one is at least so large. Absent: none. */
  readonly lowerBound?: readonly string[];
  /** By metric id, where a value has parts: a protocol's, a count by kind, a lag. */
  readonly parts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The whole windows of 30 s, from play on. */
  readonly windows: readonly SummaryWindow[];
  /** Response latencies of media requests, ascending: all of them, or 99 at equal steps. */
  readonly latencyMs: { readonly video: readonly number[]; readonly audio: readonly number[] };
  /** How many requests these stand for. */
  readonly requests: { readonly video: number; readonly audio: number };
  /** From the beginning of the log to its end. */
  readonly lengthMs: number;
  /** Whether a frame was ever shown, or of a session without media, an object arrived. */
  readonly hasPlayed: boolean;
  /** Whether an error ended playback. */
  readonly gaveUp: boolean;
  /** In which ways the machine was the bottleneck. */
  readonly flags: readonly string[];
  readonly startedAtUnixMs: number;
  /** What a simulator played, as a hash: two with the same are one observation. null for a real player. */
  readonly playbackHash: string | null;
  readonly environment: Readonly<Pick<SessionLog['environment'], (typeof REPORTED)[number]>>;
  /** Absent where nothing chose between pathways. */
  readonly steering?: SessionSteering;
}

/** What a steering policy chose. */
export interface SessionSteering {
  /** Id of the MPD's own pathway. */
  readonly main: string;
  /** The first choices that changed something, in order. */
  readonly steps: readonly {
    readonly atMs: number;
    readonly pathway: string;
    /** The pathway of a probe that began; null without one. */
    readonly probe: string | null;
    /** Whether a running request was continued over the pathway. */
    readonly isRescue: boolean;
    readonly because: string;
  }[];
  /** When the link of the lab limited UDP; empty also where nobody knows. */
  readonly limits: readonly UdpLimit[];
}

export interface SummaryWindow extends SessionWindow {
  /** Media bytes per protocol. */
  readonly bytes: Readonly<Record<Protocol, number>>;
}

/** What a report reads of an environment. The rest may be megabytes: every change of the link, every second of a flow beside it. */
const REPORTED = [
  'browser',
  'userAgent',
  'dashjsVersion',
  'player',
  'pitwallVersion',
  'simulator',
  'machine',
  'origin',
  'preset',
  'tcpController',
  'quicController',
] as const;

const LATENCIES = 99;
const MAX_STEPS = 100;
const MAX_LIMITS = 100;
const MAX_REASON_CHARS = 200;

/** What a report keeps of a planned session, from its log. */
export function sessionSummary(
  { id, rule, transport, content, link, design }: PlannedSession,
  log: SessionLog,
  playbackHash: string | null,
): SessionSummary {
  const measured = metrics.map((metric) => [metric.id, metric.of(log)] as const);
  const lowerBound = measured
    .filter(([, { lowerBound: isCensored }]) => isCensored === true)
    .map(([name]) => name);
  const windows = sessionWindows(log);
  const bytes = windowBytes(log, windows);
  const timings = mediaTimings(log);
  const latencies = (type: 'video' | 'audio'): number[] =>
    timings
      .filter(({ mediaType }) => mediaType === type)
      .map(({ startMs, firstByteMs }) => firstByteMs - startMs);
  const [video, audio] = [latencies('video'), latencies('audio')];
  const steering = steeringOf(log);
  return {
    id,
    rule,
    transport,
    content,
    network: link?.network ?? null,
    design,
    values: Object.fromEntries(measured.map(([name, { value }]) => [name, knownOf(value)])),
    errors: Object.fromEntries(
      measured.flatMap(([name, { error }]) => (error === undefined ? [] : [[name, error]])),
    ),
    ...(lowerBound.length > 0 && { lowerBound }),
    parts: Object.fromEntries(measured.flatMap(([name, { by }]) => (by ? [[name, by]] : []))),
    windows: windows.map((window, index) => ({ ...window, bytes: bytes[index]! })),
    latencyMs: { video: standIns(video, LATENCIES), audio: standIns(audio, LATENCIES) },
    requests: { video: video.length, audio: audio.length },
    lengthMs: logEndMs(log),
    hasPlayed: whyNotPlayed(log) === null,
    gaveUp: gaveUp(log),
    flags: invalidatingFlags({ link }, log.environment),
    startedAtUnixMs: log.clock.startedAtUnixMs,
    playbackHash,
    environment: pickFields(log.environment, REPORTED),
    ...(steering && { steering }),
  };
}

function steeringOf(log: SessionLog): SessionSteering | null {
  const main = mainPathway(log);
  if (main === null) return null;
  const steps = eventsOf(log, 'steering')
    .slice(0, MAX_STEPS)
    .map(({ atMs, pathway, probe, rescue, because }) => ({
      atMs,
      pathway,
      probe: probe?.pathway ?? null,
      isRescue: rescue !== undefined,
      because: because.slice(0, MAX_REASON_CHARS),
    }));
  return { main, steps, limits: (udpLimits(log) ?? []).slice(0, MAX_LIMITS) };
}

/** A metric answers finite numbers or null; what is neither is not known either. */
const knownOf = (value: number | null): number | null => (Number.isFinite(value) ? value : null);

/** By session id: hashes of what a simulator played. */
export const playbackHashesOf = (
  sessions: readonly Pick<SessionSummary, 'id' | 'playbackHash'>[],
): ReadonlyMap<string, string> =>
  new Map(
    sessions.flatMap(({ id, playbackHash }) => (playbackHash === null ? [] : [[id, playbackHash] as const])),
  );

/** The name of an arm without its rule: the values of its other factors. */
export const armSuffixOf = ({ rule, design }: SessionSummary): string => design.arm.slice(rule.length + 1);

/**
 * All of these numbers in ascending order, or at most so many that stand for them: order statistics at equal steps, from
 * the middle of the first step to the middle of the last, so that each stands for as many.
 */
export function standIns(values: readonly number[], max: number): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length <= max) return sorted;
  return Array.from(
    { length: max },
    (_, place) => sorted[Math.floor(((place + 0.5) * sorted.length) / max)]!,
  );
}
