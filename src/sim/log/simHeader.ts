import { lengthMs } from '../../network/rateTrace.ts';
import { SCHEMA_ID, PITWALL_VERSION } from '../../telemetry/schema/versions.ts';
import type { SessionHeader, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { Scene } from '../model.ts';
import { reasonsFor, manifestUrl } from './simEvents.ts';

type Settings = NonNullable<SessionHeader['environment']['settings']>;
type Transport = SessionHeader['environment']['transport'];
type Steering = NonNullable<SessionHeader['environment']['steering']>;

/** Which model played, with which settings (null: it has none), as what kind of client (null: as none). */
export interface Played {
  readonly model: string;
  readonly settings: Settings | null;
  readonly transport: Transport;
  /** null: nothing chose between pathways. */
  readonly steering: Steering | null;
}

/** The header of a simulated session. The same scene has the same header: no clock, no random draws. */
export function simHeader(scene: Scene, played: Played, endMs: number): SessionHeader {
  const { rule, content, trace } = scene;
  const known = {
    dashjsVersion: null,
    browser: null,
    userAgent: null,
    transport: played.transport,
    mpdUrl: manifestUrl(content),
    rule: rule.id,
    ruleParameters: { ...rule.parameters },
    preset: null,
    settings: played.settings,
    tcpController: null,
    quicController: null,
    link: trace.name,
    simulator: played.model,
    traceOptimum: null,
  };
  // The optimum is that of the chunk model: another one plays by other rules.
  const unreported = played.model === 'chunk' ? 'not-reported' : 'not-applicable';
  const missing = reasonsFor(known, { traceOptimum: unreported });
  return {
    schema: SCHEMA_ID,
    id: idOf(scene, played),
    clock: { startedAtUnixMs: 0, timeOriginUnixMs: 0 },
    parts: [{ startMs: 0, endMs, gapMs: 0, timeOriginUnixMs: 0 }],
    environment: {
      pitwallVersion: PITWALL_VERSION,
      ...known,
      ...(played.steering && { steering: played.steering }),
      missing,
    },
    design: null,
  };
}

/** What makes this session differ from another of the same rule, without the tables themselves. */
function idOf({ trace, content, rule, seed }: Scene, played: Played): string {
  const { model, settings, transport, steering } = played;
  const { name, startMs, rateKbps } = trace;
  const what = JSON.stringify([
    [name, startMs, lengthMs(trace), rateKbps.length, rateKbps.reduce((sum, rate) => sum + rate, 0)],
    [content.name, content.video.segments, content.video.ladder, content.audio?.ladder],
    [rule.parameters, seed, settings, transport, ...(steering ? [steering] : [])],
  ]);
  return `sim-${model}-${rule.id.slice(0, 40)}-${hashOf(what)}`;
}

/** Adds the offline optimum of the linear QoE to a log of the chunk model: the sum without the first segment. */
export function withTraceOptimum(log: SessionLog, traceOptimum: number): SessionLog {
  const known = Object.entries(log.environment.missing).filter(([field]) => field !== 'traceOptimum');
  const missing = Object.fromEntries(known);
  return { ...log, environment: { ...log.environment, traceOptimum, missing } };
}

/** A short name for a text: 64 bits of FNV-1a from two bases, as 16 hexadecimal digits. Nothing secret rests on it. */
function hashOf(text: string): string {
  return fnv1a(text, 0x811c9dc5) + fnv1a(text, 0x01000193);
}

function fnv1a(text: string, basis: number): string {
  let hash = basis;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
