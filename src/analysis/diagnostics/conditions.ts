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

/** More than 1 % of the frames dropped, of those decoded in one of both states. */
function framesFinding({
  label,
  when,
  sentence,
  ...finding
}: Pick<Diagnostic, 'label'> &
  Pick<Finding, 'id' | 'severity' | 'fix'> & {
    readonly when: 'loaded' | 'scarce';
    readonly sentence: (frames: string) => string;
  }): Diagnostic {
  return {
    id: finding.id,
    label,
    watch() {
      const { see, counts, all } = watchFrames();
      return {
        see,
        findings() {
          const { dropped, firstMs: atMs } = counts[when];
          const { decoded } = when === 'loaded' ? counts.loaded : all;
          return isMuch(dropped, decoded)
            ? [{ ...finding, sentence: sentence(`${dropped} of ${decoded} frames`), atMs }]
            : [];
        },
      };
    },
  };
}

/** Decoded but never shown although video was loaded: the machine was busy. */
export const droppedFrames = framesFinding({
  id: 'dropped-frames',
  label: 'dropped frames',
  severity: 'warning',
  when: 'loaded',
  sentence: (frames) => `This computer was too busy to show ${frames}; the network is not the cause`,
  fix: null,
});

/** Dropped while hardly any video was loaded: the picture stood, and no stall shows it. */
export const lateFrames = framesFinding({
  id: 'late-frames',
  label: 'frames that came too late',
  severity: 'problem',
  when: 'scarce',
  sentence: (frames) =>
    `${frames} came too late, because less than ${lasting(SCARCE_VIDEO_MS)} of video was loaded: the picture stands while sound plays on`,
  fix: null,
});

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
      findings: () => gaps.slice(0, MAX_GAPS).map(gapFinding),
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
