import { describe, expect, test } from 'vitest';
import { abrRules } from '../../src/abr/registry.ts';
import { keyFigures } from '../../src/analysis/figures/keyFigures.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { seriesOf } from '../../src/analysis/timeline/appendEvent.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { qoeOfOutcome } from '../../src/sim/outcomeQoe.ts';
import { simModels } from '../../src/sim/registry.ts';

/** From 8 Mbit/s to an outage of 30 s: every rule changes rungs and stalls in it. */
const trace = {
  name: 'with an outage',
  endMs: Float64Array.of(20_000, 50_000, 80_000, 200_000),
  rateKbps: Float64Array.of(8000, 700, 0, 1500),
  rttMs: null,
  startMs: 0,
};
const bitratesKbps = envivio.video.ladder.map(({ bitrateKbps }) => bitrateKbps);
const linear = pick(qoeModels, 'lin');

describe.each(simModels)('$id', (model) => {
  test.each(['throughput', 'mpc-robust', 'bba-2'])(
    '%s: the page and the report find in the log what the simulator says happened',
    (ruleId) => {
      const rule = pick(abrRules, ruleId);
      const { outcome, log } = model.record({ trace, content: envivio, rule, seed: 1 });
      const { stallSeconds, switches, perSegment } = qoeOfOutcome(outcome, envivio.video, linear);
      const playedS = (48 * envivio.video.segmentMs) / 1000;
      const meanKbps = outcome.rungs.reduce((sum, rung) => sum + bitratesKbps[rung]!, 0) / 48;
      expect(stallSeconds).toBeGreaterThan(1);
      expect(switches).toBeGreaterThan(1);

      const figures = keyFigures(seriesOf(log));
      expect(figures.stallCount).toBe(outcome.stalls);
      expect(figures.rebufferMs).toBeCloseTo(stallSeconds * 1000, 6);
      expect(figures.playedMs).toBeCloseTo(playedS * 1000, 6);
      expect(figures.joinMs.value).toBeCloseTo(outcome.waitMs[0]!, 6);
      expect(figures.qoePerSegment.value).toBeCloseTo(perSegment!, 6);
      expect(figures.bitrateMeanKbps.value).toBeCloseTo(meanKbps, 6);

      const measured = (id: string) => pick(metrics, id).of(log).value;
      expect(measured('rebuffer-count')).toBe(outcome.stalls);
      expect(measured('switches')).toBe(switches);
      expect(measured('join-time')).toBeCloseTo(outcome.waitMs[0]!, 6);
      expect(measured('mean-bitrate')).toBeCloseTo(meanKbps, 6);
      expect(measured('rebuffer-rate')).toBeCloseTo((100 * stallSeconds) / (stallSeconds + playedS), 6);
    },
  );
});
