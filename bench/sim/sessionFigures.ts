import { type SimSectionOptions, timedOnCore } from './simSection.ts';
import type { Figure } from '../figure.ts';
import { median } from '../statistics.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { pick } from '../../src/shared/registry.ts';
import { chunkModel } from '../../src/sim/chunk/chunkModel.ts';
import { envivio } from '../../src/sim/envivio.ts';
import type { Scene } from '../../src/sim/model.ts';

const XEON = 'on a 2.1 GHz Xeon, in Python';
const RULES = [
  {
    id: 'lowest',
    goalMin: 50_000,
    known: `chunk model ${XEON}: 3,100 to 5,300 sessions/s with a trivial rule; Sabre 23 to 38`,
  },
  { id: 'bba-2', goalMin: 20_000 },
  { id: 'mpc-robust', goalMin: 1500, known: `brute-force MPC ${XEON}: 14 to 19 sessions/s` },
] as const;

const ROUNDS = { full: 11, quick: 3 };
const ROUND_MS = { full: 400, quick: 60 };

/** Rounds without and with the log take turns, so that both meet the same machine. */
export function sessionFigures({ traces, quick, say }: SimSectionOptions): Figure[] {
  const size = quick ? 'quick' : 'full';
  return RULES.flatMap(({ id, goalMin, ...rest }) => {
    say(id);
    const rule = pick(abrRules, id);
    const scenes = traces.map((trace: RateTrace): Scene => ({ trace, content: envivio, rule, seed: 1 }));
    const play = (scene: Scene): void => void chunkModel.simulate(scene);
    const record = (scene: Scene): void => void chunkModel.record(scene);
    for (const each of [play, record]) perSecond(scenes, each, ROUND_MS[size]);
    const rounds = Array.from({ length: ROUNDS[size] }, () => ({
      without: perSecond(scenes, play, ROUND_MS[size]),
      withLog: perSecond(scenes, record, ROUND_MS[size]),
    }));
    const of = (key: 'without' | 'withLog') =>
      bootstrap(
        rounds.map((round) => round[key]),
        median,
      );
    const unit = 'sessions/s';
    return [
      { id: `sessions-${id}`, label: id, unit, ...of('without'), goalMax: null, goalMin, ...rest },
      { id: `sessions-${id}-log`, label: '  with log', unit, ...of('withLog'), goalMax: null },
    ];
  });
}

/** Whole passes over the scenes, until the time is over. */
function perSecond(scenes: readonly Scene[], each: (scene: Scene) => void, lastsMs: number): number {
  let played = 0;
  let tookMs = 0;
  while (tookMs < lastsMs) {
    tookMs += timedOnCore(() => scenes.forEach(each)).tookMs;
    played += scenes.length;
  }
  return (played * 1000) / tookMs;
}
