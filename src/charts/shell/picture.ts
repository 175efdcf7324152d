import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { Chart, ReadoutItem, View } from '../chart.ts';
import { GLYPHS, type Glyph } from '../marks/glyphs.ts';
import { createLaneChart } from './laneChart.ts';
import { laneWithBackdrop } from './laneView.ts';
import { readTheme, type Theme } from './theme.ts';
import { paintAxis } from './timeAxis.ts';
import { formatClock } from '../../shared/format.ts';

const SCALE = 2;
const HEAD_PX = 46;
const AXIS_PX = 24;
const MARGIN_PX = 12;

interface PictureSource {
  readonly host: Element;
  readonly series: SessionSeries;
  readonly view: View;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A lane as a PNG at twice the size, with its title, range and legend printed on it. */
export async function pictureOf(chart: Chart, source: PictureSource): Promise<Blob> {
  const theme = readTheme(source.host, SCALE);
  const { widthPx, view } = source;
  const lane = laneWithBackdrop(chart, source.series, view);
  const heightPx = lane.heightPx ?? source.heightPx;
  const page = document.createElement('canvas');
  page.width = widthPx * SCALE;
  page.height = (HEAD_PX + heightPx + AXIS_PX) * SCALE;
  const context = page.getContext('2d')!;
  context.fillStyle = theme.colour('surface');
  context.fillRect(0, 0, page.width, page.height);
  const plot = document.createElement('canvas');
  const drawn = createLaneChart(plot, SCALE);
  drawn.resize(widthPx, heightPx, SCALE);
  drawn.draw(lane, view, theme);
  context.drawImage(plot, 0, HEAD_PX * SCALE);
  drawn.dispose();
  const axis = document.createElement('canvas');
  axis.width = page.width;
  axis.height = AXIS_PX * SCALE;
  paintAxis(axis.getContext('2d')!, view, { theme, scale: SCALE, widthPx, name: 'session' });
  context.drawImage(axis, 0, (HEAD_PX + heightPx) * SCALE);
  context.setTransform(SCALE, 0, 0, SCALE, 0, 0);
  const title = [chart.label, lane.note].filter(Boolean).join(', ');
  printHead(context, theme, { title, view, items: chart.readout(source.series, view.toMs) });
  return blobOf(page);
}

function printHead(
  context: CanvasRenderingContext2D,
  theme: Theme,
  { title, view, items }: { title: string; view: View; items: readonly ReadoutItem[] },
): void {
  context.textBaseline = 'middle';
  context.fillStyle = theme.colour('ink');
  context.font = theme.font(600);
  context.fillText(title, MARGIN_PX, 14);
  context.font = theme.font();
  context.fillStyle = theme.colour('ink-2');
  const range = `${formatClock(view.fromMs)} to ${formatClock(view.toMs)} of the session`;
  context.fillText(range, MARGIN_PX + context.measureText(title).width * 1.12 + 14, 14);
  let x = MARGIN_PX;
  for (const { glyph, label } of items) {
    if (!glyph) continue;
    printGlyph(context, theme, { glyph, x, y: 27 });
    context.fillStyle = theme.colour('ink-2');
    context.fillText(label, x + 21, 32);
    x += 21 + context.measureText(label).width + 16;
  }
}

function printGlyph(
  context: CanvasRenderingContext2D,
  theme: Theme,
  { glyph, x, y }: { glyph: keyof typeof GLYPHS; x: number; y: number },
): void {
  context.save();
  context.translate(x, y);
  for (const shape of GLYPHS[glyph] as readonly Glyph[]) {
    const path = new Path2D(shape.d);
    if (shape.fill) {
      context.fillStyle = theme.colour(shape.fill);
      context.fill(path);
    }
    if (!shape.stroke) continue;
    context.strokeStyle = theme.colour(shape.stroke);
    context.lineWidth = shape.widthPx ?? 1;
    context.lineCap = glyph === 'unknown' ? 'round' : 'butt';
    context.setLineDash([...(shape.dash ?? [])]);
    context.stroke(path);
  }
  context.restore();
}

const blobOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture')))),
  );

/** Hands a picture to the browser's downloads. */
export function savePicture(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.png`;
  link.click();
  // The download reads the address after this turn; a minute is ample even for a slow disk.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
