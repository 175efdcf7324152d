import { type SimSectionOptions, timedOnCore } from './simSection.ts';
import type { Figure } from '../figure.ts';
import { median } from '../statistics.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import { pick } from '../../src/shared/registry.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { playerModelWith } from '../../src/sim/player/playerModel.ts';

const LOSS_SHARES = [0, 0.01, 0.1];
const ROUNDS = { full: 11, quick: 3 };
/** Packets, as the lab's Caddy has. */
const SENDER = { initialPackets: 32, queuePackets: 100 };
/** An experiment with real browsers plays some sessions at once, in real time. */
const GOAL_REAL_TIMES = 1000;

/** Session time a second of processor time, of the player model with the lab's senders over paths that lose packets. */
export function lossFigures({ traces, quick, say }: SimSectionOptions): Figure[] {
  const rule = pick(abrRules, 'bba-2');
  const some = quick ? traces.slice(0, 8) : traces;
  return LOSS_SHARES.map((share) => {
    say(`${100 * share} %`);
    const model = playerModelWith({ sender: { ...SENDER, ...(share > 0 && { lossSeed: 1 }) } });
    const scenes = some.map((trace) => ({
      trace: { ...trace, lossDown: new Float64Array(trace.rateKbps.length).fill(share) },
      content: envivio,
      rule,
      seed: 1,
    }));
    const realTimes = (): number => {
      const play = () => scenes.reduce((sum, scene) => sum + model.simulate(scene).durationMs, 0);
      const { value: playedMs, tookMs } = timedOnCore(play);
      return playedMs / tookMs;
    };
    realTimes();
    const rounds = Array.from({ length: ROUNDS[quick ? 'quick' : 'full'] }, realTimes);
    return {
      id: `loss-${100 * share}`,
      label: `${100 * share} % lost`,
      unit: '× real time',
      ...bootstrap(rounds, median),
      goalMax: null,
      goalMin: GOAL_REAL_TIMES,
    };
  });
}
