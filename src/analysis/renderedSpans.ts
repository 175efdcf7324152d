import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { eventsOf } from './eventsOf.ts';
import { oncePerLog } from './oncePerLog.ts';
import type { Span } from './playingSpans.ts';
import { playSpans } from './playSpans.ts';

/** A stretch of moving picture at one rung. */
export interface RenderedSpan extends Span {
  readonly rung: number;
  readonly bitrateKbps: number;
}

/**
 * What was rendered (picture or sound), in time order: the rendered rung while playback ran. The first rung begins with
 * the first frame, also where its event came a moment later.
 */
export const renderedSpans = (log: SessionLog, of: 'video' | 'audio' = 'video'): readonly RenderedSpan[] =>
  of === 'video' ? videoSpans(log) : spansOf(log, of);

const videoSpans = oncePerLog((log) => spansOf(log, 'video'));

function spansOf(log: SessionLog, of: 'video' | 'audio'): RenderedSpan[] {
  const switches = eventsOf(log, 'switch')
    .filter(({ mediaType, phase }) => mediaType === of && phase === 'rendered')
    .sort((one, other) => one.atMs - other.atMs);
  const plays = playSpans(log);
  const rendered: RenderedSpan[] = [];
  let play = 0;
  switches.forEach(({ atMs, toRung, bitrateKbps }, index) => {
    const fromMs = index === 0 ? 0 : atMs;
    const toMs = switches[index + 1]?.atMs ?? Infinity;
    while (play < plays.length && plays[play]!.toMs <= fromMs) play += 1;
    for (let each = play; each < plays.length && plays[each]!.fromMs < toMs; each += 1) {
      const span = {
        fromMs: Math.max(fromMs, plays[each]!.fromMs),
        toMs: Math.min(toMs, plays[each]!.toMs),
      };
      if (span.toMs > span.fromMs) rendered.push({ ...span, rung: toRung, bitrateKbps });
    }
  });
  return rendered;
}
