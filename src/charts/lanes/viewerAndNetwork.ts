import { STATES } from '../../analysis/timeline/columns.ts';
import type { LinkMark } from '../../analysis/timeline/scene.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { Span } from '../../analysis/timeline/spans.ts';
import { formatClock, formatCount } from '../../shared/format.ts';
import type { Chart, View } from '../chart.ts';
import { CENTERED, textAt, type LineMark, type Mark, type TextItem } from '../marks/mark.ts';
import { thinSpans, thinTimes } from '../marks/thinning.ts';

/** Rows from top to bottom; a small MTU, limits of UDP and TCP, and flows beside the viewer stand side by side in theirs. */
const VIEWER = 0;
const NETWORK = 1;
const BANDS = {
  mtu: NETWORK - 0.42,
  udp: NETWORK - 0.14,
  tcp: NETWORK + 0.14,
  beside: NETWORK + 0.42,
} as const;

const PAUSED = STATES.indexOf('paused');
const ENDED = STATES.indexOf('ended');
const STOPPED = STATES.indexOf('stopped');

const SEEK_SIGN = '»';
const SIGN_PX = 9;
/** Width of one letter of a text, with some space: texts closer than the longest one is wide cover each other. */
const LETTER_PX = 6.5;
/** Maximum number of things that are named; more are counted. */
const MAX_SAID = 3;

/** What was done to the session from outside: the viewer's seeks and pauses, limits and changes of the path. */
export const viewerAndNetwork: Chart = {
  id: 'viewer-network',
  label: 'Viewer and network',
  height: { minPx: 46, maxPx: 70, narrowPx: 58 },
  hasData: ({ scene }) => scene.hasScript || scene.link.length > 0,
  build(series, view) {
    const seeks = seekTimes(series, view.nowMs);
    return {
      note: view.narrow ? '' : 'what was done from outside',
      sentence: `The viewer: ${formatCount(seeks.length, 'seek')} and ${formatCount(pauses(series, view.nowMs).length, 'pause')} so far. The network: ${formatAll(linkUntil(series, view.nowMs), view.nowMs)}.`,
      left: {
        scale: 'linear',
        bottom: NETWORK + 0.6,
        top: VIEWER - 0.6,
        ticks: [
          { value: VIEWER, label: 'viewer', line: true },
          { value: NETWORK, label: 'network', line: true },
        ],
      },
      right: null,
      marks: marksOf(series, view),
      heightPx: null,
    };
  },
  readout(series, atMs) {
    const limits = linkUntil(series, atMs).filter(
      ({ kind, kbps, toMs }) => (kbps !== null || kind === 'mtu') && (toMs === null || toMs > atMs),
    );
    return [
      {
        glyph: null,
        label: 'limit',
        value: limits.map(formatShort).join(', ') || 'none',
        chars: 16,
      },
      { glyph: null, label: `${SEEK_SIGN} seek`, value: null, chars: 0 },
    ];
  },
  table(series, { fromMs, toMs, maxRows }) {
    const byViewer = (what: string, atMs: number) => ({ atMs, untilMs: atMs, who: 'viewer', what });
    const rows = [
      ...seekTimes(series, series.lastMs).map(({ atMs }) => byViewer('seek', atMs)),
      ...pauses(series, series.lastMs).map(({ fromMs }) => byViewer('pause', fromMs)),
      ...series.scene.link.map((mark) => ({
        atMs: mark.atMs,
        untilMs: endOf(mark),
        who: 'network',
        what: formatLink(mark, series.lastMs),
      })),
    ]
      .filter((row) => row.untilMs >= fromMs && row.atMs <= toMs)
      .sort((one, other) => one.atMs - other.atMs);
    return {
      caption: 'What the viewer did, and what was done to the network',
      columns: ['Time', 'Who', 'What'],
      rows: rows.slice(-maxRows).map(({ atMs, who, what }) => [formatAt(atMs), who, what]),
      leftOut: Math.max(0, rows.length - maxRows),
    };
  },
};

const linkUntil = ({ scene }: SessionSeries, nowMs: number): LinkMark[] =>
  scene.link.filter(({ atMs }) => atMs <= nowMs);

/** Returns when a mark ends; for what happens at one moment, that moment. */
const endOf = (mark: LinkMark): number => (isOfMoment(mark) ? mark.atMs : (mark.toMs ?? Infinity));

const isOfMoment = ({ kbps, words }: LinkMark): boolean => kbps === null && words === undefined;

const seekTimes = ({ seeks }: SessionSeries, untilMs: number): { readonly atMs: number }[] =>
  Array.from(seeks.columns.atMs.subarray(0, seeks.length), (atMs) => ({ atMs })).filter(
    ({ atMs }) => atMs <= untilMs,
  );

/** From each pause to the next state, or to where recording stopped. A player pauses at the end by itself: that is none. */
function pauses({ states, gaps }: SessionSeries, untilMs: number): Span[] {
  const { atMs, state } = states.columns;
  const spans: Span[] = [];
  for (let row = 0; row < states.length && atMs[row]! < untilMs; row += 1) {
    const isEnd = state[row + 1] === ENDED || state[row + 1] === STOPPED;
    if (state[row] !== PAUSED || (row + 1 < states.length && isEnd)) continue;
    const fromMs = atMs[row]!;
    const nextMs = row + 1 < states.length ? atMs[row + 1]! : untilMs;
    const gapMs = gaps.find((gap) => gap.fromMs >= fromMs)?.fromMs ?? Infinity;
    spans.push({ fromMs, toMs: Math.min(nextMs, untilMs, gapMs) });
  }
  return spans;
}

function marksOf(series: SessionSeries, view: View): Mark[] {
  const link = linkUntil(series, view.nowMs);
  const limits = (of: keyof typeof BANDS): Span[] =>
    link
      .filter(({ kind }) => kind === of)
      .map((mark) => ({ fromMs: mark.atMs, toMs: Math.min(endOf(mark), view.nowMs) }));
  const signs = inView(seekTimes(series, view.nowMs), view);
  return [
    bands(pauses(series, view.nowMs), view, { y: VIEWER, tone: 'ink-3' }),
    bands(limits('udp'), view, { y: BANDS.udp, tone: 'protocol-h3' }),
    bands(limits('tcp'), view, { y: BANDS.tcp, tone: 'protocol-h2' }),
    bands(limits('mtu'), view, { y: BANDS.mtu, tone: 'ink-3' }),
    bands(limits('beside'), view, { y: BANDS.beside, tone: 'ink-3' }),
    {
      kind: 'texts',
      items: [
        ...thinTimes(signs, view, SIGN_PX).map(({ atMs }) => text(atMs, VIEWER, SEEK_SIGN)),
        ...thinTimes(placed(link, view), view, widestPx(link)).map((mark) =>
          text(mark.atMs, NETWORK, formatShort(mark)),
        ),
      ],
    },
  ];
}

const inView = <Item extends { readonly atMs: number }>(items: readonly Item[], view: View): Item[] =>
  items.filter(({ atMs }) => atMs >= view.fromMs && atMs <= view.toMs);

/** Returns the marks that are in view; what lasts is named where it comes into view. */
const placed = (link: readonly LinkMark[], view: View): LinkMark[] =>
  inView(
    link
      .filter((mark) => endOf(mark) >= view.fromMs)
      .map((mark) => (isOfMoment(mark) ? mark : { ...mark, atMs: Math.max(mark.atMs, view.fromMs) })),
    view,
  );

const widestPx = (link: readonly LinkMark[]): number =>
  LETTER_PX * link.reduce((widest, mark) => Math.max(widest, formatShort(mark).length), 0);

function bands(
  spans: readonly Span[],
  view: View,
  { y, tone }: { readonly y: number; readonly tone: string },
): LineMark {
  const shown = thinSpans(
    spans.filter(({ fromMs, toMs }) => toMs >= view.fromMs && fromMs <= view.toMs),
    view,
  );
  return {
    kind: 'line',
    axis: 'left',
    tone,
    widthPx: 6,
    dash: [],
    step: false,
    fill: false,
    halo: false,
    xs: shown.flatMap(({ fromMs, toMs }) => {
      const endMs = Math.min(toMs, view.toMs);
      return [Math.max(fromMs, view.fromMs), endMs, endMs];
    }),
    ys: shown.flatMap(() => [y, y, NaN]),
  };
}

const text = (atMs: number, y: number, words: string): TextItem => {
  const place = y === VIEWER ? CENTERED : { dxPx: 4 };
  return textAt(words, { atMs, y }, { tone: 'ink-2', strong: true, dyPx: -1, ...place });
};

const TRANSPORTS: Readonly<Record<string, string>> = { udp: 'UDP', tcp: 'TCP' };

/** Formats a mark as it is written in the lane. */
function formatShort({ kind, kbps, words }: LinkMark): string {
  if (words !== undefined) return words;
  if (kind === 'address') return 'new address';
  if (kind === 'udp-ports') return 'new UDP ports';
  return kbps === 0 ? `no ${TRANSPORTS[kind]}` : `${TRANSPORTS[kind]} ≤ ${kbps} kbit/s`;
}

const formatAt = (atMs: number): string => (atMs < 0 ? 'before the start' : formatClock(atMs, true));

/** Formats a mark as a sentence says it, as far as it is known by now. */
function formatLink(mark: LinkMark, nowMs: number): string {
  const { atMs, toMs } = mark;
  const when = atMs < 0 ? 'before the start' : `at ${formatClock(atMs)}`;
  if (isOfMoment(mark)) return `${formatShort(mark)} ${when}`;
  const from = atMs < 0 ? 'from before the start' : `from ${formatClock(atMs)}`;
  return `${formatShort(mark)} ${from} ${toMs === null || toMs > nowMs ? 'on' : `to ${formatClock(toMs)}`}`;
}

function formatAll(link: readonly LinkMark[], nowMs: number): string {
  if (link.length === 0) return 'nothing so far';
  const said = link.slice(-MAX_SAID).map((mark) => formatLink(mark, nowMs));
  const others = link.length - said.length;
  return others === 0 ? said.join('; ') : `${formatCount(others, 'change')}, then ${said.join('; ')}`;
}
