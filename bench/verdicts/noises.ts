import { readFileSync } from 'node:fs';
import path from 'node:path';
import { seededNormals, seededRandom } from '../../src/analysis/statistics/random.ts';
import { parseCsv } from '../../src/shared/csv.ts';
import type { Entry } from '../../src/shared/registry.ts';

/** Differences of pairs whose true mean is 0. */
export interface Noise extends Entry {
  /** Whether its values have many in a short and few in a long tail; two values and recorded ones are shown, not judged. */
  readonly isSkewed?: true;
  /** Differences of any number of pairs, the same for the same seed. */
  readonly draw: (seed: number) => (count: number) => number[];
}

/** Uniform numbers turned into others, one each. */
const from =
  (turned: (uniform: number) => number): Noise['draw'] =>
  (seed) => {
    const random = seededRandom(seed);
    return (count) => Array.from({ length: count }, () => turned(random()));
  };

const lognormal: Noise['draw'] = (seed) => {
  const normals = seededNormals(seed);
  return (count) => normals(count).map((normal) => Math.exp(normal) - Math.exp(0.5));
};

/** A share of 0.2 of the pairs differs, all by the same. */
const TWO_VALUED_SHARE = 0.2;

const made: readonly Noise[] = [
  { id: 'normal', label: 'normal', draw: seededNormals },
  {
    id: 'exponential',
    label: 'exponential',
    isSkewed: true,
    draw: from((uniform) => -Math.log(1 - uniform) - 1),
  },
  { id: 'lognormal', label: 'lognormal', isSkewed: true, draw: lognormal },
  {
    id: 'two-valued',
    label: 'two-valued, one in five',
    draw: from((uniform) => (uniform < TWO_VALUED_SHARE ? 1 : 0) - TWO_VALUED_SHARE),
  },
];

const TABLE = 'campaigns/results/2020-letter-figs-2-5.csv';

/** Recorded: what the pairs of each rule of the letter's campaign differ by in mean bitrate, less their mean. */
export function noises(root: string): readonly Noise[] {
  const recorded = recordedDifferences(readFileSync(path.join(root, TABLE), 'utf8'));
  return [
    ...made,
    ...[...recorded].map(([rule, differences]) => ({
      id: `recorded-${rule}`,
      label: `recorded, ${rule}`,
      draw: from((uniform) => differences[Math.floor(uniform * differences.length)]!),
    })),
  ];
}

const METRIC = 'mean bitrate, kbit/s';

/** By rule: h3-only less h1 of each pair, less the mean of all. */
export function recordedDifferences(table: string): ReadonlyMap<string, readonly number[]> {
  const [head = [], ...rows] = parseCsv(table);
  const at = (name: string): number => head.indexOf(name);
  const [rule, transport, pair, metric] = [at('rule'), at('transport'), at('pair'), at(METRIC)];
  const values = new Map(
    rows.map((row) => [`${row[rule]} ${row[transport]} ${row[pair]}`, Number(row[metric])]),
  );
  const byRule = new Map<string, number[]>();
  for (const row of rows.filter((each) => each[transport] === 'h1')) {
    const other = values.get(`${row[rule]} h3-only ${row[pair]}`);
    if (other === undefined || !row[rule]) continue;
    byRule.set(row[rule], [...(byRule.get(row[rule]) ?? []), other - Number(row[metric])]);
  }
  return new Map([...byRule].map(([name, differences]) => [name, centred(differences)]));
}

function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  return values.map((each) => each - mean);
}
