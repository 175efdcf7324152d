import { formatInteger } from '../../../src/shared/format.ts';
import type { ReportSource } from '../reportSource.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { BOX_COLUMNS, BOX_WORDS, boxNumbers } from './boxPlots.ts';
import { transportLook } from './facets.ts';
import { boxOf, rangeOf, type Box } from './values.ts';
import type { FigureMaker, ReportFigure } from './figure.ts';
import { boxRows } from './svg/boxRows.ts';
import { withUnit, type ValueAxis } from './svg/valueAxis.ts';

type Media = 'video' | 'audio';
type Transport = SessionSummary['transport'];

interface Row {
  readonly media: Media;
  readonly transport: Transport;
  readonly requests: number;
  readonly box: Box;
}

const ID = 'response-latencies';
const TITLE = 'Response latency of video and audio';

/** Audio that waits behind video over QUIC is what the 2020 letter found. */
export const latencies: FigureMaker = {
  id: ID,
  label: TITLE,
  place: 40,
  draw(source) {
    const rows = (['video', 'audio'] as const).flatMap((media) => rowsOf(source, media));
    return rows.length > 0 ? figureOf(source, rows) : null;
  },
};

const rowsOf = ({ plan, sessions }: ReportSource, media: Media): Row[] =>
  plan.campaign.transports.flatMap((transport) => {
    const mine = sessions.filter((session) => session.transport === transport);
    const pooled = pooledRequests(
      mine.map(({ latencyMs, requests }) => ({ values: latencyMs[media], requests: requests[media] })),
    );
    const box = boxOf(pooled);
    const requests = mine.reduce((sum, session) => sum + session.requests[media], 0);
    return box ? [{ media, transport, requests, box }] : [];
  });

function figureOf({ sessions }: ReportSource, rows: readonly Row[]): ReportFigure {
  const range = rangeOf(rows.flatMap(({ box }) => [...box.whiskers, ...box.outliers]))!;
  const groups = (['video', 'audio'] as const)
    .map((media) => ({
      label: media,
      rows: rows
        .filter((row) => row.media === media)
        .map(({ transport, box }) => ({ look: transportLook(transport), box })),
    }))
    .filter((group) => group.rows.length > 0);
  const all = rows.reduce((sum, { requests }) => sum + requests, 0);
  const axis = logAxis(range, 'ms');
  return {
    id: ID,
    title: TITLE,
    caption: `From a request’s start to its first byte, all ${formatInteger(all)} requests of all rules together (of a session with more than 99 requests, 99 at equal steps of rank), on a logarithmic axis. ${BOX_WORDS} As figure 9 of the 2020 letter.`,
    svg: boxRows({ id: ID, title: TITLE, axis, axisTitle: withUnit('response latency', 'ms') }, groups),
    columns: ['media', 'transport', 'requests', ...BOX_COLUMNS.map((each) => withUnit(each, 'ms'))],
    rows: rows.map(({ media, transport, requests, box }) => [media, transport, requests, ...boxNumbers(box)]),
    sessions: sessions.map(({ id }) => id),
  };
}

/** A session's numbers, ascending, and how many requests they stand for. */
interface StandIns {
  readonly values: readonly number[];
  readonly requests: number;
}

/** No session counts more often than this; the others of a campaign are as long. */
const MAX_TIMES = 50;

/**
 * The requests of several sessions as if they were one's: values that stand for twice as many requests as those of another
 * session are there twice.
 */
export function pooledRequests(sessions: readonly StandIns[]): number[] {
  const known = sessions.filter(({ values }) => values.length > 0);
  const weights = known.map(({ values, requests }) => requests / values.length);
  const min = weights.reduce((one, other) => Math.min(one, other), Infinity);
  return known.flatMap(({ values }, index) => {
    const times = Math.min(MAX_TIMES, Math.max(1, Math.round(weights[index]! / min)));
    return times === 1 ? values : values.flatMap((value) => new Array<number>(times).fill(value));
  });
}

const STEPS = [1, 2, 5];
/** More labels than this run into each other. */
const MAX_TICKS = 7;

/** From a round number to a round number, 1, 2, 5, 10 …; what is 0 or less stands at the lower end. */
export function logAxis({ min, max }: { min: number; max: number }, unit: string): ValueAxis {
  const low = Math.max(min, max / 1e6, 1e-6);
  const rounds = roundNumbers(Math.floor(Math.log10(low)) - 1, Math.ceil(Math.log10(Math.max(max, low))) + 1);
  const bottom = rounds.findLast((each) => each <= low * (1 + 1e-9))!;
  const top = rounds.find((each) => each >= max * (1 - 1e-9) && each > bottom)!;
  const within = rounds.filter((each) => each >= bottom && each <= top);
  const values =
    within.length <= MAX_TICKS
      ? within
      : within.filter((each) => Number.isInteger(rounded(Math.log10(each))));
  const ticks = values.map((value) => ({ value, label: String(value), line: true }));
  return { scale: 'log', bottom, top, ticks, unit, factor: 1 };
}

const roundNumbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    STEPS.map((step) => Number(`${step}e${from + index}`)),
  ).flat();

const rounded = (value: number): number => Math.round(value * 1e9) / 1e9;
