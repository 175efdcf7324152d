import { describe, expect, test } from 'vitest';
import { abrRules } from '../../src/abr/registry.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { offlineOptimum } from '../../src/sim/optimum/optimum.ts';
import { qoeOfOutcome } from '../../src/sim/outcomeQoe.ts';
import { simModels } from '../../src/sim/registry.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { createSessionText } from '../../src/telemetry/sessionFile.ts';

/** From 8 Mbit/s to an outage of 30 s: every rule changes rungs and stalls in it. */
const trace = {
  name: 'with an outage',
  endMs: Float64Array.of(20_000, 50_000, 80_000, 200_000),
  rateKbps: Float64Array.of(8000, 700, 0, 1500),
  rttMs: null,
  startMs: 0,
};
const QOE = { 'qoe-linear': 'lin', 'qoe-log': 'log', 'qoe-hd': 'hd' };
const measured = (id: string, log: SessionLog) => pick(metrics, id).of(log);

/** Writes a log in pieces, as the page exports it. */
function inPieces({ events, ...header }: SessionLog): string {
  const text = createSessionText();
  return text.begin(header) + text.events(events.slice(0, 9)) + text.events(events.slice(9)) + text.end();
}

/** The log as older versions wrote it: without simulator, seed and `inputId`. */
function asOlder(log: SessionLog): string {
  const dropped = new Set(['simulator', 'seed', 'inputId']);
  return JSON.stringify(log, (name, value: unknown) => (dropped.has(name) ? undefined : value));
}

describe.each(simModels)('$id', (model) => {
  test.each(['throughput', 'mpc-robust', 'bba-2'])(
    '%s: the QoE of its log is the simulator’s own score',
    (ruleId) => {
      const { outcome, log } = model.record({
        trace,
        content: envivio,
        rule: pick(abrRules, ruleId),
        seed: 1,
      });
      for (const [metricId, modelId] of Object.entries(QOE)) {
        const { perSegment, switches } = qoeOfOutcome(outcome, envivio.video, pick(qoeModels, modelId));
        expect(switches).toBeGreaterThan(1);
        expect(measured(metricId, log).value).toBeCloseTo(perSegment!, 6);
      }
      expect(measured('rebuffer-time', log).value).toBeGreaterThan(1000);
    },
  );

  test.each(['bba-2', 'throughput', 'mpc-robust'])(
    '%s: exported, read again and upgraded, all metrics are the same',
    (ruleId) => {
      const { log } = model.record({ trace, content: envivio, rule: pick(abrRules, ruleId), seed: 1 });
      const found = metrics.map((metric) => metric.of(log));
      expect(found.filter(({ value }) => value !== null).length).toBeGreaterThan(20);
      for (const text of [JSON.stringify(log), inPieces(log), asOlder(log)]) {
        const again = readSession(text);
        if (!again.ok) throw new Error(again.error);
        expect(metrics.map((metric) => metric.of(again.value))).toEqual(found);
      }
    },
  );
});

test('playing the optimum’s own rungs is 100 % of it', () => {
  const linear = pick(qoeModels, 'lin');
  const { feasible } = offlineOptimum(trace, envivio, linear);
  const optimal = { ...pick(abrRules, 'fixed'), id: 'optimal' };
  const follow = {
    ...optimal,
    start: () => null,
    observe: () => null,
    decide: (_state: unknown, { segment }: { segment: number | null }) => ({
      rung: feasible.rungs[segment ?? 0]!,
      because: 'It is in the plan.',
    }),
  };
  const { log } = pick(simModels, 'chunk').record({
    trace,
    content: envivio,
    rule: follow as never,
    seed: 1,
  });
  const withOptimum = { ...log, environment: { ...log.environment, traceOptimum: feasible.qoe } };
  expect(measured('optimum-share', withOptimum).value).toBeCloseTo(100, 6);
});
