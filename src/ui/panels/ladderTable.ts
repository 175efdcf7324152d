import type { LadderSpan } from '../../analysis/series.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';
import { mbpsFromKbps } from '../../units.ts';
import { element } from '../element.ts';
import { ruleMark } from './ruleMark.ts';

/** The ladder, highest rung first, with what each rung leaves of the estimate and who voted for it. */
export function ladderTable(decision: DecisionEvent, ladder: LadderSpan | null): HTMLElement {
  if (!ladder) return element('p', { class: 'empty-note' }, 'The ladder of this moment is not in the log.');
  const rows = ladder.rungs.map((rung, index) => rowOf(rung, index, decision)).reverse();
  const table = element('table', { class: 'rungs' }, columns(), headRow(), element('tbody', {}, ...rows));
  return element(
    'div',
    { class: 'rungs-box', tabindex: 0, role: 'region', 'aria-label': 'Ladder and votes' },
    table,
  );
}

/** Fixed widths: the columns must not move from one decision to the next. */
function columns(): HTMLElement {
  const names = ['rung', 'height', 'rate', 'bar', 'headroom', 'votes'];
  return element('colgroup', {}, ...names.map((name) => element('col', { class: `col-${name}` })));
}

function headRow(): HTMLElement {
  const head = (text: string, className = '', span = 1): HTMLElement =>
    element('th', { scope: 'col', class: className, colspan: span }, text);
  return element(
    'thead',
    {},
    element(
      'tr',
      {},
      head('Rung'),
      head('Height', 'l'),
      head('Mbit/s'),
      head('headroom, Mbit/s', '', 2),
      head('Votes', 'l'),
    ),
  );
}

function rowOf(
  { bitrateKbps, height }: LadderSpan['rungs'][number],
  rung: number,
  decision: DecisionEvent,
): HTMLElement {
  const headroomKbps = decision.estimateKbps === null ? null : decision.estimateKbps - bitrateKbps;
  const votes = decision.votes.filter((vote) => vote.rung === rung);
  return element(
    'tr',
    {
      class: rung === decision.rung ? 'chosen' : null,
      'aria-current': rung === decision.rung ? 'true' : null,
    },
    element('td', {}, String(rung + 1)),
    element('td', { class: 'l' }, height === null ? '' : `${height}p`),
    element('td', {}, mbpsFromKbps(bitrateKbps).toFixed(bitrateKbps < 1000 ? 2 : 1)),
    element('td', { class: 'bar-cell', 'aria-hidden': 'true' }, barOf(headroomKbps, bitrateKbps)),
    element('td', {}, headroomKbps === null ? '' : signed(mbpsFromKbps(headroomKbps))),
    element('td', { class: 'l' }, ...votes.map(({ rule }) => ruleMark(rule, rule === decision.rule))),
  );
}

/** From the middle to the right what is left, to the left what is short; full at the rung's own bitrate. */
function barOf(headroomKbps: number | null, bitrateKbps: number): HTMLElement {
  const bar = element('i');
  const share = headroomKbps === null ? 0 : Math.min(1, Math.abs(headroomKbps) / Math.max(bitrateKbps, 1));
  bar.style.width = `${(share * 50).toFixed(1)}%`;
  bar.style[headroomKbps !== null && headroomKbps < 0 ? 'right' : 'left'] = '50%';
  return element('span', {}, bar);
}

const signed = (value: number): string => value.toFixed(Math.abs(value) < 100 ? 2 : 0).replace('-', '−');
