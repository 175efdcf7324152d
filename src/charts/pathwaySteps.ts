/** The choices of a steering policy, as the lanes of one and of several sessions draw them. */
import type { SessionSeries, SteeringStep } from '../analysis/timeline/series.ts';
import type { View } from './chart.ts';
import { CENTERED, textAt, type LineMark, type TextItem } from './marks/mark.ts';
import { thinPoints, thinTimes } from './marks/thinning.ts';

/** Signs of a probe and of a request that was continued over another pathway. */
export const PROBE_SIGN = '?';
export const RESCUE_SIGN = '↷';

/** Steps with a probe. */
export const probesAmong = (steps: readonly SteeringStep[]): (SteeringStep & { readonly probe: string })[] =>
  steps.filter((step): step is SteeringStep & { probe: string } => step.probe !== null);

/** Steps with a running request that was continued over their pathway. */
export const rescuesAmong = (steps: readonly SteeringStep[]): SteeringStep[] =>
  steps.filter(({ rescuedId }) => rescuedId !== null);

/** Pathways by their first use or probe: the MPD's own comes first, unless it was never used. */
export const pathwayNames = ({ steering }: Pick<SessionSeries, 'steering'>): string[] => [
  ...new Set(steering.flatMap(({ pathway, probe }) => (probe === null ? [pathway] : [pathway, probe]))),
];

/** How often the pathway changed. */
export const changesAmong = (steps: readonly SteeringStep[]): number =>
  steps.filter(({ pathway }, at) => at > 0 && pathway !== steps[at - 1]!.pathway).length;

const MAX_NAME_CHARS = 10;

/** A pathway's id, short enough for an axis. */
export const clippedPathway = (name: string): string =>
  name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS - 1)}…` : name;

/**
 * The pathways in use as the corners of a stepped line: from the last step before a time to the end, where the last pathway is
 * held.
 */
export function heldSteps(
  steps: readonly SteeringStep[],
  { fromMs, toMs, nowMs }: { fromMs: number; toMs: number; nowMs: number },
): SteeringStep[] {
  const first = steps.findLastIndex(({ atMs }) => atMs <= fromMs);
  const shown = steps.slice(Math.max(0, first)).filter(({ atMs }) => atMs <= toMs);
  const last = shown.at(-1);
  return last ? [...shown, { ...last, atMs: Math.max(last.atMs, nowMs) }] : [];
}

/** The stepped line through the corners of `heldSteps`. */
export function stepLine(
  steps: readonly SteeringStep[],
  heightOf: (pathway: string) => number,
  view: View,
): LineMark & { readonly xs: readonly number[] } {
  const rows = {
    times: steps.map(({ atMs }) => atMs),
    values: steps.map(({ pathway }) => heightOf(pathway)),
    from: 0,
    to: steps.length,
  };
  return {
    kind: 'line',
    axis: 'left',
    ...thinPoints(rows, view),
    tone: 'ink',
    widthPx: 2,
    dash: [],
    step: true,
    fill: false,
    halo: false,
  };
}

/** Two signs closer than this cover each other. */
const SIGN_PX = 9;

/** The signs of probes and of continued requests in a view. */
export const signsOf = (
  steps: readonly SteeringStep[],
  heightOf: (pathway: string) => number,
  view: View,
): TextItem[] => [
  ...thinTimes(probesAmong(steps), view, SIGN_PX).map((step) =>
    formatSign(step, heightOf(step.probe), PROBE_SIGN),
  ),
  ...thinTimes(rescuesAmong(steps), view, SIGN_PX).map((step) =>
    formatSign(step, heightOf(step.pathway), RESCUE_SIGN),
  ),
];

/** The sign of a step, at its time. */
const formatSign = ({ atMs }: SteeringStep, y: number, text: string): TextItem =>
  textAt(text, { atMs, y }, { tone: 'ink-2', strong: true, dyPx: -1, ...CENTERED });
