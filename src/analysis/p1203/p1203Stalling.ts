import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { joinTime } from '../metrics/stalls.ts';
import { playSpans } from '../playSpans.ts';
import { stallSpans } from '../stallSpans.ts';

/**
 * I.23: place in watched media and duration of each wait, s. The first stands at 0 for the first frame, also where its
 * length is not known: the public implementation would shift all others else. Waits after seeks are none.
 */
export function p1203Stalling(log: SessionLog): [number, number][] {
  const plays = playSpans(log);
  const watchedS = (untilMs: number): number =>
    plays.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, untilMs) - fromMs), 0) / 1000;
  return [
    [0, (joinTime.of(log).value ?? 0) / 1000],
    ...stallSpans(log).map(({ fromMs, toMs }): [number, number] => [
      watchedS(fromMs),
      (toMs - fromMs) / 1000,
    ]),
  ];
}
