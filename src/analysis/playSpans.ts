import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { eventsOf } from './eventsOf.ts';
import { logEndMs } from './logEndMs.ts';
import { oncePerLog } from './oncePerLog.ts';
import type { Span } from './playingSpans.ts';

/**
 * When the picture moved: from each `playing` to the next state that is not playing, or to the end of the log.
 * A part ends what played in it: nobody knows what the viewer saw in the gap before a resumed part.
 */
export const playSpans = oncePerLog((log): readonly Span[] => {
  const spans: Span[] = [];
  let fromMs: number | null = null;
  for (const { atMs, plays } of turns(log)) {
    if (plays) fromMs ??= atMs;
    else if (fromMs !== null) {
      spans.push({ fromMs, toMs: atMs });
      fromMs = null;
    }
  }
  return fromMs === null ? spans : [...spans, { fromMs, toMs: Math.max(fromMs, logEndMs(log)) }];
});

export const playedMs = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0);

const SAYS_NOTHING = new Set(['sample', 'rate', 'play-requested']);

function turns(log: SessionLog): { atMs: number; plays: boolean }[] {
  const states = eventsOf(log, 'playback')
    .filter(({ state }) => !SAYS_NOTHING.has(state))
    .map(({ atMs, state }) => ({ atMs, plays: state === 'playing' }));
  const partEnds = log.parts.flatMap(({ endMs }) => (endMs === null ? [] : [{ atMs: endMs, plays: false }]));
  return [...states, ...partEnds].sort((a, b) => a.atMs - b.atMs);
}
