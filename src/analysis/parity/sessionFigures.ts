import { eventsOf } from '../eventsOf.ts';
import { joinTime, rebufferRate } from '../metrics/stalls.ts';
import { meanBitrate } from '../metrics/quality.ts';
import { switchCount } from '../metrics/switches.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** What lab and simulator are compared by. A value is null where its session does not contain it. */
export const parityFigures = ['bitrateKbps', 'rebufferPerMinuteS', 'joinMs', 'switches', 'requests'] as const;

export type ParityFigure = (typeof parityFigures)[number];
export type SessionFigures = Readonly<Record<ParityFigure, number | null>>;

/** s of a minute in which the picture moved or stood still for want of content, per % of it. */
const SECONDS_PER_PERCENT = 60 / 100;

/** The figures of one session. */
export function sessionFigures(log: SessionLog): SessionFigures {
  const rate = rebufferRate.of(log).value;
  return {
    bitrateKbps: meanBitrate.of(log).value,
    rebufferPerMinuteS: rate === null ? null : rate * SECONDS_PER_PERCENT,
    joinMs: joinTime.of(log).value,
    switches: switchCount.of(log).value,
    requests: eventsOf(log, 'request').filter(({ type, outcome }) => type === 'media' && outcome === 'ok')
      .length,
  };
}
