import type { Figure } from '../figure.ts';
import { median, ratioOfMedians, type Pair } from '../statistics.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import { firstFrameAfterStart, firstFrameOfLink, type Opened } from './firstFrame.ts';
import type { Place } from './place.ts';

/** Two pages that are opened beside each other, and their labels. */
export interface Compared {
  readonly base: Opened;
  readonly other: Opened;
  readonly baseLabel: string;
  readonly otherLabel: string;
  /** Goal for the ratio of the times from the press of Start to the first frame. */
  readonly goalMax: number;
  /** First part of each figure's id. */
  readonly id: string;
}

/** Comparison of the full page with the bare page. */
export const fullAndBare: Compared = {
  base: { page: 'bare' },
  other: { page: 'full' },
  baseLabel: 'bare',
  otherLabel: 'full page',
  goalMax: 1.05,
  id: 'first-frame',
};

/** One measurement of each of two pages, one right after the other. */
export interface FirstFramePair {
  readonly sinceStartMs: Pair;
  readonly sinceMpdMs: Pair;
  readonly sinceNavigationMs: Pair;
}

type Side = keyof Pair;

/** Measures pairs; every other pair begins with the other side. */
export async function firstFramePairs(
  place: Place,
  { pairs, compared, onPair }: { pairs: number; compared: Compared; onPair: (done: number) => void },
): Promise<FirstFramePair[]> {
  const measured: FirstFramePair[] = [];
  for (let index = 0; index < pairs; index += 1) {
    const order: readonly Side[] = index % 2 === 0 ? ['base', 'other'] : ['other', 'base'];
    measured.push(await measurePair(place, compared, order));
    onPair(index + 1);
  }
  return measured;
}

async function measurePair(
  place: Place,
  compared: Compared,
  order: readonly Side[],
): Promise<FirstFramePair> {
  const started = await inOrder(order, (side) => firstFrameAfterStart(place, compared[side]));
  const linked = await inOrder(order, (side) => firstFrameOfLink(place, compared[side]));
  return {
    sinceStartMs: { base: started.base.sinceStartMs, other: started.other.sinceStartMs },
    sinceMpdMs: { base: started.base.sinceMpdMs, other: started.other.sinceMpdMs },
    sinceNavigationMs: { base: linked.base.sinceNavigationMs, other: linked.other.sinceNavigationMs },
  };
}

async function inOrder<T>(
  order: readonly Side[],
  measure: (side: Side) => Promise<T>,
): Promise<Record<Side, T>> {
  const found = new Map<Side, T>();
  for (const side of order) found.set(side, await measure(side));
  return { base: found.get('base')!, other: found.get('other')! };
}

export function firstFrameFigures(pairs: readonly FirstFramePair[], compared: Compared): Figure[] {
  return [
    ...ofSpan(pairs, compared, { span: 'sinceStartMs', label: 'Start pressed → first frame' }),
    ...ofSpan(pairs, compared, { span: 'sinceMpdMs', label: 'MPD asked for → first frame' }),
    ...ofSpan(pairs, compared, { span: 'sinceNavigationMs', label: 'link opened → first frame' }),
  ];
}

function ofSpan(
  pairs: readonly FirstFramePair[],
  compared: Compared,
  { span, label }: { readonly span: keyof FirstFramePair; readonly label: string },
): Figure[] {
  const { id, baseLabel, otherLabel } = compared;
  const own = pairs.map((pair) => pair[span]);
  const one = (side: Side, name: string): Figure => ({
    id: `${id}-${span}-${side}`,
    label: `${label}, ${name}`,
    unit: 'ms',
    goalMax: null,
    ...bootstrap(
      own.map((pair) => pair[side]),
      median,
    ),
  });
  return [
    one('base', baseLabel),
    one('other', otherLabel),
    {
      id: `${id}-${span}-ratio`,
      label: `${label}, ${otherLabel} / ${baseLabel}`,
      unit: '×',
      goalMax: span === 'sinceStartMs' ? compared.goalMax : null,
      ...bootstrap(own, ratioOfMedians),
    },
  ];
}
