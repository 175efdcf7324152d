import type { Figure } from '../figure.ts';
import { median, ratioOfMedians, type Pair } from '../statistics.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import { firstFrameAfterStart, firstFrameOfLink } from './firstFrame.ts';
import type { PageName, Place } from './place.ts';

/** One measurement of each page, one right after the other. */
export interface FirstFramePair {
  readonly sinceStartMs: Pair;
  readonly sinceMpdMs: Pair;
  readonly sinceNavigationMs: Pair;
}

const MAX_RATIO = 1.05;

/** Measures pairs of bare and full page; every other pair begins with the full page. */
export async function firstFramePairs(
  place: Place,
  { pairs, onPair }: { pairs: number; onPair: (done: number) => void },
): Promise<FirstFramePair[]> {
  const measured: FirstFramePair[] = [];
  for (let index = 0; index < pairs; index += 1) {
    const order: readonly PageName[] = index % 2 === 0 ? ['bare', 'full'] : ['full', 'bare'];
    measured.push(await measurePair(place, order));
    onPair(index + 1);
  }
  return measured;
}

async function measurePair(place: Place, order: readonly PageName[]): Promise<FirstFramePair> {
  const started = await inOrder(order, (page) => firstFrameAfterStart(place, page));
  const linked = await inOrder(order, (page) => firstFrameOfLink(place, page));
  return {
    sinceStartMs: { base: started.bare.sinceStartMs, other: started.full.sinceStartMs },
    sinceMpdMs: { base: started.bare.sinceMpdMs, other: started.full.sinceMpdMs },
    sinceNavigationMs: { base: linked.bare.sinceNavigationMs, other: linked.full.sinceNavigationMs },
  };
}

async function inOrder<T>(
  order: readonly PageName[],
  measure: (page: PageName) => Promise<T>,
): Promise<Record<'bare' | 'full', T>> {
  const found = new Map<PageName, T>();
  for (const page of order) found.set(page, await measure(page));
  return { bare: found.get('bare')!, full: found.get('full')! };
}

export function firstFrameFigures(pairs: readonly FirstFramePair[]): Figure[] {
  return [
    ...ofSpan(pairs, 'sinceStartMs', 'Start pressed → first frame', MAX_RATIO),
    ...ofSpan(pairs, 'sinceMpdMs', 'MPD asked for → first frame', null),
    ...ofSpan(pairs, 'sinceNavigationMs', 'link opened → first frame', null),
  ];
}

function ofSpan(
  pairs: readonly FirstFramePair[],
  span: keyof FirstFramePair,
  label: string,
  goalMax: number | null,
): Figure[] {
  const own = pairs.map((pair) => pair[span]);
  const one = (side: keyof Pair, name: string): Figure => ({
    id: `first-frame-${span}-${side}`,
    label: `${label}, ${name}`,
    unit: 'ms',
    goalMax: null,
    ...bootstrap(
      own.map((pair) => pair[side]),
      median,
    ),
  });
  return [
    one('base', 'bare'),
    one('other', 'full page'),
    {
      id: `first-frame-${span}-ratio`,
      label: `${label}, full / bare`,
      unit: '×',
      goalMax,
      ...bootstrap(own, ratioOfMedians),
    },
  ];
}
