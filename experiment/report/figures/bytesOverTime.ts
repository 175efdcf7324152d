import { PROTOCOL_NAMES, PROTOCOLS, type Protocol } from '../../../src/analysis/transport/protocol.ts';
import { timeTicks } from '../../../src/charts/axis.ts';
import type { Axis } from '../../../src/charts/chart.ts';
import type { ReportSource } from '../reportSource.ts';
import type { SessionSummary, SummaryWindow } from '../sessionSummary.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { X_AXIS_PX, xAxis, yAxis, yAxisPx, place, type Frame, type Place } from './svg/axes.ts';
import { element, tone, picture, WIDTH, px } from './svg/element.ts';
import { legend } from './svg/armMarks.ts';
import { text, TICK_SIZE } from './svg/text.ts';
import { valueAxis, type ValueAxis } from './svg/valueAxis.ts';
import { formatClock } from '../../../src/shared/format.ts';

const PLOT_PX = 120;
/** Space for the names of bands at the right. */
const NAMES_PX = 46;
const MIN_BAND_PX = 10;

/** What carried the media of each transport's sessions, window by window. */
export const bytesOverTime: FigureMaker = {
  id: 'bytes-over-time',
  label: 'Bytes per protocol over time',
  place: 60,
  draw(source) {
    const parts = source.plan.campaign.transports
      .map((transport) => partOf(source, transport))
      .filter(({ stretches }) => stretches.some(({ bytes }) => sumOf(bytes) > 0));
    const max = parts
      .flatMap(({ stretches }) => stretches)
      .reduce((so, { bytes }) => Math.max(so, sumOf(bytes)), 0);
    const axis = valueAxis({ min: 0, max, unit: 'B', parts: 4, fromZero: true });
    return parts.length > 0 ? parts.map((part) => figureOf(part, axis)) : null;
  },
};

interface Part {
  readonly transport: SessionSummary['transport'];
  readonly sessions: readonly SessionSummary[];
  readonly stretches: readonly ByteStretch[];
}

function partOf({ sessions }: ReportSource, transport: Part['transport']): Part {
  const mine = sessions.filter((session) => session.transport === transport);
  return { transport, sessions: mine, stretches: meanBytes(mine.map(({ windows }) => windows)) };
}

const sumOf = (bytes: ByteStretch['bytes']): number => PROTOCOLS.reduce((sum, each) => sum + bytes[each], 0);

function figureOf({ transport, sessions, stretches }: Part, axis: ValueAxis): ReportFigure {
  const id = slug('bytes', transport);
  const title = `Bytes per protocol over time: ${transport}`;
  const counts = stretches.map((stretch) => stretch.sessions);
  const [first, last] = [counts[0]!, counts.at(-1)!];
  return {
    id,
    title,
    caption: `Media bytes per window of 30 s from the request to play, mean over ${first === last ? first : `${first} to ${last}`} sessions; the axis is the same for all transports.`,
    svg: drawing(id, title, axis, stretches),
    columns: [
      'from, s',
      'to, s',
      ...PROTOCOLS.map((protocol) => `${PROTOCOL_NAMES[protocol]}, B`),
      'sessions',
    ],
    rows: stretches.map(({ fromMs, toMs, bytes, sessions: count }) => [
      ...[fromMs / 1000, toMs / 1000],
      ...PROTOCOLS.map((protocol) => Math.round(bytes[protocol])),
      count,
    ]),
    sessions: sessions.map((session) => session.id),
  };
}

function drawing(id: string, title: string, axis: ValueAxis, stretches: readonly ByteStretch[]): string {
  const used = PROTOCOLS.filter((protocol) => stretches.some(({ bytes }) => bytes[protocol] > 0));
  const keys = legend(
    used.map((protocol) => ({ label: PROTOCOL_NAMES[protocol], look: lookOf(protocol) })),
    'box',
  );
  const top = keys.height + 28;
  const frame: Frame = { left: yAxisPx(axis), right: WIDTH - NAMES_PX, top, bottom: top + PLOT_PX };
  const times = timeAxis(stretches.at(-1)!.toMs);
  const [x, y] = [place(times, frame.left, frame.right), place(axis, frame.bottom, frame.top)];
  const bands = bandsOf(stretches, used);
  return picture(
    { id, title, description: formatSummary(stretches, used), height: frame.bottom + X_AXIS_PX },
    [
      ...keys.marks,
      ...yAxis(frame, axis, 'MB per window'),
      ...xAxis(frame, times, 'session time from play, m:ss'),
      ...bands.map(({ protocol, edges }) =>
        element('path', {
          class: `band ${protocol}`,
          d: stackPath(edges, { x, y }),
          fill: tone(`protocol-${protocol}`),
          stroke: tone('surface'),
          'stroke-width': 0.75,
        }),
      ),
      ...bands.flatMap(({ protocol, edges }) => {
        const { low, high } = edges.at(-1)!;
        return y(low) - y(high) < MIN_BAND_PX
          ? []
          : [
              text(PROTOCOL_NAMES[protocol], {
                x: frame.right + 5,
                y: (y(low) + y(high)) / 2 + 4,
                size: TICK_SIZE,
                tone: 'ink',
              }),
            ];
      }),
    ],
  );
}

const lookOf = (protocol: Protocol) =>
  ({ label: '', tone: `protocol-${protocol}`, under: null, dash: '', marker: 'square' }) as const;

function timeAxis(toMs: number): Axis {
  const ticks = timeTicks(0, toMs, 6).map((value) => ({ value, label: formatClock(value), line: false }));
  return { scale: 'linear', bottom: 0, top: toMs, ticks };
}

/** One protocol above the other, always in the same order. */
function bandsOf(stretches: readonly ByteStretch[], used: readonly Protocol[]) {
  return used.map((protocol, index) => ({
    protocol,
    edges: stretches.map(({ fromMs, toMs, bytes }) => {
      const low = used.slice(0, index).reduce((sum, below) => sum + bytes[below], 0);
      return { from: fromMs, to: toMs, low, high: low + bytes[protocol] };
    }),
  }));
}

function formatSummary(stretches: readonly ByteStretch[], used: readonly Protocol[]): string {
  const totals = used.map((protocol) => stretches.reduce((sum, { bytes }) => sum + bytes[protocol], 0));
  const all = totals.reduce((sum, each) => sum + each, 0);
  return `Of all bytes: ${used.map((protocol, index) => `${Math.round((100 * totals[index]!) / all)} % ${PROTOCOL_NAMES[protocol]}`).join(', ')}.`;
}

/** A stretch of session time with the mean bytes of a window in it. */
interface ByteStretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** How many sessions are in the mean; of several windows, in the first. */
  readonly sessions: number;
  readonly bytes: Readonly<Record<Protocol, number>>;
}

type Windows = readonly Pick<SummaryWindow, 'fromMs' | 'toMs' | 'bytes'>[];

/**
 * Bytes per protocol and window, as the mean over the sessions that have this window: those that at least half of the
 * sessions have. Counted from play on. More windows than `max` become stretches of several, with their mean.
 */
export function meanBytes(sessions: readonly Windows[], max = 100): ByteStretch[] {
  const longest = sessions.reduce((length, windows) => Math.max(length, windows.length), 0);
  const counts = Array.from(
    { length: longest },
    (_, index) => sessions.filter((windows) => windows.length > index).length,
  );
  const shared = counts.filter((count) => 2 * count >= sessions.length).length;
  const means = Array.from({ length: shared }, (_, index) =>
    meanOfAll(sessions.flatMap((windows) => windows[index]?.bytes ?? [])),
  );
  const [first] = sessions.find((windows) => windows.length > 0) ?? [];
  const windowMs = first ? first.toMs - first.fromMs : 0;
  const size = Math.max(1, Math.ceil(shared / max));
  return Array.from({ length: Math.ceil(shared / size) }, (_, stretch) => {
    const from = stretch * size;
    const to = Math.min(shared, from + size);
    return {
      fromMs: from * windowMs,
      toMs: to * windowMs,
      sessions: counts[from]!,
      bytes: meanOfAll(means.slice(from, to)),
    };
  });
}

function meanOfAll(all: readonly Readonly<Record<Protocol, number>>[]): Record<Protocol, number> {
  const mean = { h1: 0, h2: 0, unknown: 0, h3: 0 };
  for (const bytes of all) for (const protocol of PROTOCOLS) mean[protocol] += bytes[protocol] / all.length;
  return mean;
}

/** A band between two stepped edges. */
export function stackPath(
  edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly low: number;
    readonly high: number;
  }[],
  { x, y }: { x: Place; y: Place },
): string {
  const [first] = edges;
  if (!first) return '';
  const over = edges.map(({ to, high }) => `V${px(y(high))}H${px(x(to))}`);
  const back = edges.toReversed().map(({ from, low }) => `V${px(y(low))}H${px(x(from))}`);
  return `M${px(x(first.from))} ${px(y(first.low))}${over.join('')}${back.join('')}Z`;
}
