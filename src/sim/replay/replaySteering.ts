import type { SteeringAnswer, SteeringPolicy } from '../../steering/policy.ts';
import {
  createSteeringSession,
  type SteeringInput,
  type SteeringSession,
} from '../../steering/steeringSession.ts';
import type { SteeringChoiceEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** What a steering policy would have chosen in a recorded session. */
export interface SteeringReplay {
  readonly policyId: string;
  /** One for each question, in their order. */
  readonly choices: readonly ReplayedChoice[];
  /** Choices that are the recorded ones. */
  readonly identical: number;
  /** What the policy threw, each sentence once. */
  readonly faults: readonly string[];
}

export interface ReplayedChoice {
  readonly atMs: number;
  readonly bufferMs: number;
  readonly recorded: Choice;
  readonly replayed: Choice;
  readonly because: string;
  readonly agrees: boolean;
}

/** What a choice does: the pathway of the next request, and what it begins. */
export interface Choice {
  readonly pathway: string;
  /** The pathway that is probed; null if none is. */
  readonly probe: string | null;
  /** The running request that is continued elsewhere; null if none is. */
  readonly rescue: string | null;
}

/**
 * Plays a recorded session through a policy: it receives all inputs of the recorded policy, and answers at the same moments.
 * It receives how the session went, not how it would have gone. For the policy that was recorded the choices are the
 * recorded ones. Returns null for a log without steering.
 */
export function replaySteering(log: SessionLog, policy: SteeringPolicy): SteeringReplay | null {
  const faults = new Set<string>();
  const onFault = (thrown: unknown): void =>
    void faults.add(`${policy.id} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}.`);
  const questions = askAgain(log, policy, onFault);
  if (!questions) return null;
  const choices = compareChoices(questions);
  return {
    policyId: policy.id,
    choices,
    identical: choices.filter(({ agrees }) => agrees).length,
    faults: [...faults],
  };
}

interface Question {
  readonly atMs: number;
  readonly bufferMs: number;
  readonly answer: SteeringAnswer;
  /** A probe was running: another one would not have begun. */
  readonly isProbing: boolean;
  /** The recorded choice; null where it changed nothing. */
  event: SteeringChoiceEvent | null;
}

/** Asks a policy all questions of a recorded session; null where the session has no steering. */
function askAgain(
  { events }: SessionLog,
  policy: SteeringPolicy,
  onFault: (thrown: unknown) => void,
): readonly Question[] | null {
  const questions: Question[] = [];
  let session: SteeringSession | null = null;
  let isProbing = false;
  for (const event of events) {
    const last = questions.at(-1);
    // It follows the question that it answers.
    if (event.kind === 'steering' && last) last.event = event;
    if (event.kind !== 'steering-input') continue;
    const { input } = event;
    if (input.kind === 'start') session = createSteeringSession(policy, input, onFault);
    else if (session) questions.push(...questionsOf(session, input, isProbing));
    if ('purpose' in input && input.purpose === 'probe') isProbing = input.kind === 'began';
  }
  return session && questions;
}

/** Passes an input on: one question if it is a sample, none otherwise. */
function questionsOf(session: SteeringSession, input: SteeringInput, isProbing: boolean): Question[] {
  const answer = session.tell(input);
  if (!answer || input.kind !== 'sample') return [];
  return [{ atMs: input.atMs, bufferMs: input.bufferMs, answer, isProbing, event: null }];
}

/** Sets what was recorded beside what is chosen now. A pathway stays until an event names another one. */
function compareChoices(questions: readonly Question[]): ReplayedChoice[] {
  let pathway = 'main';
  return questions.map(({ atMs, bufferMs, answer, isProbing, event }) => {
    pathway = event?.pathway ?? pathway;
    const recorded = { pathway, ...begunBy(event) };
    const replayed = choiceOf(answer);
    const { because } = answer;
    const agrees = areEqual(recorded, isProbing ? { ...replayed, probe: null } : replayed);
    return { atMs, bufferMs, recorded, replayed, because, agrees };
  });
}

/** The probe and the continued request of a recorded choice. */
const begunBy = (event: SteeringChoiceEvent | null): Omit<Choice, 'pathway'> => ({
  probe: event?.probe?.pathway ?? null,
  rescue: event?.rescue?.requestId ?? null,
});

const choiceOf = ({ pathway, probe, rescue }: SteeringAnswer): Choice => ({
  pathway,
  probe: probe?.pathway ?? null,
  rescue: rescue ?? null,
});

const areEqual = (one: Choice, other: Choice): boolean =>
  one.pathway === other.pathway && one.probe === other.probe && one.rescue === other.rescue;
