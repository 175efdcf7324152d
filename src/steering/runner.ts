import type {
  SteeringAnswer,
  SteeringContext,
  SteeringEvent,
  SteeringMoment,
  SteeringPolicy,
} from './policy.ts';

/** A policy at work in one session: in the player, the simulator and a replay. */
export interface SteeringRunner {
  tell(event: SteeringEvent): void;
  /** Never throws: what the policy throws goes to `onFault`, and everything goes on over the present pathway. */
  ask(moment: SteeringMoment): SteeringAnswer;
}

/** Runs a policy. Whatever it throws goes to `onFault`, and its state stays as it was. */
export function createSteeringRunner(
  policy: SteeringPolicy,
  context: SteeringContext,
  onFault: (fault: unknown) => void,
): SteeringRunner {
  let state: { readonly value: unknown } | null = null;
  const begin = (): { readonly value: unknown } => (state ??= { value: policy.start(context) });
  const isKnown = (id: string): boolean => context.pathways.some((pathway) => pathway.id === id);
  return {
    tell(event) {
      try {
        state = { value: policy.observe(begin().value, event) };
      } catch (fault) {
        onFault(fault);
      }
    },
    ask(moment) {
      try {
        const answer = policy.choose(begin().value, moment);
        if (!isKnown(answer.pathway)) throw new Error(`there is no pathway "${answer.pathway}"`);
        if (answer.probe && !isKnown(answer.probe.pathway))
          throw new Error(`there is no pathway "${answer.probe.pathway}" to probe`);
        return answer;
      } catch (fault) {
        onFault(fault);
        return { pathway: moment.pathway, because: 'The policy failed, so the pathway stays as it was.' };
      }
    },
  };
}
