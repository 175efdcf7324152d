import { mustBePositive, tunableRule } from '../../parameters.ts';
import {
  DASH_DEFAULTS,
  type DashSetting,
  dashState,
  observed,
  bolaInUse,
  bolaIsSteady,
  type DashState,
  historyCap,
} from './dashState.ts';
import { estimateKbps } from '../../estimators/dashEstimate.ts';
import { highestRungWithin } from '../../ladder.ts';
import type { Answer, Moment } from '../../rule.ts';
import { unmeasured } from '../../answer.ts';
import { mbps, formatRung, seconds } from '../../format.ts';
import { formatChoice, enhancedChoice } from '../bola/enhanced.ts';

/**
 * What dash.js 5.2.1 does with its default settings ("dynamic"), rebuilt from its formulas as a pure rule:
 *
 *     BolaRule         from 12 s of buffer until it is below 6 s: BOLA-E with placeholder (MMSys 2018)
 *     ThroughputRule   otherwise: the highest rung within 0.9 × the estimate, while there is a buffer
 *     InsufficientBufferRule   from the third segment after a start or seek: at most 0.7 × estimate × B / L; the lowest rung
 *                              when the buffer is empty (≤ 0.3 s)
 *     SwitchHistoryRule        of the last 8 requests more than 0.075 drops per other request: not that rung again
 *
 * and takes the lowest wish. The estimate is dash.js' own: two moving means of the rate after the first byte, the lower
 * one (`dashEstimate.ts`). Each number is a parameter with dash.js' default.
 *
 * `bufferTimeDefaultMs` makes BOLA's levels and is a parameter, not the player's target: dash.js takes the setting of
 * that name whatever the target is at the moment (30 or 60 s at the top rung), and up to 10 s + 2 s per rung it
 * changes nothing. At 60 s BOLA would never choose the lowest of six rungs. In 5.1.1 the 12 s were that setting too, so
 * that with 60 s BOLA was hardly ever asked.
 *
 * Not here: the abandoning of running requests (a rule chooses before each request), dropped frames (off by default), and
 * CMSD's estimates. The level of buffer between decisions is reckoned (`reckonedBuffer.ts`). The switch history counts
 * downloads, where dash.js counts each time it asks, also when no request follows. One quirk of dash.js is
 * kept: the placeholder of BOLA's start aims V_p too high (`enhancedLevels`).
 */
export const dynamic = tunableRule(DASH_DEFAULTS, (setting) => {
  mustBePositive('dynamic', setting, Object.keys(DASH_DEFAULTS));
  return {
    id: 'dynamic',
    label: 'Dynamic',
    paper: 'Spiteri, Sitaraman, Sparacio, ACM MMSys 2018, as in dash.js 5.2.1',
    start: (context) => dashState(context, setting),
    observe: (state, event) => observed(state, event, setting),
    decide: (state, moment) => answered(state, moment, setting),
  };
});

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
function answered(state: DashState, moment: Moment, setting: DashSetting): Answer {
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
  return {
    rung,
    because: () => `None of dash.js’ rules votes, so the level stays: ${formatRung(ladder, rung)}.`,
  };
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
    `BolaRule: with ${seconds(bufferMs)} of buffer and ${seconds(placeholderMs)} of virtual buffer, ${formatChoice(ladder, choice)}.`;
  return { rung: choice.rung, because, holdMs: choice.holdMs };
}

function bolaStart({ ladder }: DashState, safeKbps: number): Wish {
  const rung = highestRungWithin(ladder, safeKbps);
  const because = (): string =>
    `BolaRule starts by throughput: of ${mbps(safeKbps)} ${formatRung(ladder, rung)} is the highest level that fits.`;
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
    `SwitchHistoryRule: of the last ${size} requests too many went down from a higher level, so ${formatRung(ladder, rung)}.`;
  return { rung, because, holdMs: null };
}
