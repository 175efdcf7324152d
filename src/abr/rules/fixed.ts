import type { Ladder } from '../ladder.ts';
import type { Answer, Rule } from '../rule.ts';
import { mustBeCount, tunableRule, type RuleBody } from '../parameters.ts';
import { formatRung } from '../format.ts';

/** What `fixed` and `lowest` remember: their answer, which is the same until the ladder changes. */
interface State {
  readonly answer: Answer;
}

const atLevel = tunableRule({ level: 1 }, ({ level }) => {
  mustBeCount('fixed', { level }, 'level');
  return alwaysAt(level - 1);
});

/** Counts from 0, as all texts did until level took its place. Its logs, links and campaigns stay valid. */
const atRung = tunableRule({ rung: 0 }, ({ rung }) => {
  mustBeCount('fixed', { rung }, 'rung', 0);
  return alwaysAt(rung);
});

/**
 * Always the same level; the highest there is where the ladder is shorter, and then it says so. For measuring a path or
 * a simulator without an algorithm in between.
 */
export const fixed: Rule<State> = {
  ...atLevel,
  tuned: (changes) => (Object.hasOwn(changes, 'rung') ? atRung : atLevel).tuned!(changes),
};

function alwaysAt(rung: number): RuleBody<State> {
  const paper = 'None: always the same level, a probe';
  return { id: 'fixed', label: 'Fixed', paper, ...answers((ladder) => fixedAnswer(ladder, rung)) };
}

function fixedAnswer(ladder: Ladder, wished: number): Answer {
  const rung = Math.min(wished, ladder.length - 1);
  const because =
    rung === wished
      ? `Fixed at ${formatRung(ladder, rung)}.`
      : `Fixed at level ${wished + 1}, which this ladder does not have: ${formatRung(ladder, rung)} is its highest.`;
  return { rung, because, values: { wishedRung: wished } };
}

/** Always the lowest rung: the floor under every comparison, and the cheapest rule to time a simulator with. */
export const lowest: Rule<State> = {
  id: 'lowest',
  label: 'Lowest',
  paper: 'None: always the lowest level, a baseline',
  parameters: {},
  ...answers((ladder) => ({ rung: 0, because: `Always the lowest: ${formatRung(ladder, 0)}.` })),
};

/** A rule whose answer depends on the ladder alone. */
function answers(of: (ladder: Ladder) => Answer): Pick<Rule<State>, 'start' | 'observe' | 'decide'> {
  return {
    start: ({ ladder }) => ({ answer: of(ladder) }),
    observe: (state, event) => (event.kind === 'ladder' ? { answer: of(event.ladder) } : state),
    decide: ({ answer }) => answer,
  };
}
