import { stallsUntil } from '../../../analysis/timeline/spans.ts';
import { type Comparison, placedMark } from '../../compare/compareLane.ts';
import type { Range } from '../../range.ts';
import { protocolSpans } from '../../marks/protocolStrip.ts';
import { html, svg } from '../../../ui/dom.ts';
import { createLaneChart } from '../laneChart.ts';
import { createStripWindow } from '../stripWindow.ts';
import type { Theme } from '../theme.ts';
import { formatClock } from '../../../shared/format.ts';

/** Buttons for people without a wheel, and the reference session as a strip whose window zooms and pans every lane. */
export interface ZoomBar {
  readonly element: HTMLElement;
  draw(shown: {
    comparison: Comparison;
    range: Range;
    endMs: number;
    plotPx: number;
    theme: Theme;
    scale: number;
    widthPx: number;
  }): void;
}

interface ZoomBarActions {
  zoom(factor: number): void;
  /** By a share of what is shown. */
  panPart(part: number): void;
  all(): void;
  onRange(range: Range): void;
}

const HEIGHT_PX = 24;

export function createZoomBar(actions: ZoomBarActions): ZoomBar {
  const { element, canvas, strip, range, all, end } = barElements(actions);
  const window = createStripWindow(strip, actions.onRange);
  const chart = createLaneChart(canvas, 1);
  let size = '';
  return {
    element,
    draw({ comparison, range: shown, endMs, plotPx, theme, scale, widthPx }) {
      const wanted = `${widthPx} ${scale}`;
      if (wanted !== size) chart.resize(widthPx, HEIGHT_PX, scale);
      size = wanted;
      const view = { fromMs: 0, toMs: endMs, nowMs: endMs, maxPoints: plotPx, narrow: false };
      chart.draw(laneOf(comparison, plotPx), view, theme);
      const { letter } = comparison.reference.look;
      canvas.setAttribute(
        'aria-label',
        `Session ${letter} as a whole: which protocol carried the media, and stalls.`,
      );
      const isWhole = shown.fromMs <= 0 && shown.toMs >= endMs;
      all.setAttribute('aria-pressed', String(isWhole));
      range.textContent = isWhole
        ? `all ${formatClock(endMs)}`
        : `${formatClock(shown.fromMs, true)} to ${formatClock(shown.toMs, true)} of ${formatClock(endMs)}`;
      end.textContent = formatClock(endMs);
      window.place({ range: shown, endMs, leftPx: theme.gutterLeftPx, plotPx });
    },
  };
}

function barElements(actions: ZoomBarActions) {
  const canvas = html('canvas', { role: 'img', 'aria-label': 'The reference session' });
  const end = html('span', { class: 'lanes-end' });
  const strip = html(
    'div',
    { class: 'lanes-strip' },
    canvas,
    html('span', { class: 'lanes-start' }, '0:00'),
    end,
  );
  const range = html('span', { class: 'lane-note', id: 'compare-range' });
  const all = button('All', 'Show all', actions.all);
  const group = html(
    'div',
    { class: 'lanes-ranges', role: 'group', 'aria-label': 'Zoom and pan' },
    button('M6 1.5 2 5.5l4 4', 'Earlier', () => actions.panPart(-0.5)),
    button('M1 5.5h9', 'Zoom out', () => actions.zoom(2)),
    button('M1 5.5h9M5.5 1v9', 'Zoom in', () => actions.zoom(0.5)),
    button('M5 1.5l4 4-4 4', 'Later', () => actions.panPart(0.5)),
    all,
  );
  const head = html('div', { class: 'lane-head' }, html('h2', {}, 'Time shown'), range, group);
  const element = html('section', { class: 'lanes-overview', 'aria-label': 'Time shown' }, head, strip);
  return { element, canvas, strip, range, all, end };
}

function laneOf({ reference: { series, time } }: Comparison, maxPoints: number) {
  const own = { fromMs: 0, toMs: series.lastMs, nowMs: series.lastMs, maxPoints, narrow: false };
  const stalls = {
    kind: 'hatch',
    what: 'stall',
    spans: stallsUntil(series, series.lastMs),
    y: HEIGHT_PX,
    heightPx: 4,
  } as const;
  return {
    note: '',
    sentence: '',
    right: null,
    heightPx: HEIGHT_PX,
    left: { scale: 'linear', bottom: HEIGHT_PX, top: 0, ticks: [] } as const,
    marks: [protocolSpans(series, own), stalls].map((mark) => placedMark(mark, time.of)),
  };
}

/** A word, or a path drawn in 11 × 11. */
function button(face: string, label: string, act: () => void): HTMLButtonElement {
  const made = html('button', { type: 'button', 'aria-label': label, title: label });
  made.append(
    face.startsWith('M')
      ? svg({ width: 11, height: 11 }, [
          { d: face, fill: 'none', stroke: 'currentColor', 'stroke-width': '1.5' },
        ])
      : face,
  );
  made.addEventListener('click', act);
  return made;
}
