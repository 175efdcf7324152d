import { STATES } from '../../analysis/timeline/columns.ts';
import type { LinkMark } from '../../analysis/timeline/scene.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { Span } from '../../analysis/timeline/spans.ts';
import { formatClock, formatCount } from '../../shared/format.ts';
import type { Chart, View } from '../chart.ts';
import type { LineMark, Mark, TextItem } from '../marks/mark.ts';
import { thinSpans, thinTimes } from '../marks/thinning.ts';

/** Rows from top to bottom. */
const VIEWER = 0;
const NETWORK = 1;
const PAUSED = STATES.indexOf('paused');

/** Two texts closer than this cover each other. */
const TEXT_PX = 92;
const SIGN_PX = 9;
const SEEK_SIGN = '»';

/** What was done to the session from outside: the viewer's seeks and pauses, limits and changes of the path. */
export const viewerAndNetwork: Chart = {
  id: 'viewer-network',
  label: 'Viewer and network',
  height: { minPx: 46, maxPx: 70, narrowPx: 58 },
  hasData: ({ scene }) => scene.hasScript || scene.link.length > 0,
  build(series, view) {
    const link = linkUntil(series, view.nowMs);
    const seeks = seekTimes(series, view.nowMs);
    return {
      note: view.narrow ? '' : 'what was done from outside',
      sentence: `The viewer’s ${formatCount(seeks.length, 'seek')} and ${formatCount(pauses(series, view.nowMs).length, 'pause')} so far. The network: ${link.map(formatLink).join('; ') || 'nothing so far'}.`,
      left: {
        scale: 'linear',
        ...{ bottom: NETWORK + 0.6, top: VIEWER - 0.6 },
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
    const last = linkUntil(series, atMs).findLast(({ toMs }) => toMs === null || toMs > atMs);
    return [
      {
        ...{ glyph: null, label: 'network' },
        value: last ? formatShort(last) : 'as planned',
        chars: 16,
      },
      { glyph: null, label: `${SEEK_SIGN} seek`, value: null, chars: 0 },
    ];
  },
  table(series, { fromMs, toMs, maxRows }) {
    const rows = [
      ...seekTimes(series, series.lastMs).map(({ atMs }) => ({ atMs, who: 'viewer', what: 'seek' })),
      ...pauses(series, series.lastMs).map(({ fromMs: atMs }) => ({ atMs, who: 'viewer', what: 'pause' })),
      ...series.scene.link.map((mark) => ({ atMs: mark.atMs, who: 'network', what: formatLink(mark) })),
    ]
      .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
      .sort((one, other) => one.atMs - other.atMs);
    return {
      caption: 'What the viewer did, and what was done to the network',
      columns: ['Time', 'Who', 'What'],
      rows: rows
        .slice(-maxRows)
        .map(({ atMs, who, what }) => [formatClock(Math.max(0, atMs), true), who, what]),
      leftOut: Math.max(0, rows.length - maxRows),
    };
  },
};

const linkUntil = ({ scene }: SessionSeries, nowMs: number): LinkMark[] =>
  scene.link.filter(({ atMs }) => atMs <= nowMs);

const seekTimes = ({ seeks }: SessionSeries, untilMs: number): { readonly atMs: number }[] =>
  Array.from(seeks.columns.atMs.subarray(0, seeks.length), (atMs) => ({ atMs })).filter(
    ({ atMs }) => atMs <= untilMs,
  );

/** From each pause to the next state. */
function pauses({ states }: SessionSeries, untilMs: number): Span[] {
  const { atMs, state } = states.columns;
  const spans: Span[] = [];
  for (let row = 0; row < states.length && atMs[row]! < untilMs; row += 1) {
    const toMs = row + 1 < states.length ? Math.min(atMs[row + 1]!, untilMs) : untilMs;
    if (state[row] === PAUSED) spans.push({ fromMs: atMs[row]!, toMs });
  }
  return spans;
}

function marksOf(series: SessionSeries, view: View): Mark[] {
  const link = linkUntil(series, view.nowMs);
  const inView = <Item extends { readonly atMs: number }>(items: readonly Item[]): Item[] =>
    items.filter(({ atMs }) => atMs >= view.fromMs && atMs <= view.toMs);
  const limits = (kind: LinkMark['kind']): Span[] =>
    link.flatMap((mark) =>
      mark.kind === kind
        ? [{ fromMs: Math.max(mark.atMs, 0), toMs: Math.min(mark.toMs ?? Infinity, view.nowMs) }]
        : [],
    );
  // A text stands where its limit comes into view.
  const placed = link
    .filter(({ toMs, kbps }) => kbps === null || (toMs ?? Infinity) > view.fromMs)
    .map((mark) => ({ ...mark, atMs: mark.kbps === null ? mark.atMs : Math.max(mark.atMs, view.fromMs) }));
  return [
    bands(pauses(series, view.nowMs), view, { y: VIEWER, tone: 'ink-3' }),
    bands(limits('udp'), view, { y: NETWORK, tone: 'protocol-h3' }),
    bands(limits('tcp'), view, { y: NETWORK, tone: 'protocol-h2' }),
    {
      kind: 'texts',
      items: [
        ...thinTimes(inView(seekTimes(series, view.nowMs)), view, SIGN_PX).map(({ atMs }) =>
          text(atMs, VIEWER, SEEK_SIGN),
        ),
        ...thinTimes(inView(placed), view, TEXT_PX).map((mark) =>
          text(mark.atMs, NETWORK, formatShort(mark)),
        ),
      ],
    },
  ];
}

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
    ...{ kind: 'line', axis: 'left', tone, widthPx: 6, dash: [], step: false, fill: false, halo: false },
    xs: shown.flatMap(({ fromMs, toMs }) => [
      Math.max(fromMs, view.fromMs),
      Math.min(toMs, view.toMs),
      Math.min(toMs, view.toMs),
    ]),
    ys: shown.flatMap(() => [y, y, NaN]),
  };
}

const text = (atMs: number, y: number, words: string): TextItem => ({
  ...{ atMs, axis: 'left', y, text: words, tone: 'ink-2', strong: true },
  ...{ align: y === VIEWER ? 'center' : 'left', dxPx: y === VIEWER ? 0 : 4, dyPx: -1, badge: null },
});

const TRANSPORTS: Readonly<Record<string, string>> = { udp: 'UDP', tcp: 'TCP' };

/** As it is written in the lane. */
function formatShort({ kind, kbps }: LinkMark): string {
  if (kind === 'address') return 'new address';
  if (kind === 'udp-ports') return 'new UDP ports';
  return kbps === 0 ? `no ${TRANSPORTS[kind]}` : `${TRANSPORTS[kind]} ≤ ${kbps} kbit/s`;
}

/** As it is said in a sentence. */
function formatLink(mark: LinkMark): string {
  const from = formatClock(Math.max(0, mark.atMs));
  if (mark.kbps === null) return `${formatShort(mark)} at ${from}`;
  return `${formatShort(mark)} from ${from} ${mark.toMs === null ? 'on' : `to ${formatClock(mark.toMs)}`}`;
}
