import { estimateKbps } from '../../estimators/dashEstimate.ts';
import { highestRungWithin } from '../../ladder.ts';
import type { Answer, Moment } from '../../rule.ts';
import { unmeasured } from '../../answer.ts';
import { mbps, formatRung, seconds } from '../../format.ts';
import { formatChoice, enhancedChoice } from '../bola/enhancedChoice.ts';
import { bolaInUse, bolaIsSteady } from './dashBola.ts';
import type { DashSetting } from './dashDefaults.ts';
import type { DashState } from './dashState.ts';
import { historyCap } from './switchHistory.ts';

/** What one of dash.js' rules wants; the lowest rung wins. */
interface Wish {
  readonly rung: number;
  readonly because: () => string;
  readonly holdMs: number | null;
}

interface Scene {
  readonly state: DashState;
  readonly moment: Moment;
  readonly setting: DashSetting;
  readonly kbps: number | null;
}

/** dash.js' answer: the lowest wish of its rules, or no change when none has one. */
export function answered(state: DashState, moment: Moment, setting: DashSetting): Answer {
  const scene = { state, moment, setting, kbps: estimateKbps(state.estimate) };
  const useBola = bolaInUse(state.bola.inUse, moment.bufferMs, setting.hybridSwitchMs);
  const main = useBola ? bolaWish(scene) : throughputWish(scene);
  const lowest = lower(lower(main, insufficientWish(scene)), historyWish(scene));
  if (!lowest) return scene.kbps === null ? unmeasured(state.ladder, moment) : noWish(state, moment);
  const { rung, because } = lowest;
  const values = {
    estimateKbps: scene.kbps,
    bolaInUse: useBola ? 1 : 0,
    placeholderMs: useBola ? placeholderNow(scene) : null,
    mainRung: main && main.rung,
  };
  // dash.js delays the request by what BolaRule says, also where another rule lowers the rung.
  return main === null || main.holdMs === null
    ? { rung, because, values }
    : { rung, because, values, holdUntilBufferMs: main.holdMs };
}

/** dash.js' NO_CHANGE from all of them. */
function noWish({ ladder }: DashState, { lastRung }: Moment): Answer {
  const rung = Math.min(lastRung ?? 0, ladder.length - 1);
  return { rung, because: () => `None of dash.js’ rules has a wish, so still ${formatRung(ladder, rung)}.` };
}

const lower = (one: Wish | null, other: Wish | null): Wish | null =>
  one === null || (other !== null && other.rung < one.rung) ? other : one;

function throughputWish({ state, moment, setting, kbps }: Scene): Wish | null {
  const { ladder, live } = state;
  if (kbps === null || (moment.bufferMs <= setting.emptyBufferMs && !live)) return null;
  const safeKbps = kbps * setting.safetyFactor;
  const rung = highestRungWithin(ladder, safeKbps);
  const because = (): string =>
    `ThroughputRule, as the buffer of ${seconds(moment.bufferMs)} is low: of an estimated ${mbps(kbps)} it spends ${mbps(safeKbps)}, so ${formatRung(ladder, rung)}.`;
  return { rung, because, holdMs: null };
}

function bolaWish({ state, moment, setting, kbps }: Scene): Wish | null {
  const { ladder, levels, bola } = state;
  if (levels === null) return null;
  const safeKbps = (kbps ?? 0) * setting.safetyFactor;
  if (!bolaIsSteady(bola)) return kbps === null ? null : bolaStart(state, safeKbps);
  const { bufferMs, lastRung } = moment;
  const placeholderMs = placeholderNow({ state, moment });
  const choice = enhancedChoice(levels, { bufferMs, placeholderMs, lastRung, safeKbps });
  const because = (): string =>
    `BolaRule: with ${seconds(bufferMs)} of buffer and ${seconds(placeholderMs)} of placeholder ${formatChoice(ladder, choice)}.`;
  return { rung: choice.rung, because, holdMs: choice.holdMs };
}

function bolaStart({ ladder }: DashState, safeKbps: number): Wish {
  const rung = highestRungWithin(ladder, safeKbps);
  const because = (): string =>
    `BolaRule starts by throughput: of ${mbps(safeKbps)} ${formatRung(ladder, rung)} is the highest within.`;
  return { rung, because, holdMs: null };
}

/** Waits that the network did not cause count as buffer. */
const placeholderNow = ({
  state: { bola, buffer },
  moment: { nowMs },
}: Pick<Scene, 'state' | 'moment'>): number =>
  bola.placeholderMs + Math.max(nowMs - (buffer.atMs ?? nowMs), 0);

function insufficientWish({ state, moment, setting, kbps }: Scene): Wish | null {
  const { ladder, segmentMs, loaded } = state;
  const { bufferMs } = moment;
  if (loaded < setting.insufficientIgnoredSegments) return null;
  if (bufferMs <= setting.emptyBufferMs)
    return {
      rung: 0,
      because: () => `InsufficientBufferRule: the buffer is empty, so ${formatRung(ladder, 0)}.`,
      holdMs: null,
    };
  if (kbps === null) return null;
  const capKbps = (kbps * setting.insufficientSafetyFactor * bufferMs) / segmentMs;
  const rung = highestRungWithin(ladder, capKbps);
  const because = (): string =>
    `InsufficientBufferRule: with ${seconds(bufferMs)} of buffer at most ${mbps(capKbps)}, so ${formatRung(ladder, rung)}.`;
  return { rung, because, holdMs: null };
}

function historyWish({ state: { ladder, history }, setting }: Scene): Wish | null {
  const { switchSamples: size, switchThreshold: threshold } = setting;
  const cap = historyCap(history, { size, threshold });
  if (cap === null) return null;
  const rung = Math.min(cap, ladder.length - 1);
  const because = (): string =>
    `SwitchHistoryRule: of the last ${size} requests too many went down from a higher rung, so ${formatRung(ladder, rung)}.`;
  return { rung, because, holdMs: null };
}
