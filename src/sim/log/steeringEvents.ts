import type { SteeringAnswer, SteeringContext } from '../../steering/policy.ts';
import type { SteeringInput } from '../../steering/steeringSession.ts';
import type { Draft, ErrorEvent, SteeringChoiceEvent, SteeringInputEvent } from '../../telemetry/event.ts';

/** A choice that changed something. */
export interface SteeringChoice extends Pick<SteeringAnswer, 'pathway' | 'because' | 'values'> {
  readonly policyId: string;
  /** The rule goes on with what it has measured. */
  readonly keepsHistory: boolean;
  /** null for the first choice. */
  readonly fromPathway: string | null;
  /** null: no probe began. */
  readonly probe: { readonly pathway: string; readonly bytes: number } | null;
  /** Id of the request that is continued; null: none is. */
  readonly rescue: string | null;
}

export function steeringDraft(choice: SteeringChoice, atMs: number): Draft<SteeringChoiceEvent> {
  const { policyId, fromPathway, pathway, because, values, probe, rescue, keepsHistory } = choice;
  return {
    kind: 'steering',
    atMs,
    missing: {},
    policy: policyId,
    ...(fromPathway !== null && { fromPathway }),
    pathway,
    because,
    values: { ...values },
    ...(probe && { probe: { ...probe } }),
    ...(rescue !== null && { rescue: { requestId: rescue } }),
    ...(keepsHistory && { keepsHistory }),
  };
}

/** The policy begins. */
export const steeringStartDraft = (
  { pathways, seed }: SteeringContext,
  atMs: number,
): Draft<SteeringInputEvent> => ({
  kind: 'steering-input',
  atMs,
  missing: {},
  input: { kind: 'start', atMs, pathways: pathways.map(({ id, carries }) => ({ id, carries })), seed },
});

/** What the policy received. The log's types are mutable, the policy's are not: the log gets its own copy. */
export function steeringInputDraft(input: SteeringInput, atMs: number): Draft<SteeringInputEvent> {
  const copy: SteeringInputEvent['input'] =
    input.kind === 'sample'
      ? { ...input, progress: input.progress.map((each) => ({ ...each })) }
      : { ...input };
  return { kind: 'steering-input', atMs, missing: {}, input: copy };
}

/** A pathway did not answer before it was to be used. */
export const leftOutDraft = (pathway: string, atMs: number): Draft<ErrorEvent> => ({
  kind: 'error',
  atMs,
  source: 'player',
  code: 'pathway',
  message: `The pathway ${pathway} is left out: it did not answer in time.`,
  requestId: null,
  fatal: false,
  missing: { requestId: 'not-applicable' },
});
