import { PROTOCOLS, tcpClassOf } from '../../analysis/transport/protocol.ts';
import {
  byteBins,
  bytesIn,
  protocolSwitches,
  tcpShares,
  type ByteBins,
} from '../../analysis/transport/overTime.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { axisFromZero } from '../axis.ts';
import type { Chart, ReadoutItem, View } from '../chart.ts';
import type { GlyphId } from '../marks/glyphs.ts';
import { textAt, type BarsMark, type Mark, type TextItem } from '../marks/mark.ts';
import { primaryLane } from '../requestRows.ts';
import { raceCounts } from '../../analysis/transport/raceOutcomes.ts';
import { raceMarks } from '../marks/raceMarks.ts';
import { raceKeys, formatRace } from './raceReadout.ts';
import { thinTimes } from '../marks/thinning.ts';
import { NO_BREAK, formatNumber, formatCount, formatPercent, formatClock } from '../../shared/format.ts';

/** The strip above the bars, as a share of their height. */
const HEADROOM = 1.38;
/** In it, as shares of the same: clear of the line of 100 % and of each other. */
const LEVELS = { badges: 1.25, cars: 1.085 };
/** Two ▲ closer than this look like one. */
const FLAG_PX = 4;

/** Which protocol carried how much, where it changed, and the browser's own races where somebody recorded them. */
export const racing: Chart = {
  id: 'racing',
  label: 'Racing',
  height: { minPx: 94, maxPx: 170, narrowPx: 138 },
  build(series, view) {
    const { binMs, shareMs } = windowMs(view);
    const toMs = Math.min(view.toMs, view.nowMs);
    const bins = byteBins(series, { fromMs: view.fromMs, toMs, binMs });
    const shares = byteBins(series, { fromMs: view.fromMs, toMs, binMs: shareMs });
    const switches = protocolSwitches(series, { fromMs: view.fromMs, toMs, lane: primaryLane(series) });
    const left = axisFromZero({ max: maxMegabytes(bins), unit: 'MB', headroom: HEADROOM });
    const full = left.top / HEADROOM;
    return {
      note: view.narrow ? '' : `bytes per ${formatSpan(binMs)}, TCP share per ${formatSpan(shareMs)}`,
      sentence: `Megabytes per protocol in windows of ${formatSpan(binMs)}, TCP share per ${formatSpan(shareMs)} in percent, ${formatCount(switches.length, 'protocol switch', 'protocol switches')}. ${formatRace(series)}`,
      left: { ...left, ticks: [...left.ticks, { value: full * LEVELS.badges, label: 'race' }] },
      right: { scale: 'linear', bottom: 0, top: 100 * HEADROOM, ticks: SHARE_TICKS },
      marks: [
        bars(bins, toMs),
        ...shareMarks({ bins: shares, shares: tcpShares(shares), toMs }, view),
        { kind: 'flags', xs: thinTimes(switches, view, FLAG_PX).map(({ atMs }) => atMs) },
        ...raceMarks(series, view, { badges: full * LEVELS.badges, cars: full * LEVELS.cars }),
      ],
      heightPx: null,
    };
  },
  readout(series, atMs) {
    const window = (binMs: number): ByteBins => {
      const fromMs = Math.floor(atMs / binMs) * binMs;
      return byteBins(series, { fromMs, toMs: fromMs + binMs, binMs });
    };
    const bytes = bytesIn(window(5000), 0);
    const share = tcpShares(window(30_000))[0] ?? NaN;
    const carried = PROTOCOLS.filter((protocol) => series.requests.length === 0 || isSeen(series, protocol));
    const said = Number.isNaN(share)
      ? 'unknown'
      : `${formatPercent(share, { space: NO_BREAK })} ${tcpClassOf(share)}`;
    return [
      ...raceKeys(series, atMs),
      key('switch', 'switch seen'),
      ...carried.map((protocol) => megabytes(protocol, bytes[protocol])),
      { glyph: 'share', label: 'TCP', value: said, chars: 12 },
    ];
  },
  table(series, { fromMs, toMs, maxRows }) {
    const bins = byteBins(series, { fromMs, toMs, binMs: 30_000 });
    const shares = tcpShares(bins);
    const rows = Array.from(shares, (share, bin) => {
      const bytes = bytesIn(bins, bin);
      const mega = PROTOCOLS.map((protocol) => formatNumber(bytes[protocol] / 1e6, 2));
      const startMs = bins.fromMs + bin * bins.binMs;
      const { quic, tcp, died } = raceCounts(series, { fromMs: startMs, toMs: startMs + bins.binMs });
      const races =
        series.races.length === 0 ? ['unknown', 'unknown', 'unknown'] : [quic, tcp, died].map(String);
      return [
        formatClock(startMs),
        ...mega,
        Number.isNaN(share) ? 'unknown' : formatPercent(share, { space: NO_BREAK }),
        ...races,
      ];
    });
    return {
      caption: `Megabytes of media per protocol, TCP share and races per 30 s. ${formatRace(series)}`,
      columns: ['From', 'http/1.1', 'h2', 'unknown', 'h3', 'TCP share', 'QUIC won', 'TCP won', 'Died'],
      rows: rows.slice(-maxRows),
      leftOut: Math.max(0, rows.length - maxRows),
    };
  },
};

/** 30 and 60 % are the borders between low, medium and high (racing paper 2024). */
const SHARE_TICKS = [0, 30, 60, 100].map((value) => ({ value, label: `${value}\u00a0%` }));

const key = (glyph: GlyphId, label: string): ReadoutItem => ({ glyph, label, value: null, chars: 0 });
const megabytes = (protocol: (typeof PROTOCOLS)[number], bytes: number): ReadoutItem => ({
  glyph: protocol,
  label: protocol === 'h1' ? 'http/1.1' : protocol,
  value: formatNumber(bytes / 1e6, 2),
  chars: 5,
});

const formatSpan = (ms: number): string => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`);

/** Protocols that never carried anything take no space in the head. */
function isSeen({ requests }: SessionSeries, protocol: (typeof PROTOCOLS)[number]): boolean {
  return requests.columns.protocol.subarray(0, requests.length).includes(PROTOCOLS.indexOf(protocol));
}

function maxMegabytes(bins: ByteBins): number {
  let max = 0;
  for (let bin = 0; bin < bins.count; bin += 1)
    max = Math.max(
      max,
      bins.bytes.reduce((sum, column) => sum + column[bin]!, 0),
    );
  return Math.max(max / 1e6, 0.1);
}

function bars(bins: ByteBins, toMs: number): Mark {
  const fromMs: number[] = [];
  const [ends, base, top, protocols]: number[][] = [[], [], [], []];
  for (let bin = 0; bin < bins.count; bin += 1) {
    let stacked = 0;
    bins.bytes.forEach((column, protocol) => {
      const mega = column[bin]! / 1e6;
      if (mega <= 0) return;
      fromMs.push(bins.fromMs + bin * bins.binMs);
      ends!.push(Math.min(toMs, bins.fromMs + (bin + 1) * bins.binMs));
      base!.push(stacked);
      top!.push((stacked += mega));
      protocols!.push(protocol);
    });
  }
  return {
    kind: 'bars',
    fromMs,
    toMs: ends!,
    base: base!,
    top: top!,
    protocols: protocols!,
  } satisfies BarsMark;
}

const LABEL_PX = 34;

/** The TCP share as a step line against the right axis, named where it changed and there is space. */
function shareMarks(
  { bins, shares, toMs }: { bins: ByteBins; shares: ArrayLike<number>; toMs: number },
  view: View,
): Mark[] {
  const xs: number[] = [];
  const ys: number[] = [];
  const items: TextItem[] = [];
  const labelMs = ((view.toMs - view.fromMs) / view.maxPoints) * LABEL_PX;
  for (let bin = 0; bin < bins.count; bin += 1) {
    const share = shares[bin]!;
    const fromMs = Math.max(view.fromMs, bins.fromMs + bin * bins.binMs);
    const endMs = Math.min(toMs, bins.fromMs + (bin + 1) * bins.binMs);
    xs.push(fromMs, endMs);
    ys.push(share * 100, share * 100);
    const changed = !(Math.abs(share - (shares[bin - 1] ?? NaN)) < 0.05);
    if (!Number.isNaN(share) && changed && endMs - fromMs > labelMs) items.push(label(fromMs, share));
  }
  return [
    {
      kind: 'line',
      axis: 'right',
      xs,
      ys,
      tone: 'ink',
      widthPx: 1.75,
      dash: [],
      step: false,
      fill: false,
      halo: true,
    },
    { kind: 'texts', items },
  ];
}

const label = (atMs: number, share: number): TextItem =>
  textAt(
    formatPercent(share, { space: NO_BREAK }),
    { atMs, y: share * 100 },
    { axis: 'right', tone: 'ink', strong: true, dxPx: 4, dyPx: share > 0.8 ? 10 : -8 },
  );

const SECONDS = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 86_400, 604_800];
const MIN_BAR_PX = 7;
const MIN_SHARE_PX = 14;

/** Windows of the racing lane: 5 s and 30 s (racing paper 2024), longer where they would be too thin to see. */
export function windowMs(view: View): { binMs: number; shareMs: number } {
  const msPerPx = (view.toMs - view.fromMs) / view.maxPoints;
  const fitting = (minMs: number): number =>
    (SECONDS.find((seconds) => seconds * 1000 >= minMs) ?? 604_800) * 1000;
  const binMs = fitting(Math.max(5000, msPerPx * MIN_BAR_PX));
  return { binMs, shareMs: fitting(Math.max(30_000, binMs, msPerPx * MIN_SHARE_PX)) };
}
