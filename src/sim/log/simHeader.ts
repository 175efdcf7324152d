import { lengthMs } from '../../network/rateTrace.ts';
import { SCHEMA_ID, PITWALL_VERSION } from '../../telemetry/schema/versions.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import type { Scene } from '../model.ts';
import { hashOf } from './hashOf.ts';
import { reasonsFor } from './reasonsFor.ts';
import { manifestUrl } from './sceneNames.ts';

type Settings = NonNullable<SessionHeader['environment']['settings']>;
type Transport = SessionHeader['environment']['transport'];

/** Which model played, with which settings (null: it has none), as what kind of client (null: as none). */
export interface Played {
  readonly model: string;
  readonly settings: Settings | null;
  readonly transport: Transport;
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
    environment: { pitwallVersion: PITWALL_VERSION, ...known, missing },
    design: null,
  };
}

/** What makes this session differ from another of the same rule, without the tables themselves. */
function idOf({ trace, content, rule, seed }: Scene, { model, settings, transport }: Played): string {
  const { name, startMs, rateKbps } = trace;
  const what = JSON.stringify([
    [name, startMs, lengthMs(trace), rateKbps.length, rateKbps.reduce((sum, rate) => sum + rate, 0)],
    [content.name, content.video.segments, content.video.ladder, content.audio?.ladder],
    [rule.parameters, seed, settings, transport],
  ]);
  return `sim-${model}-${rule.id.slice(0, 40)}-${hashOf(what)}`;
}
