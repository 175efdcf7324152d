import { formatCount, formatPercent } from '../../shared/format.ts';
import { gapsOf, type Gap, addFrames, noFrames } from '../timeline/series.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { lasting } from './format.ts';
import { SCARCE_VIDEO_MS, watchScarceVideo } from '../timeline/scarceVideo.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';

/** A hidden page is another experiment than a visible one. A gap in the recording ends what was hidden before it. */
export const hiddenTab: Diagnostic = {
  id: 'hidden-tab',
  label: 'hidden tab',
  watch({ parts }) {
    const gaps = gapsOf(parts);
    let sinceMs: number | null = null;
    let [times, hiddenMs, firstMs, lastMs] = [0, 0, 0, 0];
    const lengthUntil = (endMs: number): number => {
      if (sinceMs === null) return 0;
      const gapMs = gaps.find(({ toMs }) => toMs > (sinceMs ?? 0))?.fromMs ?? Infinity;
      return Math.max(0, Math.min(endMs, gapMs) - sinceMs);
    };
    return {
      see(event) {
        lastMs = Math.max(lastMs, event.atMs);
        if (event.kind !== 'visibility') return;
        hiddenMs += lengthUntil(event.atMs);
        sinceMs = event.hidden ? event.atMs : null;
        if (event.hidden && (times += 1) === 1) firstMs = event.atMs;
      },
      findings() {
        if (times === 0) return [];
        const often = times === 1 ? '' : ` (${times} times)`;
        const sentence = `The tab was hidden for ${lasting(hiddenMs + lengthUntil(lastMs))}${often}, where browsers slow timers down and draw no frames`;
        return [{ id: 'hidden-tab', severity: 'note', sentence, fix: null, atMs: firstMs }];
      },
    };
  },
};

const MAX_SHARE = 0.01;
/** A start drops a few frames everywhere: no share before this many. */
const MIN_FRAMES = 100;

/** Frames of a session: those decoded while video was scarce, and the others. */
function watchFrames() {
  const scarce = watchScarceVideo();
  const all = noFrames();
  const counts = { loaded: none(), scarce: none() };
  let sinceMs = 0;
  return {
    all,
    counts,
    see(event: SessionEvent) {
      scarce.see(event);
      if (event.kind !== 'frames') return;
      const before = { ...all };
      addFrames(all, event);
      const count = counts[scarce.isSince(sinceMs) ? 'scarce' : 'loaded'];
      count.decoded += all.decoded - before.decoded;
      count.dropped += all.dropped - before.dropped;
      if (count.dropped > 0) count.firstMs ??= event.atMs;
      sinceMs = event.atMs;
    },
  };
}

const none = (): { decoded: number; dropped: number; firstMs: number | null } => ({
  decoded: 0,
  dropped: 0,
  firstMs: null,
});

const isMuch = (dropped: number, decoded: number): boolean =>
  decoded >= MIN_FRAMES && dropped / decoded > MAX_SHARE;

/** More than 1 % of the frames decoded but never shown although video was loaded: the machine was busy. */
export const droppedFrames: Diagnostic = {
  id: 'dropped-frames',
  label: 'dropped frames',
  watch() {
    const { see, counts } = watchFrames();
    return {
      see,
      findings() {
        const { decoded, dropped, firstMs } = counts.loaded;
        if (!isMuch(dropped, decoded)) return [];
        const share = formatPercent(dropped / decoded, { decimals: 1 });
        return [
          {
            id: 'dropped-frames',
            severity: 'warning',
            sentence: `${share} of the frames were decoded but never shown while video was loaded (${dropped} of ${decoded}); the network is not the cause`,
            fix: 'reduce the load of the machine, or the ladder',
            atMs: firstMs,
          },
        ];
      },
    };
  },
};

/** More than 1 % of all frames dropped while hardly any video was loaded: the picture stood, and no stall shows it. */
export const lateFrames: Diagnostic = {
  id: 'late-frames',
  label: 'frames that came too late',
  watch() {
    const { see, counts, all } = watchFrames();
    return {
      see,
      findings() {
        const { dropped, firstMs } = counts.scarce;
        const { decoded } = all;
        if (!isMuch(dropped, decoded)) return [];
        const share = formatPercent(dropped / decoded, { decimals: 1 });
        return [
          {
            id: 'late-frames',
            severity: 'problem',
            sentence: `${share} of the frames came too late to be shown (${dropped} of ${decoded}), when less than ${lasting(SCARCE_VIDEO_MS)} of video was loaded; while sound plays on, the picture then stands without a stall`,
            fix: 'use a rule that keeps more buffer or, in a live stream, a larger target latency',
            atMs: firstMs,
          },
        ];
      },
    };
  },
};

const GAP = 'recording-gap';
const MAX_GAPS = 5;

/** A resumed session: nobody knows what happened between two page loads. */
export const recordingGaps: Diagnostic = {
  id: GAP,
  label: 'gaps in the recording',
  watch: ({ parts }) => {
    const gaps = gapsOf(parts);
    return {
      see: () => undefined,
      findings: () => [...gaps.slice(0, MAX_GAPS).map(gapFinding), ...restOfGaps(gaps)],
    };
  },
};

const gapFinding = ({ fromMs, toMs }: Gap): Finding => ({
  id: `${GAP}:${Math.round(fromMs)}`,
  severity: 'note',
  sentence: `Nothing was recorded for ${lasting(toMs - fromMs)}, until the page was loaded again and the session resumed`,
  fix: null,
  atMs: fromMs,
});

function restOfGaps(gaps: readonly Gap[]): Finding[] {
  const [first, ...others] = gaps.slice(MAX_GAPS);
  if (!first) return [];
  const ms = [first, ...others].reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return [
    {
      id: `${GAP}:more`,
      severity: 'note',
      sentence: `The recording has ${formatCount(others.length + 1, 'more gap')}, ${lasting(ms)} in all`,
      fix: null,
      atMs: first.fromMs,
    },
  ];
}
