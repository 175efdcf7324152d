import type { SteeringAnswer, SteeringPolicy } from '../../steering/policy.ts';
import { createSteeringSession, type SteeringSession } from '../../steering/steeringSession.ts';
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
  const asked: {
    atMs: number;
    bufferMs: number;
    answer: SteeringAnswer;
    event: SteeringChoiceEvent | null;
  }[] = [];
  let session: SteeringSession | null = null;
  for (const event of log.events) {
    // It follows the question that it answers.
    if (event.kind === 'steering' && asked.length > 0) asked.at(-1)!.event = event;
    if (event.kind !== 'steering-input') continue;
    const { input } = event;
    if (input.kind === 'start') session = createSteeringSession(policy, input, onFault);
    else if (session) {
      const answer = session.tell(input);
      if (answer && input.kind === 'sample')
        asked.push({ atMs: input.atMs, bufferMs: input.bufferMs, answer, event: null });
    }
  }
  if (!session) return null;
  let present = 'main';
  const choices = asked.map(({ atMs, bufferMs, answer, event }): ReplayedChoice => {
    present = event?.pathway ?? present;
    const recorded = {
      pathway: present,
      probe: event?.probe?.pathway ?? null,
      rescue: event?.rescue?.requestId ?? null,
    };
    const { pathway, probe, rescue = null, because } = answer;
    const replayed = { pathway, probe: probe?.pathway ?? null, rescue };
    return { atMs, bufferMs, recorded, replayed, because, agrees: areEqual(recorded, replayed) };
  });
  return {
    policyId: policy.id,
    choices,
    identical: choices.filter(({ agrees }) => agrees).length,
    faults: [...faults],
  };
}

const areEqual = (one: Choice, other: Choice): boolean =>
  one.pathway === other.pathway && one.probe === other.probe && one.rescue === other.rescue;
