import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { resultsFile } from './campaignFiles.ts';
import { readKnownSessions } from '../../experiment/report/read/readKnownSessions.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { predict } from '../../src/analysis/prediction.ts';
import { pick } from '../../src/shared/registry.ts';

/**
 * The errors of predictions as `research/replication/predict.py` computes them with NumPy and SciPy, from the same tables, with code of its
 * own: `python3 research/replication/predict.py --json research/replication/golden/predicted.json` writes them, and Prettier formats them.
 */
interface Computed {
  readonly target: string;
  readonly model: string;
  readonly sessions: number;
  readonly networks: number;
  readonly meanError: number;
  readonly rmsError: number;
  readonly explainedShare: number;
  readonly betterNetworks: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const { sets } = JSON.parse(readFileSync(new URL('golden/predicted.json', import.meta.url), 'utf8')) as {
  readonly sets: readonly { readonly campaigns: readonly string[]; readonly errors: readonly Computed[] }[];
};
const metric = (id: string): Metric => pick<Metric>(metrics, id);

describe.each(sets)('$campaigns', async ({ campaigns, errors }) => {
  const { sessions } = await readKnownSessions(campaigns.map((id) => resultsFile(root, id, 'csv')));
  const predictions = predict(sessions, {
    inputs: ['throughput', 'response-latency'].map(metric),
    targets: [...new Set(errors.map(({ target }) => target))].map(metric),
  });

  test.each(errors)('$target, $model: as NumPy and SciPy compute it', (expected) => {
    const found = predictions.find(({ target }) => target.id === expected.target)!;
    const { gain, ...error } = found.models.find(({ model }) => model === expected.model)!;
    expect([found.sessions.length, found.networks.length]).toEqual([expected.sessions, expected.networks]);
    expect(error.meanError).toBeCloseTo(expected.meanError, 6);
    expect(error.rmsError).toBeCloseTo(expected.rmsError, 6);
    expect(gain?.explainedShare ?? 0).toBeCloseTo(expected.explainedShare, 8);
    expect(gain?.betterNetworks ?? 0).toBe(expected.betterNetworks);
  });
});
