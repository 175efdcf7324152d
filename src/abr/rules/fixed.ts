import type { Ladder } from '../ladder.ts';
import type { Answer, Rule } from '../rule.ts';
import { mustBeCount, tunableRule } from '../parameters.ts';
import { formatRung } from '../format.ts';

/** What `fixed` and `lowest` remember: their answer, which is the same until the ladder changes. */
interface State {
  readonly answer: Answer;
}

/**
 * Always the same level; the highest there is where the ladder is shorter, and then it says so. For measuring a path or
 * a simulator without an algorithm in between.
 */
export const fixed: Rule<State> = tunableRule({ level: 1 }, ({ level }) => {
  mustBeCount('fixed', { level }, 'level');
  return {
    id: 'fixed',
    label: 'Fixed',
    paper: 'None: always the same level, a probe',
    ...answers((ladder) => fixedAnswer(ladder, level - 1)),
  };
});

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
