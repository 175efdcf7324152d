import { bufferTargetAt } from '../../analysis/timeline/moment.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { lastRow, valueAt } from '../../analysis/timeline/table.ts';
import { stallsAmong, stallsUntil, totalMs, waitsUntil } from '../../analysis/timeline/spans.ts';
import { axisFromZero } from '../axis.ts';
import type { Chart, ReadoutItem, View } from '../chart.ts';
import type { GlyphId } from '../marks/glyphs.ts';
import { textAt, type LineMark, type Mark, type TextItem } from '../marks/mark.ts';
import { lineRows, rowsInView } from '../marks/wideRows.ts';
import { thinPoints, thinSpans } from '../marks/thinning.ts';
import { NO_BREAK, formatNumber, formatCount, formatClock } from '../../shared/format.ts';

const STALL_PX = 8;

/** How much is buffered ahead, its target, and where playback stalled. */
export const buffer: Chart = {
  id: 'buffer',
  label: 'Buffer',
  height: { minPx: 54, maxPx: 104, narrowPx: 84 },
  hasData: ({ scene }) => !scene.isTransfer,
  build(series, view) {
    const targetS = targetAt(series, view.nowMs);
    const maxS = Math.max(targetS ?? 0, (series.maxLevelMs ?? 0) / 1000, 1);
    const left = { ...axisFromZero({ max: maxS, unit: 's', parts: 2 }) };
    const waits = waitsUntil(series, view.nowMs);
    return {
      note: '',
      sentence: `Buffer level in seconds over session time. ${formatCount(stallsAmong(waits).length, 'stall')}, ${formatNumber(totalMs(waits) / 1000, 1)} seconds in all.`,
      left: { ...left, top: Math.max(left.top, maxS) * 1.12 },
      right: {
        ...left,
        top: Math.max(left.top, maxS) * 1.12,
        ticks: targetS === null ? [] : [{ value: targetS, label: 'target' }],
      },
      marks: [...levelMarks(series, view, targetS), ...stallMarks(series, view, left.top)],
      heightPx: null,
    };
  },
  readout(series, atMs) {
    const level = (table: SessionSeries['buffer']['video']): number | null =>
      valueAt(
        table.columns.levelMs,
        lastRow(table, atMs, () => true),
      );
    return [
      item('rendered', 'video', level(series.buffer.video)),
      item('requested', 'audio', level(series.buffer.audio)),
      { ...item('stall', 'stalled so far', totalMs(waitsUntil(series, atMs))), chars: 7 },
    ];
  },
  table(series, { fromMs, toMs, maxRows }) {
    const table = series.buffer.video.length > 0 ? series.buffer.video : series.buffer.audio;
    const { from, to } = rowsInView(table, { fromMs, toMs }, () => true);
    const every = Math.max(1, Math.ceil((to - from) / maxRows));
    const rows: string[][] = [];
    for (let row = from; row < to; row += every) {
      const atMs = table.columns.atMs[row]!;
      const audio = valueAt(
        series.buffer.audio.columns.levelMs,
        lastRow(series.buffer.audio, atMs, () => true),
      );
      const video = valueAt(
        series.buffer.video.columns.levelMs,
        lastRow(series.buffer.video, atMs, () => true),
      );
      rows.push([formatClock(atMs, true), seconds(video), seconds(audio)]);
    }
    return {
      caption: 'Buffer level in seconds',
      columns: ['Time', 'Video', 'Audio'],
      rows,
      leftOut: Math.max(0, to - from - rows.length),
    };
  },
};

const seconds = (ms: number | null): string => formatNumber(ms === null ? null : ms / 1000, 1);
const item = (glyph: GlyphId, label: string, ms: number | null): ReadoutItem => ({
  glyph,
  label,
  value: ms === null ? '–' : seconds(ms),
  chars: 5,
});

function targetAt(series: SessionSeries, atMs: number): number | null {
  const ms = bufferTargetAt(series, atMs);
  return ms === null ? null : ms / 1000;
}

function levelMarks(series: SessionSeries, view: View, targetS: number | null): Mark[] {
  const level = (mediaType: 'video' | 'audio'): Pick<LineMark, 'kind' | 'axis' | 'xs' | 'ys'> => {
    const table = series.buffer[mediaType];
    const rows = lineRows(table, view, {
      name: 'level',
      values: table.columns.levelMs,
      keeps: () => true,
    });
    const { xs, ys } = thinPoints(rows, view);
    return { kind: 'line', axis: 'left', xs, ys: ys.map((ms) => ms / 1000) };
  };
  const plain = { dash: [], step: false, halo: false };
  const target: LineMark = {
    kind: 'line',
    axis: 'left',
    xs: [view.fromMs, view.toMs],
    ys: [targetS ?? NaN, targetS ?? NaN],
    tone: 'ink-3',
    widthPx: 1,
    ...plain,
    dash: [2, 3],
    fill: false,
  };
  return [
    target,
    { ...level('audio'), tone: 'ink-3', widthPx: 1, ...plain, fill: false },
    { ...level('video'), tone: 'ink', widthPx: 1.75, ...plain, fill: true },
  ];
}

/** Hatched at the bottom edge and named where there is space for the words. */
function stallMarks(series: SessionSeries, view: View, topS: number): Mark[] {
  const spans = stallsUntil(series, view.nowMs).filter(
    ({ fromMs, toMs }) => toMs > view.fromMs && fromMs < view.toMs,
  );
  const labelMs = ((view.toMs - view.fromMs) / view.maxPoints) * 76;
  let freeMs = -Infinity;
  const items = spans.flatMap(({ fromMs, toMs }): TextItem[] => {
    const atMs = Math.max(toMs, view.fromMs);
    if (atMs < freeMs || atMs + labelMs > view.toMs) return [];
    freeMs = atMs + labelMs;
    const text = `stall ${formatNumber((toMs - fromMs) / 1000, 1)}${NO_BREAK}s`;
    return [textAt(text, { atMs, y: topS }, { tone: 'stall', strong: true })];
  });
  return [
    { kind: 'hatch', what: 'stall', spans: thinSpans(spans, view), y: 0, heightPx: STALL_PX },
    { kind: 'texts', items },
  ];
}
