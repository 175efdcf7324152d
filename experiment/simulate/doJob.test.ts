import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { doJob } from './doJob.ts';
import type { SimTask } from './simTask.ts';
import { valueOf } from '../../src/shared/result.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { offlineOptimum } from '../../src/sim/optimum/optimum.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-job-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const traceOf = (name: string, kbps: number) => ({
  name,
  endMs: Float64Array.of(30_000, 300_000),
  rateKbps: Float64Array.of(kbps, 900),
  rttMs: null,
  startMs: 0,
});
const traces = [traceOf('fast', 4000), traceOf('slow', 1200)];

let runs = 0;
/** The sessions of one rule over both traces, as their files say. */
async function logsOf(changes: Partial<SimTask>) {
  runs += 1;
  const files = traces.map(({ name }) => path.join(folder, `${runs}-${name}.json`));
  const task: SimTask = {
    rules: [{ name: 'mpc-robust', spec: 'mpc-robust', weights: null }],
    traces,
    content: envivio,
    modelId: 'chunk',
    player: {},
    qoeId: 'lin',
    seed: 1,
    logFiles: [files],
    tellsOptimum: true,
    ...changes,
  };
  const { scores } = await doJob(task, { rule: 0, from: 0, to: 2 });
  return { scores, logs: files.map((file) => valueOf(readSession(readFileSync(file, 'utf8')))) };
}
const share = (log: SessionLog) => pick(metrics, 'optimum-share').of(log);

describe('logs of the chunk model', () => {
  test.each(['lin', 'log'])(
    'contain the optimum of the linear QoE, whatever is scored: %s',
    async (qoeId) => {
      const { logs } = await logsOf({ qoeId });
      const optima = traces.map(
        (trace) => offlineOptimum(trace, envivio, pick(qoeModels, 'lin')).feasible.qoe,
      );
      expect(logs.map(({ environment }) => environment.traceOptimum)).toEqual(optima);
      expect(logs.every(({ environment }) => !('traceOptimum' in environment.missing))).toBe(true);
      expect(optima[0]).toBeGreaterThan(optima[1]!);
    },
  );

  test('and the metric is the session’s own score over it', async () => {
    const { logs, scores } = await logsOf({});
    for (const [index, log] of logs.entries()) {
      const sum = scores[index]!.qoePerChunk * (envivio.video.segments - 1);
      const { value } = share(log);
      expect(value).toBeCloseTo((100 * sum) / log.environment.traceOptimum!, 6);
      expect(value).toBeLessThan(100);
    }
  });

  test('without an optimum say that nobody computed it', async () => {
    const { logs } = await logsOf({ tellsOptimum: false });
    expect(logs[0]!.environment).toMatchObject({
      traceOptimum: null,
      missing: { traceOptimum: 'not-reported' },
    });
    expect(share(logs[0]!).why).toMatch(/was not computed\.$/);
  });
});

test('the player model plays by other rules than the optimum’s: null, and the metric says why', async () => {
  const { logs } = await logsOf({ modelId: 'player', tellsOptimum: false });
  expect(logs[0]!.environment).toMatchObject({
    traceOptimum: null,
    missing: { traceOptimum: 'not-applicable' },
  });
  expect(share(logs[0]!).why).toMatch(/^The optimum is for the chunk model/);
});
