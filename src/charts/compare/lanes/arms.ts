import { bandOf, quartilesAt, type BandSession } from '../../../analysis/comparison/bands.ts';
import { formatNumber, NO_BREAK } from '../../../shared/format.ts';
import { axisFromZero } from '../../axis.ts';
import type { View } from '../../chart.ts';
import type { LineMark } from '../../marks/mark.ts';
import {
  anyPlays,
  type ComparedArm,
  type ComparedSession,
  type CompareLane,
  type Comparison,
} from '../compareLane.ts';
import { endAxis } from '../sessionLines.ts';
import { bitrate, bitrateLine, megaAt } from './bitrate.ts';
import { buffer, bufferLine, levelAt } from './buffer.ts';
import { stalledSeconds, stalls } from './stalls.ts';

/** What a lane of sessions says of arms. */
interface Banded {
  readonly lane: CompareLane;
  readonly label?: string;
  readonly note?: string;
  readonly unit: string;
  readonly decimals: number;
  readonly heightPx: number;
  readonly valueAt: (session: ComparedSession, atMs: number) => number | null;
  /** The line of one session; absent: its values at the times of the bands. */
  readonly lineOf?: (session: ComparedSession, comparison: Comparison, view: View) => LineMark[];
}

/** Times of a band: more do not show more on a screen, and each asks every session. */
const MAX_TIMES = 200;
/** More bands than these cover each other: then only that of the reference arm is filled. */
const MAX_FILLED = 4;

type Band = ReturnType<typeof bandOf>;

/** Median and quartiles of each arm over time, and the line of the chosen session over them. */
function armLane({
  lane,
  label = lane.label,
  note = '',
  unit,
  decimals,
  heightPx,
  valueAt,
  lineOf,
}: Banded): CompareLane {
  const read = (sessions: readonly ComparedSession[]): BandSession[] =>
    sessions.map((session) => ({
      endMs: session.time.endMs,
      valueAt: (atMs) => valueAt(session, atMs),
    }));
  return {
    ...lane,
    id: `arm-${lane.id}`,
    label,
    hasData: (comparison) => comparison.arms.length > 0 && anyPlays(comparison),
    build(comparison, view) {
      const { arms, chosen, reference } = comparison;
      const times = { ...view, stepMs: stepOf(view) };
      const bands = arms.map((arm) => ({ arm, band: bandOf(read(arm.sessions), times) }));
      const own =
        chosen === null ? [] : (lineOf?.(chosen, comparison, view) ?? [sampled(chosen, valueAt, times)]);
      const drawn = [
        ...bands.flatMap(({ band }) => band.map(({ high }) => high)),
        ...own.flatMap(({ ys }) => Array.from(ys)),
      ];
      const max = Math.max(1, ...drawn.filter((each) => !Number.isNaN(each)));
      const left = axisFromZero({ max, unit });
      const ends = bands.flatMap(({ arm: { look }, band }) => {
        const last = band.findLast(({ median, atMs }) => !Number.isNaN(median) && atMs <= view.toMs);
        return last ? [{ look, value: last.median }] : [];
      });
      const isReference = ({ sessions }: ComparedArm): boolean => sessions.includes(reference);
      return {
        note,
        sentence: `${label} in ${unit}, median and quartiles of each arm: ${arms.map((arm) => `${arm.look.letter} ${arm.name}`).join(', ')}.`,
        left,
        right: endAxis(left, ends, heightPx),
        marks: [
          ...bands
            .filter(({ arm }) => arms.length <= MAX_FILLED || isReference(arm))
            .flatMap(({ arm, band }) => areas(arm, band)),
          ...bands.map(({ arm, band }) => medianLine(arm, band, isReference(arm))),
          ...own.map((line) => ({ ...line, tone: 'ink', widthPx: 1.5, halo: true })),
        ],
        heightPx,
      };
    },
    saysArm({ sessions }, atMs) {
      const { count, low, median, high } = quartilesAt(read(sessions), atMs);
      const of = `${count} of ${sessions.length}`;
      if (Number.isNaN(median)) return `– (${of})`;
      const [middle, from, to] = [median, low, high].map((each) => formatNumber(each, decimals));
      return `${middle}${NO_BREAK}${unit} (${from} to ${to}), ${of}`;
    },
  };
}

/** A power of two, so that the times stay where they are while a view is moved. */
const stepOf = ({ fromMs, toMs, maxPoints }: View): number =>
  2 ** Math.ceil(Math.log2((toMs - fromMs) / Math.min(MAX_TIMES, maxPoints / 4)));

const LINE = { kind: 'line', axis: 'left', step: false, fill: false, halo: false, dash: [] } as const;

function medianLine({ look: { tone, dash } }: ComparedArm, band: Band, isReference: boolean): LineMark {
  const [xs, ys] = [band.map(({ atMs }) => atMs), band.map(({ median }) => median)];
  return { ...LINE, xs, ys, tone, dash, widthPx: isReference ? 3 : 2 };
}

/** From quartile to quartile: a closed line with a fill for each part of a band without a gap. */
function areas({ look: { tone } }: ComparedArm, band: Band): LineMark[] {
  const marks: LineMark[] = [];
  for (let from = 0; from < band.length;) {
    let to = from;
    while (to < band.length && !Number.isNaN(band[to]!.median)) to += 1;
    const part = band.slice(from, to);
    const back = part.toReversed();
    const [first] = part;
    if (first)
      marks.push({
        ...LINE,
        xs: [...part, ...back, first].map(({ atMs }) => atMs),
        ys: [...part.map(({ high }) => high), ...back.map(({ low }) => low), first.high],
        tone,
        widthPx: 0.75,
        fill: true,
      });
    from = to + 1;
  }
  return marks;
}

/** The line of a session through its values at the times of the bands. */
function sampled(
  session: ComparedSession,
  valueAt: Banded['valueAt'],
  times: Parameters<typeof bandOf>[1],
): LineMark {
  const xs = bandOf([], times)
    .map(({ atMs }) => atMs)
    .filter((atMs) => atMs <= session.time.endMs);
  return { ...LINE, xs, ys: xs.map((atMs) => valueAt(session, atMs) ?? NaN), tone: 'ink', widthPx: 1.5 };
}

export const armLanes: readonly CompareLane[] = [
  armLane({
    lane: bitrate,
    note: 'median and quartiles of each arm',
    unit: 'Mbit/s',
    decimals: 2,
    heightPx: 156,
    valueAt: megaAt,
    lineOf: bitrateLine,
  }),
  armLane({
    lane: buffer,
    unit: 's',
    decimals: 1,
    heightPx: 118,
    valueAt: levelAt,
    lineOf: bufferLine,
  }),
  armLane({
    lane: stalls,
    label: 'Rebuffer time so far',
    unit: 's',
    decimals: 1,
    heightPx: 118,
    valueAt: stalledSeconds,
  }),
];
