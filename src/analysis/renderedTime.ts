import { VIDEO } from './codes.ts';
import { playingSpans } from './playingSpans.ts';
import type { SessionSeries } from './series.ts';

/** What the eye saw: time on screen weighted by bitrate, and how much the bitrate changed between rungs. */
export interface RenderedTime {
  readonly knownMs: number;
  /** ∫ bitrate dt, kbit (kbit/s × s). */
  readonly kbit: number;
  /** Σ |step|, kbit/s. */
  readonly variationKbps: number;
  readonly switches: number;
  /** The part of the first `firstMs` of moving picture, which QoE leaves out. */
  readonly first: { readonly knownMs: number; readonly kbit: number };
}

/** Integrates the rendered video rung over the time the picture moved, up to `untilMs`; `firstMs` is how long the beginning is. */
export function renderedTime(series: SessionSeries, untilMs: number, firstMs = 0): RenderedTime {
  const steps = renderedSteps(series, untilMs);
  const spans = playingSpans(series, untilMs);
  let knownMs = 0;
  let kbit = 0;
  let first = { knownMs: 0, kbit: 0 };
  let span = 0;
  steps.forEach(({ bitrateKbps, ...step }, index) => {
    // The first rung is on screen from the first frame on, also where its event came a moment later.
    const atMs = index === 0 ? 0 : step.atMs;
    const endMs = steps[index + 1]?.atMs ?? untilMs;
    while (span < spans.length && spans[span]!.toMs <= atMs) span += 1;
    for (let each = span; each < spans.length && spans[each]!.fromMs < endMs; each += 1) {
      const ms = Math.max(0, Math.min(endMs, spans[each]!.toMs) - Math.max(atMs, spans[each]!.fromMs));
      const early = Math.min(ms, firstMs - first.knownMs);
      first = { knownMs: first.knownMs + early, kbit: first.kbit + (early * bitrateKbps) / 1000 };
      knownMs += ms;
      kbit += (ms * bitrateKbps) / 1000;
    }
  });
  const changes = steps.slice(1).map(({ bitrateKbps }, index) => bitrateKbps - steps[index]!.bitrateKbps);
  return {
    knownMs,
    kbit,
    variationKbps: changes.reduce((sum, change) => sum + Math.abs(change), 0),
    switches: changes.filter((change) => change !== 0).length,
    first,
  };
}

export interface RenderedStep {
  readonly atMs: number;
  readonly bitrateKbps: number;
  readonly rung: number;
}

/** Rendered video rungs in time order; a step lasts until the next one. */
export function renderedSteps({ switches }: SessionSeries, untilMs: number): RenderedStep[] {
  const { atMs, bitrateKbps, rung, lane, rendered } = switches.columns;
  const steps: RenderedStep[] = [];
  for (let row = 0; row < switches.length && atMs[row]! <= untilMs; row += 1)
    if (rendered[row] === 1 && lane[row] === VIDEO)
      steps.push({ atMs: atMs[row]!, bitrateKbps: bitrateKbps[row]!, rung: rung[row]! });
  return steps;
}
