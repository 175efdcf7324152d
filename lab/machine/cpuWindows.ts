import { cpuUse, type CpuUse } from './cpuTimes.ts';
import { WINDOW_MS, type MachineSample } from './machineSample.ts';

export interface CpuWindow extends CpuUse {
  readonly durationMs: number;
}

/**
 * How busy the cores were from each sample to the next. A last one of less than half a window says little and is left
 * out, unless it is all there is.
 */
export function cpuWindows(samples: readonly MachineSample[]): CpuWindow[] {
  const windows = samples.slice(1).flatMap((after, at) => {
    const before = samples[at]!;
    const use = cpuUse(before.cpu, after.cpu);
    return use ? [{ ...use, durationMs: after.atMs - before.atMs }] : [];
  });
  const whole = windows.filter(({ durationMs }) => durationMs >= WINDOW_MS / 2);
  return whole.length > 0 ? whole : windows;
}
