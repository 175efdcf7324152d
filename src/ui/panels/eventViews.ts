import { ladderAt } from '../../analysis/timeline/moment.ts';
import type { SessionSeries, LadderSpan } from '../../analysis/timeline/series.ts';
import type { DecisionEvent, RequestEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { copyText, html } from '../dom.ts';
import { announce } from '../messages.ts';
import { decisionFacts, formatOutcome, ODDS, requestFacts, valueFacts, type Fact } from './facts.ts';
import { ruleLook } from '../../charts/ruleLook.ts';
import { formatCount, formatNumber, formatPercent } from '../../shared/format.ts';
import { mbpsFromKbps } from '../../shared/units.ts';

/** One request, or one decision with its request; null: it is not finished. */
export function viewOf(
  event: SessionEvent | null,
  request: SessionEvent | null,
  series: SessionSeries,
): readonly HTMLElement[] {
  if (event?.kind === 'request') return requestView(event);
  if (event?.kind !== 'decision') return [html('p', { class: 'empty-note' }, 'Still in flight.')];
  return decisionView(event, request?.kind === 'request' ? request : null, series);
}

/** One decision, the sentence first: why, from what, what else was possible, who wanted what. */
export function decisionView(
  decision: DecisionEvent,
  request: RequestEvent | null,
  series: SessionSeries,
): readonly HTMLElement[] {
  return [
    html('p', { class: 'because' }, decision.because),
    ...warningOf(decision),
    factList(decisionFacts(decision, request, series)),
    ...valuesOf(decision),
    ladderTable(decision, ladderAt(series, decision.mediaType, decision.atMs)),
    votesSaid(decision),
    copyButton(decision),
  ];
}

/** The event as the log has it, for a bug report or a script. */
function copyButton(event: DecisionEvent | RequestEvent): HTMLElement {
  const button = html('button', { type: 'button', class: 'btn quiet copy' }, 'Copy as JSON');
  button.addEventListener('click', () => {
    void copyText(JSON.stringify(event, null, 2)).then((done) => {
      button.textContent = done ? 'Copied' : 'No clipboard: export instead';
      announce(done ? 'The event is copied as JSON.' : 'This page may not use the clipboard.');
    });
  });
  return button;
}

/** A net that was asked about something it never met in training is worth less trust than its odds say. */
function warningOf({ values }: DecisionEvent): readonly HTMLElement[] {
  const count = values['outsideInputs'] ?? 0;
  if (count === 0) return [];
  const what = count === 1 ? 'One kind of input is' : `${count} kinds of inputs are`;
  return [
    html(
      'p',
      { class: 'odd-inputs' },
      `${what} outside the training data of this net: do not rely on its probabilities.`,
    ),
  ];
}

/** More than this many stand folded: the ladder below must not move out of sight. */
const SHOWN_VALUES = 8;

/** The numbers that the rule says it decided by. */
function valuesOf({ values, rule }: DecisionEvent): readonly HTMLElement[] {
  const facts = valueFacts(values);
  if (facts.length === 0) return [];
  const more = facts.slice(SHOWN_VALUES);
  return [
    html('h3', { class: 'values-title' }, `Numbers of ${ruleLook(rule).label}`),
    factList(facts.slice(0, SHOWN_VALUES)),
    ...(more.length === 0
      ? []
      : [
          html(
            'details',
            { class: 'votes-said more-values' },
            html('summary', {}, `${more.length} more`),
            factList(more),
          ),
        ]),
  ];
}

function votesSaid({ votes, rule }: DecisionEvent): HTMLElement {
  const said = votes.map((vote) =>
    html(
      'li',
      {},
      ruleMark(vote.rule, vote.rule === rule),
      `${ruleLook(vote.rule).label}: ${vote.because}${vote.rung === null ? '' : ` (level ${vote.rung + 1})`}`,
    ),
  );
  return html(
    'details',
    { class: 'votes-said' },
    html('summary', {}, `What ${formatCount(votes.length, 'rule')} said`),
    html('ul', {}, ...said),
  );
}

/** One request: how it ended, how long each phase took, and for what is not known, why. */
export function requestView(request: RequestEvent): readonly HTMLElement[] {
  return [
    html('p', { class: 'because' }, formatOutcome(request)),
    factList(requestFacts(request)),
    html('p', { class: 'empty-note' }, html('code', {}, request.url)),
    copyButton(request),
  ];
}

/**
 * The ladder, highest rung first, with who voted for a rung and what it leaves of the estimate; or, where the rule gives
 * odds, the probability of each.
 */
function ladderTable(decision: DecisionEvent, ladder: LadderSpan | null): HTMLElement {
  if (!ladder) return html('p', { class: 'empty-note' }, 'The log has no ladder for this moment.');
  const rows = ladder.rungs.map((rung, index) => rowOf(rung, index, decision)).reverse();
  const head = headRow(hasOdds(decision) ? 'probability' : 'headroom, Mbit/s');
  const table = html('table', { class: 'rungs' }, columns(), head, html('tbody', {}, ...rows));
  return html(
    'div',
    { class: 'rungs-box', tabindex: 0, role: 'region', 'aria-label': 'Ladder and votes' },
    table,
  );
}

/** Fixed widths: the columns must not move from one decision to the next. */
function columns(): HTMLElement {
  const names = ['rung', 'height', 'rate', 'bar', 'headroom', 'votes'];
  return html('colgroup', {}, ...names.map((name) => html('col', { class: `col-${name}` })));
}

function headRow(measure: string): HTMLElement {
  const head = (text: string, className = '', span = 1): HTMLElement =>
    html('th', { scope: 'col', class: className, colspan: span }, text);
  return html(
    'thead',
    {},
    html(
      'tr',
      {},
      head('Level'),
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
  return html(
    'tr',
    {
      class: rung === decision.rung ? 'chosen' : null,
      'aria-current': rung === decision.rung ? 'true' : null,
    },
    html('td', {}, String(rung + 1)),
    html('td', { class: 'l' }, height === null ? '' : `${height}p`),
    html('td', {}, mbpsFromKbps(bitrateKbps).toFixed(bitrateKbps < 1000 ? 2 : 1)),
    ...(hasOdds(decision) ? oddsCells(decision, rung) : headroomCells(decision, bitrateKbps)),
    html('td', { class: 'l' }, ...votes.map(({ rule }) => ruleMark(rule, rule === decision.rule))),
  );
}

function headroomCells({ estimateKbps }: DecisionEvent, bitrateKbps: number): HTMLElement[] {
  const headroomKbps = estimateKbps === null ? null : estimateKbps - bitrateKbps;
  return [
    barCell(barOf(headroomKbps, bitrateKbps)),
    html('td', {}, headroomKbps === null ? '' : formatHeadroom(mbpsFromKbps(headroomKbps))),
  ];
}

function oddsCells({ values }: DecisionEvent, rung: number): HTMLElement[] {
  const share = values[`${ODDS}${rung}`] ?? 0;
  const bar = html('i');
  bar.style.width = `${(share * 100).toFixed(1)}%`;
  bar.style.left = '0';
  return [barCell(html('span', {}, bar)), html('td', {}, formatPercent(share, { decimals: 1 }))];
}

const barCell = (bar: HTMLElement): HTMLElement =>
  html('td', { class: 'bar-cell', 'aria-hidden': 'true' }, bar);

const hasOdds = ({ values }: DecisionEvent): boolean => values[`${ODDS}0`] != null;

/** From the middle to the right what is left, to the left what is short; full at the rung's own bitrate. */
function barOf(headroomKbps: number | null, bitrateKbps: number): HTMLElement {
  const bar = html('i');
  const share = headroomKbps === null ? 0 : Math.min(1, Math.abs(headroomKbps) / Math.max(bitrateKbps, 1));
  bar.style.width = `${(share * 50).toFixed(1)}%`;
  bar.style[headroomKbps !== null && headroomKbps < 0 ? 'right' : 'left'] = '50%';
  return html('span', {}, bar);
}

const formatHeadroom = (mbps: number): string => formatNumber(mbps, Math.abs(mbps) < 100 ? 2 : 0);

/** The rule's letters as a mark: filled when it won, outlined when it only voted. */
function ruleMark(rule: string, won: boolean): HTMLElement {
  const { code, label, tone } = ruleLook(rule);
  const mark = html('span', { class: `code ${tone}${won ? ' won' : ''}`, title: label }, code);
  mark.append(html('span', { class: 'sr' }, won ? ' won' : ' voted'));
  return mark;
}

/** Facts as a two-column list; what does not fit is in the title. */
function factList(facts: readonly Fact[]): HTMLElement {
  const parts = facts.flatMap(([label, value]) => [
    html('dt', {}, label),
    html('dd', { title: value }, value),
  ]);
  return html('dl', { class: 'kv' }, ...parts);
}
