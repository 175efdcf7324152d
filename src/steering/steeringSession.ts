import type {
  NetworkChange,
  RequestBegan,
  RequestEnded,
  RunningRequest,
  SteeringAnswer,
  SteeringContext,
  SteeringEvent,
  SteeringMoment,
  SteeringPolicy,
} from './policy.ts';

/** Time between two looks at requests in flight, ms; `SAMPLE_AFTER_MS` is their age at the first look. */
export const SAMPLE_EVERY_MS = 200;
export const SAMPLE_AFTER_MS = 400;

/** Longest time of a probe, ms: one without an end says no more after this time. */
export const MAX_PROBE_MS = 10_000;

/** Before a pathway is used, so many bytes of the first file are compared, at most; a server that takes longer is no help. */
export const MAX_COMPARED_BYTES = 16_384;
export const MAX_COMPARISON_MS = 10_000;

/** All that a policy's session is made of; the log has each of them, so that a replay makes the same choices. */
export type SteeringInput = RequestBegan | RequestEnded | NetworkChange | SteeringSample;

/** What was seen at the moment of a choice: before a media request, and five times a second while requests run. */
export interface SteeringSample {
  readonly kind: 'sample';
  readonly atMs: number;
  /** Progress of each running request, in the order of their starts; empty before a media request. */
  readonly progress: readonly {
    readonly requestId: string;
    readonly bytes: number;
    readonly totalBytes: number | null;
  }[];
  readonly bufferMs: number;
  readonly lowestKbps: number | null;
  readonly highestKbps: number | null;
}

/** A policy in one session, with what it has to know of the requests that run. Player, simulator and replay use it. */
export interface SteeringSession {
  /** The pathway of the next request. */
  pathway(): string;
  /** Answers a sample; null for all else. */
  tell(input: SteeringInput): SteeringAnswer | null;
}

export function createSteeringSession(
  policy: SteeringPolicy,
  context: SteeringContext,
  onFault: (fault: unknown) => void,
): SteeringSession {
  const runner = createSteeringRunner(policy, context, onFault);
  const running = new Map<string, RunningRequest>();
  let pathway = context.pathways[0]?.id ?? 'main';
  const sample = ({ atMs, progress, ...seen }: SteeringSample): SteeringAnswer => {
    for (const { requestId, bytes, totalBytes } of progress) {
      const request = running.get(requestId);
      if (!request) continue;
      running.set(requestId, { ...request, bytes, totalBytes });
      runner.tell({ kind: 'progress', atMs, requestId, bytes });
    }
    const { bufferMs, lowestKbps, highestKbps } = seen;
    const answer = runner.ask({
      nowMs: atMs,
      pathway,
      bufferMs,
      lowestKbps,
      highestKbps,
      running: [...running.values()],
    });
    pathway = answer.pathway;
    return answer;
  };
  return {
    pathway: () => pathway,
    tell(input) {
      if (input.kind === 'sample') return sample(input);
      if (input.kind === 'began') {
        const { requestId, purpose } = input;
        running.set(requestId, { requestId, pathway: input.pathway, purpose, bytes: 0, totalBytes: null });
      }
      if (input.kind === 'ended') running.delete(input.requestId);
      runner.tell(input);
      return null;
    },
  };
}

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
