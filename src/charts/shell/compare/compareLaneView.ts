import { isShown, type CompareLane, type Comparison } from '../../compare/compareLane.ts';
import { readoutOf } from '../../compare/sessionLines.ts';
import type { SessionLook } from '../../compare/sessionLooks.ts';
import type { View } from '../../chart.ts';
import { html } from '../../../ui/dom.ts';
import { createLaneChart } from '../laneChart.ts';
import type { Theme } from '../theme.ts';

/** One lane of the compare view on the page: head with a number for each session, and the canvas under it. */
export interface CompareLaneView {
  readonly element: HTMLElement;
  readonly plot: HTMLElement;
  draw(comparison: Comparison, view: View, look: { theme: Theme; scale: number; widthPx: number }): void;
  say(comparison: Comparison, atMs: number): void;
}

export function createCompareLane(lane: CompareLane): CompareLaneView {
  const canvas = html('canvas', { role: 'img', 'aria-label': lane.label });
  const plot = html('div', { class: 'lane-plot' }, canvas);
  const note = html('span', { class: 'lane-note' });
  const readout = html('ul', { class: 'lane-readout' });
  const head = html('div', { class: 'lane-head' }, html('h2', {}, lane.label), note, readout);
  const element = html(
    'section',
    { class: 'lane', id: `compare-${lane.id}`, 'aria-label': lane.label },
    head,
    plot,
  );
  const chart = createLaneChart(canvas, 1);
  let size = '';
  return {
    element,
    plot,
    draw(comparison, view, { theme, scale, widthPx }) {
      element.hidden = !isShown(lane, comparison) || lane.hasData?.(comparison) === false;
      if (element.hidden) return;
      const built = lane.build(comparison, view);
      if (note.textContent !== built.note) note.textContent = built.note;
      if (canvas.getAttribute('aria-label') !== built.sentence)
        canvas.setAttribute('aria-label', built.sentence);
      const heightPx = built.heightPx ?? plot.clientHeight;
      plot.style.height = `${heightPx}px`;
      const wanted = `${widthPx} ${heightPx} ${scale}`;
      if (wanted !== size) chart.resize(widthPx, heightPx, scale);
      size = wanted;
      chart.draw(built, view, theme);
    },
    say(comparison, atMs) {
      if (element.hidden) return;
      const items = readoutOf(lane, comparison, atMs).map(({ look, text }) =>
        html('li', {}, letterMark({ look }), html('b', {}, text)),
      );
      readout.replaceChildren(...items);
    },
  };
}

/** The letter of a session or an arm in its colour. */
export function letterMark({ look: { letter, tone } }: { readonly look: SessionLook }): HTMLElement {
  const mark = html('span', { class: 'letter' }, letter);
  mark.style.setProperty('--c', `var(--${tone})`);
  return mark;
}
