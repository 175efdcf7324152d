import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { PROTOCOL_NAMES } from '../../analysis/transport/protocol.ts';
import { RANGES, type Range, type RangeName } from '../range.ts';
import { protocolStrip } from '../marks/protocolStrip.ts';
import { glyphSvg } from './glyphSvg.ts';
import { html, setTo } from '../../ui/dom.ts';
import { createLaneChart } from './laneChart.ts';
import { createStripWindow } from './stripWindow.ts';
import type { Theme } from './theme.ts';
import { formatClock } from '../../shared/format.ts';

/** The whole session as one strip of its protocols; its window is the handle that zooms and pans every lane. */
export interface Overview {
  readonly element: HTMLElement;
  draw(
    series: SessionSeries,
    shown: { range: Range; endMs: number; name: RangeName | null },
    look: Look,
  ): void;
  dispose(): void;
}
interface Look {
  readonly theme: Theme;
  readonly scale: number;
  readonly widthPx: number;
  readonly narrow: boolean;
}

interface OverviewActions {
  onName(name: RangeName): void;
  onRange(range: Range): void;
}

const HEIGHT_PX = 24;

export function createOverview(actions: OverviewActions): Overview {
  const parts = overviewElements(actions);
  const chart = createLaneChart(parts.canvas, 1);
  const shownPart = createStripWindow(parts.strip, actions.onRange);
  let size = '';
  return {
    element: parts.element,
    draw(series, { range, endMs, name }, { theme, scale, widthPx, narrow }) {
      const plotPx = widthPx - theme.gutterLeftPx - theme.gutterRightPx;
      const wanted = `${widthPx} ${scale}`;
      if (wanted !== size) chart.resize(widthPx, HEIGHT_PX, scale);
      size = wanted;
      const view = { fromMs: 0, toMs: endMs, nowMs: series.lastMs, maxPoints: plotPx, narrow };
      const lane = protocolStrip(series, view);
      chart.draw(lane, view, theme);
      parts.canvas.setAttribute('aria-label', lane.sentence);
      const end = formatClock(endMs);
      if (parts.end.textContent !== end) parts.end.textContent = end;
      shownPart.place({ range, endMs, leftPx: theme.gutterLeftPx, plotPx });
      for (const [each, button] of parts.buttons) setTo(button, 'ariaPressed', String(each === name));
    },
    dispose() {
      shownPart.dispose();
      chart.dispose();
    },
  };
}

function overviewElements(actions: OverviewActions) {
  const canvas = html('canvas', { role: 'img' });
  const end = html('span', { class: 'lanes-end' });
  const strip = html(
    'div',
    { class: 'lanes-strip' },
    canvas,
    html('span', { class: 'lanes-start' }, '0:00'),
    end,
  );
  const legend = html('ul', { class: 'lane-readout' });
  for (const protocol of ['h1', 'h2', 'h3', 'unknown'] as const)
    legend.append(html('li', {}, glyphSvg(protocol), PROTOCOL_NAMES[protocol]));
  const group = html('div', { class: 'lanes-ranges', role: 'group', 'aria-label': 'Time shown' });
  const buttons = RANGES.map(({ name, label }) => {
    const button = html('button', { type: 'button', 'aria-pressed': 'false' }, label);
    button.addEventListener('click', () => actions.onName(name));
    group.append(button);
    return [name, button] as const;
  });
  const head = html('div', { class: 'lane-head' }, html('h2', {}, 'Protocols in use'), legend, group);
  const element = html('section', { class: 'lanes-overview', 'aria-label': 'Protocols in use' }, head, strip);
  return { element, strip, canvas, end, buttons };
}
