import { qoeModels } from '../shared/qoe.ts';
import { pick } from '../shared/registry.ts';
import type { Metric } from './metric.ts';
import { sessionQoe } from './sessionQoe.ts';
import { unmeasured } from './unmeasured.ts';

/** The metric of one QoE model. Its parts are its three terms, per segment, and add up to it. */
export function qoeMetric(
  modelId: string,
  naming: Pick<Metric, 'id' | 'label' | 'unit' | 'headline'>,
): Metric {
  const model = pick(qoeModels, modelId);
  return {
    ...naming,
    meaning: `(Σ q(R_n) − µ Σ T_n − Σ |q(R_n) − q(R_{n−1})|) per segment, over the rendered segments after the first, T in s; ${MEANINGS[modelId]}; the number of segments is computed from the rendered time`,
    better: 'higher',
    decimals: 3,
    paper: `2020 letter eq. 1; ${model.paper}`,
    unknown: 'ladder or segment duration is unknown, or at most one segment was played',
    of(log) {
      const qoe = sessionQoe(log, model);
      if (!qoe.ok) return unmeasured(qoe.error);
      const { segments, quality, variation, rebufferS, mu, perSegment, meaning } = qoe.value;
      return {
        value: perSegment,
        note: `${meaning[0]!.toUpperCase()}${meaning.slice(1)}.`,
        by: {
          quality: quality / segments,
          rebuffering: (-mu * rebufferS) / segments,
          switching: -variation / segments,
        },
      };
    },
  };
}

const MEANINGS: Readonly<Record<string, string>> = {
  lin: 'q = bitrate in Mbit/s, µ = the top rung in Mbit/s (4.3 on the ladder of the papers)',
  log: 'q = ln(bitrate / lowest bitrate), µ = 2.66',
  hd: 'q by the table 1, 2, 3, 12, 15, 20 at 0.3, 0.75, 1.2, 1.85, 2.85, 4.3 Mbit/s, linear between them and constant beyond, µ = 8',
};
