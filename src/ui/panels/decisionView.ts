import { ladderAt } from '../../analysis/timeline/moment.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { DecisionEvent, RequestEvent } from '../../telemetry/event.ts';
import { element } from '../element.ts';
import { decisionFacts } from './decisionFacts.ts';
import { factList } from './factList.ts';
import { ladderTable } from './ladderTable.ts';
import { ruleLook } from '../../charts/ruleLook.ts';
import { ruleMark } from './ruleMark.ts';
import { valueFacts } from './valueFacts.ts';
import { formatCount } from '../../shared/format.ts';

/** One decision, the sentence first: why, from what, what else was possible, who wanted what. */
export function decisionView(
  decision: DecisionEvent,
  request: RequestEvent | null,
  series: SessionSeries,
): readonly HTMLElement[] {
  return [
    element('p', { class: 'because' }, decision.because),
    ...warningOf(decision),
    factList(decisionFacts(decision, request, series)),
    ...valuesOf(decision),
    ladderTable(decision, ladderAt(series, decision.mediaType, decision.atMs)),
    votesSaid(decision),
  ];
}

/** A net that was asked about something it never met in training is worth less trust than its odds say. */
function warningOf({ values }: DecisionEvent): readonly HTMLElement[] {
  const count = values['outsideInputs'] ?? 0;
  if (count === 0) return [];
  const what = count === 1 ? 'One kind of input is' : `${count} kinds of inputs are`;
  return [
    element(
      'p',
      { class: 'odd-inputs' },
      `${what} outside the training data of this net: its odds are a guess.`,
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
    element('h3', { class: 'values-title' }, `Numbers of ${ruleLook(rule).label}`),
    factList(facts.slice(0, SHOWN_VALUES)),
    ...(more.length === 0
      ? []
      : [
          element(
            'details',
            { class: 'votes-said more-values' },
            element('summary', {}, `${more.length} more`),
            factList(more),
          ),
        ]),
  ];
}

function votesSaid({ votes, rule }: DecisionEvent): HTMLElement {
  const said = votes.map((vote) =>
    element(
      'li',
      {},
      ruleMark(vote.rule, vote.rule === rule),
      `${ruleLook(vote.rule).label}: ${vote.because}${vote.rung === null ? '' : ` (rung ${vote.rung + 1})`}`,
    ),
  );
  return element(
    'details',
    { class: 'votes-said' },
    element('summary', {}, `What ${formatCount(votes.length, 'rule')} said`),
    element('ul', {}, ...said),
  );
}
