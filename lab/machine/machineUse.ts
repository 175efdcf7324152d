import type { Static } from '@sinclair/typebox';
import type { MachineUse } from '../../src/telemetry/schema/environment.ts';
import { cpuUse } from './cpuTimes.ts';
import { cpuWindows } from './cpuWindows.ts';
import { judgeMachine, type Outcome } from './judgeMachine.ts';
import { WINDOW_MS, type MachineSample } from './machineSample.ts';

/** What a session's log says of the machine; null where its time was too short to tell. */
export function machineUse(
  samples: readonly MachineSample[],
  outcome: Outcome,
): Static<typeof MachineUse> | null {
  const [first, last] = [samples[0], samples.at(-1)];
  const mean = first && last ? cpuUse(first.cpu, last.cpu) : null;
  if (!mean) return null;
  const worst = cpuWindows(samples).map(({ busyPercent }) => busyPercent);
  return {
    cores: Math.min(...samples.map(({ cpu }) => cpu.cores)),
    meanBusyPercent: rounded(mean.busyPercent),
    worstBusyPercent: rounded(Math.max(...worst, mean.busyPercent)),
    windowMs: WINDOW_MS,
    latestTimerMs: rounded(Math.max(0, ...samples.flatMap(({ timerDelaysMs }) => timerDelaysMs))),
    flags: judgeMachine(samples, outcome),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
