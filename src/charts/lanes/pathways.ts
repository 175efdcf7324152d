import type { SessionSeries, SteeringStep } from '../../analysis/timeline/series.ts';
import { formatClock, formatCount } from '../../shared/format.ts';
import type { Chart } from '../chart.ts';
import {
  changesAmong,
  clippedPathway,
  heldSteps,
  pathwayNames,
  PROBE_SIGN,
  probesAmong,
  RESCUE_SIGN,
  rescuesAmong,
  signsOf,
  stepLine,
} from '../pathwaySteps.ts';

/** Which pathway a steering policy used, when it probed another, and where a request was continued on another. */
export const pathways: Chart = {
  id: 'pathways',
  label: 'Pathways',
  height: { minPx: 46, maxPx: 70, narrowPx: 58 },
  hasData: ({ steering }) => steering.length > 0,
  build(series, view) {
    const names = pathwayNames(series);
    const heightOf = (pathway: string): number => names.indexOf(pathway);
    const steps = stepsUntil(series, view.nowMs);
    const inView = steps.filter(({ atMs }) => atMs >= view.fromMs && atMs <= view.toMs);
    const [changes, probes, rescued] = [changesAmong(steps), probesAmong(inView), rescuesAmong(inView)];
    return {
      note: view.narrow ? '' : 'chosen by the steering policy',
      sentence: `The pathway in use, of ${names.join(' and ')}: ${formatCount(changes, 'change')} so far. In view ${formatCount(probes.length, 'probe')}, ${formatCount(rescued.length, 'request')} continued on another pathway.`,
      left: {
        scale: 'linear',
        bottom: names.length - 0.4,
        top: -0.6,
        ticks: names.map((name, value) => ({ value, label: clippedPathway(name), line: true })),
      },
      right: null,
      marks: [
        stepLine(heldSteps(steps, view), heightOf, view),
        { kind: 'texts', items: signsOf(inView, heightOf, view) },
      ],
      heightPx: null,
    };
  },
  readout(series, atMs) {
    const steps = stepsUntil(series, atMs);
    return [
      {
        glyph: 'share',
        label: 'pathway',
        value: clippedPathway(steps.at(-1)?.pathway ?? 'unknown'),
        chars: 10,
      },
      {
        glyph: null,
        label: 'changes so far',
        short: 'changes',
        value: String(changesAmong(steps)),
        chars: 5,
      },
      { glyph: null, label: `${PROBE_SIGN} probe`, value: null, chars: 0 },
      { glyph: null, label: `${RESCUE_SIGN} continued`, value: null, chars: 0 },
    ];
  },
  table({ steering }, { fromMs, toMs, maxRows }) {
    const steps = steering.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return {
      caption: 'Choices of the steering policy that changed something',
      columns: ['Time', 'Pathway', 'Probe', 'Continued', 'Because'],
      rows: steps
        .slice(-maxRows)
        .map(({ atMs, pathway, probe, rescuedId, because }) => [
          formatClock(atMs, true),
          pathway,
          probe ?? '–',
          rescuedId === null ? '–' : 'yes',
          because,
        ]),
      leftOut: Math.max(0, steps.length - maxRows),
    };
  },
};

const stepsUntil = ({ steering }: SessionSeries, nowMs: number): readonly SteeringStep[] =>
  steering.filter(({ atMs }) => atMs <= nowMs);
