import type { Entry } from '../src/shared/registry.ts';
import type { BenchOptions } from './bench.ts';
import { type Figure, figureTable } from './figure.ts';
import { arms, besideArms, steeringArms, steeringQuery, type Arm } from './measure/arms.ts';
import {
  besideCostFigures,
  COST_HEAD,
  costFigures,
  costRows,
  MAX_BESIDE_RATIO,
  MAX_STEERING_RATIO,
  steeringCostFigures,
} from './measure/costFigures.ts';
import { dayCost, dayFigures } from './measure/dayCost.ts';
import {
  firstFrameFigures,
  firstFramePairs,
  fullAndBare,
  type Compared,
  type FirstFramePair,
} from './measure/firstFrameFigures.ts';
import type { Place } from './measure/place.ts';
import { playbackCost, type PlaybackCost } from './measure/playbackCost.ts';
import { plainTable } from '../node/textTable.ts';
import { measureBuild, sizeFigures, sizeTables } from './size/sizeBench.ts';

/** A part of the page bench that can run alone. */
interface Section extends Entry {
  measure(options: SectionOptions): Promise<SectionResult>;
}

interface SectionOptions extends BenchOptions {
  readonly place: Place;
  /** The other checkout's pages; null: none is named. */
  readonly other: Place | null;
  readonly say: (progress: string) => void;
}

export interface SectionResult {
  readonly id: string;
  readonly text: string;
  readonly figures: readonly Figure[];
  readonly raw: object;
}

/** The demo has 72 s; the measured minute must end before it does. */
const COST = { rounds: 3, plan: { warmUpMs: 8000, windowMs: 10_000, windows: 6 } };
/** Long enough that the work of a page that has just begun is over, and that a frame or two are no share of it. */
const QUICK_COST = { rounds: 1, plan: { warmUpMs: 3000, windowMs: 1000, windows: 3 } };
const PAIRS = { full: 20, quick: 2 };
/** 24 h of 4 s segments, video and audio: 43,200 requests. */
const DAY = { segments: 21_600, redraws: 40 };
const QUICK_DAY = { segments: 1800, redraws: 5 };

type Measuring = Pick<SectionOptions, 'place' | 'other' | 'quick' | 'say'>;

async function costsOf(of: readonly Arm[], { place, other, quick, say }: Measuring): Promise<PlaybackCost[]> {
  const { rounds, plan } = quick ? QUICK_COST : COST;
  const costs: PlaybackCost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Every other round runs backwards, so that no page always has the cooler machine.
    for (const arm of round % 2 === 0 ? of : of.toReversed()) {
      say(`round ${round + 1} of ${rounds}: ${arm.label}`);
      costs.push(await playbackCost(arm.isOther ? other! : place, { arm, round, plan }));
    }
  }
  return costs;
}

function framePairs(compared: Compared, { place, quick, say }: Measuring): Promise<FirstFramePair[]> {
  const pairs = quick ? PAIRS.quick : PAIRS.full;
  return firstFramePairs(place, { pairs, compared, onPair: (done) => say(`pair ${done} of ${pairs}`) });
}

export const pageSections: readonly Section[] = [
  {
    id: 'cost',
    label: 'Main thread while the demo plays, processor seconds per minute',
    async measure(options) {
      const costs = await costsOf(arms, options);
      const figures = costFigures(costs);
      const text = `${plainTable(COST_HEAD, costRows(costs))}\n\n${figureTable(figures)}`;
      return { id: 'cost', text, figures, raw: costs };
    },
  },
  {
    id: 'first-frame',
    label: 'Time to the first frame, median of alternated pairs',
    async measure(options) {
      const measured = await framePairs(fullAndBare, options);
      const figures = firstFrameFigures(measured, fullAndBare);
      return { id: 'first-frame', text: figureTable(figures), figures, raw: measured };
    },
  },
  {
    id: 'steering',
    label: 'Full page with steering and without, both over one healthy origin',
    async measure(options) {
      const compared: Compared = {
        base: { page: 'full' },
        other: { page: 'full', query: steeringQuery(options.place) },
        baseLabel: 'not steered',
        otherLabel: 'steered',
        goalMax: MAX_STEERING_RATIO,
        id: 'steering-first-frame',
      };
      const costs = await costsOf(steeringArms, options);
      const measured = await framePairs(compared, options);
      const figures = [...steeringCostFigures(costs), ...firstFrameFigures(measured, compared)];
      const text = `${plainTable(COST_HEAD, costRows(costs, steeringArms))}\n\n${figureTable(figures)}`;
      return { id: 'steering', text, figures, raw: { costs, measured } };
    },
  },
  {
    id: 'beside',
    label: 'Recording and full page, beside those of another checkout (--beside)',
    async measure(options) {
      const { other } = options;
      if (!other) return { id: 'beside', text: '  not measured: no --beside', figures: [], raw: {} };
      const compared: Compared = {
        base: { page: 'full', place: other },
        other: { page: 'full' },
        baseLabel: 'other checkout',
        otherLabel: 'this one',
        goalMax: MAX_BESIDE_RATIO,
        id: 'beside-first-frame',
      };
      const costs = await costsOf(besideArms.flat(), options);
      const measured = await framePairs(compared, options);
      const figures = [...besideCostFigures(costs), ...firstFrameFigures(measured, compared)];
      const text = `${plainTable(COST_HEAD, costRows(costs, besideArms.flat()))}\n\n${figureTable(figures)}`;
      return { id: 'beside', text, figures, raw: { costs, measured } };
    },
  },
  {
    id: 'day',
    label: 'A synthetic day: made-up events on the real path (recorder, IndexedDB, series, charts)',
    async measure({ place, quick, say }) {
      const plan = quick ? QUICK_DAY : DAY;
      const cost = await dayCost(place, plan, (requests) =>
        say(`${requests} of ${2 * plan.segments} requests recorded`),
      );
      const figures = dayFigures(cost);
      const text = `  ${cost.requests} requests, ${cost.events} events\n${figureTable(figures)}`;
      return { id: 'day', text, figures, raw: cost };
    },
  },
  {
    id: 'size',
    label: 'Size',
    async measure({ root }) {
      const measured = await measureBuild(root);
      const figures = sizeFigures(measured.lines);
      return { id: 'size', text: sizeTables(measured), figures, raw: measured.sizes };
    },
  },
];
