import { print } from '../../node/print.ts';
import { mean } from '../../src/analysis/statistics/summaries.ts';
import { recordedPairs, type AaPair } from './aaPairs.ts';
import { effectsOf, simulateGate, type Effect } from './simulatedGates.ts';
import type { Bench } from '../bench.ts';
import { figureTable, summary, writeFigures, type Figure } from '../figure.ts';
import { gateDesign, type GateDesign } from '../../experiment/design/gateDesign.ts';
import { usualGate, type Gate } from '../../experiment/design/gateFile.ts';
import { networksOf } from '../../experiment/design/networks.ts';
import { planCampaign } from '../../experiment/design/planCampaign.ts';
import { gateCampaign } from '../../experiment/design/readGate.ts';
import { plainTable } from '../../node/textTable.ts';
import { formatCount } from '../../src/shared/format.ts';
import { valueOf } from '../../src/shared/result.ts';

/** Gates for each cell; the standard error of a share of 5 % is then 1.1 points. */
const GATES = 400;
const QUICK_GATES = 4;
/** The usual gate, and shorter ones that declare the rare faults that so few pairs can rule out, with so many pairs at once. */
const SETTINGS = [
  { gate: usualGate, workers: 1 },
  { gate: { ...usualGate, minutes: 15, rareShare: 0.25 }, workers: 1 },
  { gate: { ...usualGate, minutes: 18, rareShare: 0.2 }, workers: 1 },
  { gate: { ...usualGate, minutes: 17, rareShare: 0.1 }, workers: 2 },
] as const;
/** So many recorded pairs show what happens in one of a hundred (three divided by the number of pairs). */
const MIN_PAIRS = 300;

/** How often the usual gate is right, with differences of recorded A/A pairs. */
export const gatePowerBench: Bench = {
  id: 'gate-power',
  label: 'gates simulated from recorded A/A pairs: false alarms, and how often they find a worsening',
  options: ['also'],
  async run({ root, also: another, json, quick = false }) {
    const tables = await recordedPairs(root, usualGate.metrics, another);
    const recorded = tables.flatMap(({ pairs }) => pairs);
    print(
      plainTable(
        ['table', 'A/A pairs'],
        tables.map(({ file, pairs }) => [file, String(pairs.length)]),
      ),
    );
    const figures: Figure[] = [pairCount(recorded)];
    for (const setting of SETTINGS)
      figures.push(...measure(setting, { recorded, gates: quick ? QUICK_GATES : GATES }));
    print(`\n${figureTable(figures)}`);
    if (json) writeFigures(json, figures);
    print(summary(figures));
    return 0;
  },
};

const pairCount = (recorded: readonly AaPair[]): Figure => ({
  id: 'recorded-pairs',
  label: 'recorded A/A pairs',
  unit: '',
  value: recorded.length,
  interval: null,
  goalMax: null,
  goalMin: MIN_PAIRS,
});

interface Setting {
  readonly gate: Gate;
  readonly workers: number;
}

function designOf({ gate, workers }: Setting): GateDesign {
  const arms = { rules: ['bola', 'throughput'], compare: 'rules' as const };
  const campaign = gateCampaign(gate, arms, 1);
  const plan = valueOf(planCampaign(campaign, networksOf(campaign)));
  return valueOf(gateDesign(gate, plan, workers));
}

interface Simulating {
  readonly recorded: readonly AaPair[];
  /** For each effect. */
  readonly gates: number;
}

/**
 * The shares of a gate's verdicts for every effect, as a table, and those that are judged: a fault in fewer sessions than the
 * gate rules out may pass.
 */
function measure(setting: Setting, simulating: Simulating): Figure[] {
  const { gate } = setting;
  const design = designOf(setting);
  const cells = effectsOf(gate).map((effect) => ({
    effect,
    ...sharesOf(effect, gate, { design, ...simulating }),
  }));
  print(
    `\n${formatCount(design.pairs, 'pair')}, looks after ${design.looks.join(', ')}, rare share ${gate.rareShare}\n`,
  );
  print(
    plainTable(
      ['', 'regression, %', 'no regression, %', 'cannot tell, %', 'share of pairs played'],
      cells.map(({ effect, regression, passed, open, share }) => [
        ...[effect.label, regression.toFixed(1), passed.toFixed(1), open.toFixed(1), share.toFixed(2)],
      ]),
    ),
  );
  const wrongPercent = 100 * gate.alpha;
  const judged = cells.filter(({ effect }) => effect.share >= gate.rareShare);
  return judged.map(({ effect, regression, passed }) => ({
    id: `${effect.isWorse ? 'passed' : 'false-alarms'}-${effect.id}-${design.pairs}`,
    label: `${design.pairs} pairs, ${effect.label}: ${effect.isWorse ? 'passed' : 'called a regression'}`,
    unit: '%',
    value: effect.isWorse ? passed : regression,
    interval: null,
    goalMax: wrongPercent,
  }));
}

/** In %, and the mean share of the planned pairs that were played. */
interface Shares {
  readonly regression: number;
  readonly passed: number;
  readonly open: number;
  readonly share: number;
}

function sharesOf(
  effect: Effect,
  gate: Gate,
  { design, recorded, gates }: Simulating & { readonly design: GateDesign },
): Shares {
  const played = Array.from({ length: gates }, (_, index) =>
    simulateGate(gate, design, { recorded, effect, seed: index + 1 }),
  );
  const percent = (verdict: string): number =>
    (100 * played.filter((each) => each.verdict === verdict).length) / gates;
  return {
    regression: percent('regression'),
    passed: percent('no-regression'),
    open: percent('cannot-tell'),
    share: mean(played.map(({ share }) => share)),
  };
}
