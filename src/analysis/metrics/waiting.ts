import { MIN_STALL_MS } from '../../shared/stalls.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf, logEndMs, oncePerLog } from '../timeline/log.ts';
import { hasPlayed } from '../timeline/played.ts';
import { stallsAmong, totalMs, type Span } from '../timeline/spans.ts';
import { type Metric, unmeasured } from './metric.ts';

const OF_ELEMENT =
  'from `waiting` to `playing` of the media element after the first `playing`, without waits after seeks; the element may say `waiting` seconds after the picture stood: what the viewer sees is in ';

const HTML = 'HTML Standard, media elements, events waiting and playing';

/** What players and RUM tools count as stalls. */
const waitingCount: Metric = {
  id: 'waiting-count',
  label: 'waits of the element',
  meaning: `number of waits of at least ${MIN_STALL_MS} ms ${OF_ELEMENT}rebuffer-count`,
  unit: '',
  better: 'lower',
  rareEvent: 'waited',
  paper: HTML,
  unknown: 'playback never started',
  of: (log) =>
    hasPlayed(log) ? { value: stallsAmong(waitingSpans(log)).length } : unmeasured('Playback never started.'),
};

const waitingTime: Metric = {
  id: 'waiting-time',
  label: 'waiting of the element',
  meaning: `total time ${OF_ELEMENT}rebuffer-time`,
  unit: 'ms',
  better: 'lower',
  rareEvent: 'waited',
  paper: HTML,
  unknown: 'playback never started',
  of: (log) =>
    hasPlayed(log) ? { value: totalMs(waitingSpans(log)) } : unmeasured('Playback never started.'),
};

/** The element's own word, beside what the screen showed. */
export const waitingMetrics: readonly Metric[] = [waitingCount, waitingTime];

/** Between join time and play: nobody would count it else. */
export const firstFrameWait: Metric = {
  id: 'first-frame-wait',
  label: 'still first frame',
  meaning:
    'time for which the first frame stood before the element began to play; 0 where it played when its first frame was presented',
  unit: 'ms',
  better: 'lower',
  paper: 'ours: what lies between the first frame and the start of playback (HTML Standard, event playing)',
  unknown: 'the browser reported no first frame, or playback never started',
  of(log) {
    const states = eventsOf(log, 'playback');
    const first = states.find(({ state }) => state === 'first-frame');
    if (!first) return unmeasured('The browser reported no first frame.');
    const playing = states.find(({ state }) => state === 'playing');
    return playing
      ? { value: Math.max(0, playing.atMs - first.atMs) }
      : unmeasured('Playback never started.');
  },
};

/** What a viewer misses without having sought: over a gap, a missing segment, or to the live edge. */
export const skippedMedia: Metric = {
  id: 'skipped-media',
  label: 'media skipped',
  meaning:
    'length of the presentation that the player, or the recovery of Pitwall, jumped over by itself; what a jump back repeats does not count',
  unit: 'ms',
  better: 'lower',
  rareEvent: 'skipped media',
  paper: 'ours: what a player leaves out by itself, in the time of the presentation',
  unknown: 'playback never started, or the log is of a version that took such jumps for seeks of the viewer',
  of(log) {
    if (!hasPlayed(log)) return unmeasured('Playback never started.');
    const { screen } = log.environment;
    if (screen === undefined)
      return unmeasured('The log does not tell jumps of the player from seeks of the viewer.');
    return { value: sumOf(eventsOf(log, 'jump').map(({ fromMs, toMs }) => Math.max(0, toMs - fromMs))) };
  },
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const waitingSpans = oncePerLog((log: SessionLog): readonly Span[] => {
  const words = [
    ...eventsOf(log, 'playback').map(({ atMs, state }) => ({ atMs, word: state as string })),
    ...eventsOf(log, 'seek').map(({ atMs }) => ({ atMs, word: 'seek' })),
  ].sort((one, other) => one.atMs - other.atMs);
  const spans: Span[] = [];
  let fromMs: number | null = null;
  /** Before the first `playing` waiting is join time, and after a seek it is the seek's. */
  let isCounted = false;
  for (const { atMs, word } of words) {
    if (word === 'waiting' && isCounted) fromMs ??= atMs;
    if (!ENDS.has(word)) continue;
    if (fromMs !== null) spans.push({ fromMs, toMs: atMs });
    fromMs = null;
    isCounted = word === 'playing' || (isCounted && word === 'paused');
  }
  return fromMs === null ? spans : [...spans, { fromMs, toMs: logEndMs(log) }];
});

const ENDS: ReadonlySet<string> = new Set(['playing', 'paused', 'ended', 'stopped', 'seek']);
