import type { SessionWindow } from './sessionWindows.ts';

/** Means of all windows up to and with this one. */
export interface RunningMeans {
  /** Over the windows in which the picture moved; null before the first. */
  readonly bitrateKbps: number | null;
  /** |step| from the window before that has a bitrate, over all such steps; null before the first. */
  readonly variationKbps: number | null;
  readonly stallS: number;
}

/**
 * The running means of bitrate, bitrate variation and stall (racing paper 2024, §V-B and §VI-B). The paper samples when
 * its player reports; here a sample is a window of 30 s, in which real and simulated logs say the same.
 */
export function runningMeans(windows: readonly SessionWindow[]): RunningMeans[] {
  let [samples, kbps, steps, stepKbps, stallS] = [0, 0, 0, 0, 0];
  let last: number | null = null;
  return windows.map((window, index) => {
    stallS += window.stallS;
    const now = window.bitrateKbps;
    if (now !== null) {
      samples += 1;
      kbps += now;
      if (last !== null) {
        steps += 1;
        stepKbps += Math.abs(now - last);
      }
      last = now;
    }
    return {
      bitrateKbps: samples > 0 ? kbps / samples : null,
      variationKbps: steps > 0 ? stepKbps / steps : null,
      stallS: stallS / (index + 1),
    };
  });
}
