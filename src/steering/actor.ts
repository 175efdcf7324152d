import type { Pathway, SteeringAnswer, SteeringPolicy } from './policy.ts';
import { createSteeringSession, type SteeringInput, type SteeringSession } from './steeringSession.ts';

/**
 * A policy at work in one session, in the player and in the simulator. What the policy receives goes to the log, and each
 * answer that changes something.
 */
export interface SteeringActor {
  /** The pathway of the next request; null before `start`. */
  pathway(): string | null;
  /** The policy begins. `because`: why it begins anew; with null the first change has the policy's own reason. */
  start(pathways: readonly Pathway[], because: string | null): void;
  /** Passes an input on, and does what the policy answers. Returns the answer; null where there is none. */
  tell(input: SteeringInput): SteeringAnswer | null;
  stop(): void;
}

/** What a policy can do in a session, and where the log is. */
export interface SteeringEffects {
  nowMs(): number;
  record(draft: InputDraft | ChoiceDraft): void;
  onFault(message: string): void;
  /** Returns false if a probe runs, or no file is known yet. */
  beginProbe(probe: NonNullable<SteeringAnswer['probe']>): boolean;
  /** Tells whether a running request can go on over this pathway. It does at once, or when `tell` has returned. */
  rescue(requestId: string, pathway: string): boolean;
  /** The requests to come go over another pathway. */
  onPathway(change: { readonly pathway: string; readonly keepsHistory: boolean }): void;
  /** Returns the pathway that content steering names first; null where it names none. */
  firstOfOrder(): string | null;
}

export function createSteeringActor(
  policy: SteeringPolicy,
  seed: number,
  effects: SteeringEffects,
): SteeringActor {
  let session: SteeringSession | null = null;
  /** The pathway of the last answer, also of a session before. */
  let present: string | null = null;
  let reason: string | null = null;
  let isFirst = true;
  const act = (answer: SteeringAnswer, before: string): void => {
    const { pathway, because, keepsHistory = false } = answer;
    const begun = beginIn(answer, effects);
    const isOther = pathway !== before;
    if (isOther) effects.onPathway({ pathway, keepsHistory });
    if (!isFirst && !isOther && Object.keys(begun).length === 0) return;
    effects.record({
      kind: 'steering',
      atMs: effects.nowMs(),
      missing: {},
      policy: policy.id,
      ...(!isFirst && { fromPathway: before }),
      pathway,
      because: isOther ? (reason ?? because) : because,
      values: { ...answer.values },
      ...begun,
      ...(isOther && keepsHistory && { keepsHistory }),
      ...awayFrom(effects.firstOfOrder(), pathway),
    });
    isFirst = false;
  };
  const record = (input: InputDraft['input'], atMs: number): void =>
    effects.record({ kind: 'steering-input', atMs, missing: {}, input });
  return {
    pathway: () => session && session.pathway(),
    start(placed, because) {
      const atMs = effects.nowMs();
      record({ kind: 'start', atMs, pathways: placed.map((one) => ({ ...one })), seed }, atMs);
      const pathways = placed.map(({ id, carries }) => ({ id, carries }));
      reason = because;
      session = createSteeringSession(policy, { pathways, seed }, (fault) => {
        const said = fault instanceof Error ? fault.message : String(fault);
        effects.onFault(`The steering policy ${policy.id} failed: ${said}.`);
      });
    },
    tell(input) {
      if (!session) return null;
      record(copyInput(input), effects.nowMs());
      const before = present ?? session.pathway();
      const answer = session.tell(input);
      if (!answer) return null;
      act(answer, before);
      [present, reason] = [answer.pathway, null];
      return answer;
    },
    stop: () => void (session = null),
  };
}

/** Begins a probe and continues a request as far as that is possible, and returns what was. */
const beginIn = (
  { probe, rescue, pathway }: SteeringAnswer,
  effects: SteeringEffects,
): Pick<ChoiceDraft, 'probe' | 'rescue'> => ({
  ...(probe && effects.beginProbe(probe) && { probe: { ...probe } }),
  ...(rescue !== undefined && effects.rescue(rescue, pathway) && { rescue: { requestId: rescue } }),
});

const awayFrom = (first: string | null, pathway: string): Pick<ChoiceDraft, 'pulledAway'> =>
  first !== null && pathway !== first ? { pulledAway: true } : {};

/** The log's types are mutable, the policy's are not: the log gets its own copy. */
const copyInput = (input: SteeringInput) =>
  input.kind === 'sample'
    ? { ...input, progress: input.progress.map((each) => ({ ...each })) }
    : { ...input };

/** What the policy received, as an event of the log. */
interface InputDraft {
  kind: 'steering-input';
  atMs: number;
  missing: Record<string, never>;
  input:
    | ReturnType<typeof copyInput>
    | { kind: 'start'; atMs: number; pathways: { id: string; carries: 'any' | 'tcp' }[]; seed: number };
}

/** A choice that changed something, as an event of the log. */
interface ChoiceDraft extends Pick<SteeringAnswer, 'pathway' | 'because' | 'probe'> {
  kind: 'steering';
  atMs: number;
  missing: Record<string, never>;
  policy: string;
  /** Not there for the first choice. */
  fromPathway?: string;
  values: Record<string, number | null>;
  rescue?: { requestId: string };
  keepsHistory?: true;
  pulledAway?: true;
}
