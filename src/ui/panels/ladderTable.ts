import type { LadderSpan } from '../../analysis/timeline/series.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';
import { mbpsFromKbps } from '../../shared/units.ts';
import { element } from '../element.ts';
import { ruleMark } from './ruleMark.ts';
import { ODDS } from './valueFacts.ts';
import { formatNumber, formatPercent } from '../../shared/format.ts';

/**
 * The ladder, highest rung first, with who voted for a rung and what it leaves of the estimate; or, where the rule gives
 * odds, the probability of each.
 */
export function ladderTable(decision: DecisionEvent, ladder: LadderSpan | null): HTMLElement {
  if (!ladder) return element('p', { class: 'empty-note' }, 'The log has no ladder for this moment.');
  const rows = ladder.rungs.map((rung, index) => rowOf(rung, index, decision)).reverse();
  const head = headRow(hasOdds(decision) ? 'probability' : 'headroom, Mbit/s');
  const table = element('table', { class: 'rungs' }, columns(), head, element('tbody', {}, ...rows));
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

function headRow(measure: string): HTMLElement {
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
      head(measure, '', 2),
      head('Votes', 'l'),
    ),
  );
}

function rowOf(
  { bitrateKbps, height }: LadderSpan['rungs'][number],
  rung: number,
  decision: DecisionEvent,
): HTMLElement {
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
    ...(hasOdds(decision) ? oddsCells(decision, rung) : headroomCells(decision, bitrateKbps)),
    element('td', { class: 'l' }, ...votes.map(({ rule }) => ruleMark(rule, rule === decision.rule))),
  );
}

function headroomCells({ estimateKbps }: DecisionEvent, bitrateKbps: number): HTMLElement[] {
  const headroomKbps = estimateKbps === null ? null : estimateKbps - bitrateKbps;
  return [
    barCell(barOf(headroomKbps, bitrateKbps)),
    element('td', {}, headroomKbps === null ? '' : formatHeadroom(mbpsFromKbps(headroomKbps))),
  ];
}

function oddsCells({ values }: DecisionEvent, rung: number): HTMLElement[] {
  const share = values[`${ODDS}${rung}`] ?? 0;
  const bar = element('i');
  bar.style.width = `${(share * 100).toFixed(1)}%`;
  bar.style.left = '0';
  return [barCell(element('span', {}, bar)), element('td', {}, formatPercent(share, { decimals: 1 }))];
}

const barCell = (bar: HTMLElement): HTMLElement =>
  element('td', { class: 'bar-cell', 'aria-hidden': 'true' }, bar);

const hasOdds = ({ values }: DecisionEvent): boolean => values[`${ODDS}0`] != null;

/** From the middle to the right what is left, to the left what is short; full at the rung's own bitrate. */
function barOf(headroomKbps: number | null, bitrateKbps: number): HTMLElement {
  const bar = element('i');
  const share = headroomKbps === null ? 0 : Math.min(1, Math.abs(headroomKbps) / Math.max(bitrateKbps, 1));
  bar.style.width = `${(share * 50).toFixed(1)}%`;
  bar.style[headroomKbps !== null && headroomKbps < 0 ? 'right' : 'left'] = '50%';
  return element('span', {}, bar);
}

const formatHeadroom = (mbps: number): string => formatNumber(mbps, Math.abs(mbps) < 100 ? 2 : 0);
