import type { Ladder } from '../ladder.ts';
import type { Answer, Rule } from '../rule.ts';
import { formatRung } from '../format.ts';

/** What `lowest` remembers: the ladder, and its answer, which is the same each time. */
interface State {
  readonly answer: Answer;
}

/** Always the lowest rung: the floor under every comparison, and the cheapest rule to time a simulator with. */
export const lowest: Rule<State> = {
  id: 'lowest',
  label: 'Lowest',
  paper: 'None: always the lowest rung, a baseline',
  parameters: {},
  start: ({ ladder }) => stateOf(ladder),
  observe: (state, event) => (event.kind === 'ladder' ? stateOf(event.ladder) : state),
  decide: ({ answer }) => answer,
};

const stateOf = (ladder: Ladder): State => ({
  answer: { rung: 0, because: `Always the lowest: ${formatRung(ladder, 0)}.` },
});
