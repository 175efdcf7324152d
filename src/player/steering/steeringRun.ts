import type { MediaPlayerClass } from 'dashjs';
import type { PathwayChange } from '../../abr/ruleInput.ts';
import { createSteeringActor } from '../../steering/actor.ts';
import type { SteeringPolicy } from '../../steering/policy.ts';
import {
  SAMPLE_AFTER_MS,
  SAMPLE_EVERY_MS,
  type SteeringInput,
  type SteeringSample,
} from '../../steering/steeringSession.ts';
import { errorDraft } from '../../telemetry/errorDraft.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { MediaRequest } from '../loader/progressEvents.ts';
import type { PlacedPathway } from './pathways.ts';
import { createProbes, type Probes } from './probes.ts';
import { createOffers, endedOf, firstByteOf, progressOf, type Followed } from './steeringInputs.ts';

/** A steering policy at work in the player. */
export interface SteeringRun {
  /** The pathway of the next request; null before `start`. */
  pathway(): string | null;
  /**
   * The pathways have been checked: from here on the policy chooses. Called again where content steering names another order
   * of them: the policy then begins anew with the first one.
   */
  start(pathways: readonly PlacedPathway[]): void;
  /** A media request is about to be sent. */
  askBefore(): void;
  /** A request, or a further part of one, is out. */
  onPart(followed: Followed): void;
  /** `isVideo`: probes request bytes of the latest video segment. */
  onEnd(followed: Followed, isVideo: boolean): void;
  dispose(): void;
}

interface RunContext {
  readonly player: MediaPlayerClass;
  readonly telemetry: Telemetry;
  readonly policy: SteeringPolicy;
  readonly seed: number;
  readonly followed: ReadonlyMap<MediaRequest, Followed>;
  readonly over: (url: string, pathway: string) => string;
  readonly pathwayOf: (url: string) => string | null;
  readonly onPathway: (change: PathwayChange) => void;
  /** The pathway that content steering names first; null where it names none. */
  readonly firstOfOrder: () => string | null;
  /** A request goes on at this URL. */
  readonly onContinued: (url: string) => void;
}

export function createSteeringRun(context: RunContext): SteeringRun {
  const { telemetry, policy, followed } = context;
  const probes = createProbes({
    telemetry,
    over: context.over,
    onBegun: (requestId, pathway) =>
      tell({ kind: 'began', atMs: telemetry.nowMs(), requestId, pathway, purpose: 'probe' }),
  });
  const actor = createSteeringActor(policy, context.seed, {
    nowMs: telemetry.nowMs,
    record: telemetry.record,
    onFault: (message) => recordFault(telemetry, { code: policy.id, message }),
    beginProbe: probes.begin,
    rescue: (requestId, pathway) => continueRequest(context, requestId, pathway),
    onPathway: context.onPathway,
    firstOfOrder: context.firstOfOrder,
  });
  const tell = (input: SteeringInput): void => {
    const answer = actor.tell(input);
    if (answer?.endProbe !== undefined) probes.end(answer.endProbe);
  };
  const sampling = createSampling(context, { probes, tell });
  const offNetwork = onNetworkChange(() => tell({ kind: 'network-change', atMs: telemetry.nowMs() }));
  return {
    pathway: actor.pathway,
    askBefore: () => sampling.sample([]),
    start(pathways) {
      probes.dispose();
      actor.start(pathways, actor.pathway() && `Content steering names ${pathways[0]!.id} first.`);
      // What was sent before is news to the policy.
      for (const one of followed.values())
        tellPart(Object.assign(one, { partId: null }), { ...context, tell });
      sampling.sample([]);
      sampling.run();
    },
    onPart(one) {
      if (actor.pathway() !== null) tellPart(one, { ...context, tell });
      if (!probes.hasFile()) probes.file(one.request.url, firstByteOf(one.request));
      sampling.run();
    },
    onEnd({ request, load }, isVideo) {
      if (isVideo && load.progress().bytes > 0) probes.file(request.url, firstByteOf(request));
    },
    dispose() {
      sampling.dispose();
      probes.dispose();
      offNetwork();
      actor.stop();
    },
  };
}

/** Continues a request over another pathway; false if there is none of this id, or if it is too late. */
function continueRequest({ followed, over, onContinued }: RunContext, id: string, pathway: string): boolean {
  const one = [...followed.values()].find(({ partId }) => partId === id);
  const url = one && over(one.request.url, pathway);
  if (!url || !one.load.continueAt(url)) return false;
  onContinued(url);
  return true;
}

/** Reports a part of a request that the policy does not know of yet. */
function tellPart(
  one: Followed,
  { telemetry, pathwayOf, tell }: Pick<RunContext, 'telemetry' | 'pathwayOf'> & Telling,
): void {
  const part = one.request.customData.recorded?.part();
  const pathway = part && pathwayOf(part.url);
  if (!part || !pathway || part.id === one.partId) return;
  one.partId = part.id;
  tell({ kind: 'began', atMs: telemetry.nowMs(), requestId: part.id, pathway, purpose: 'media' });
}

interface Telling {
  readonly tell: (input: SteeringInput) => void;
}

interface Sampling {
  sample(progress: SteeringSample['progress']): void;
  /** Samples from here on, as long as something is in flight. */
  run(): void;
  dispose(): void;
}

/** Asks the policy with what is seen now, and reports the requests that end. */
function createSampling(
  { player, telemetry, followed }: RunContext,
  { probes, tell }: Telling & { probes: Pick<Probes, 'isRunning' | 'progress'> },
): Sampling {
  const offers = createOffers();
  const sample: Sampling['sample'] = (progress) =>
    tell({ kind: 'sample', atMs: telemetry.nowMs(), progress, ...offers.seen(player) });
  const unsubscribe = telemetry.subscribe((event) => {
    offers.take(event);
    const ended = endedOf(event);
    if (ended) tell(ended);
  });
  const isOld = ({ startMs }: Followed): boolean => performance.now() - startMs >= SAMPLE_AFTER_MS;
  const timer = createTimer(() => {
    const running = [...followed.values()];
    if (probes.isRunning() || running.some(isOld))
      sample([...running.flatMap(progressOf), ...probes.progress()]);
    return running.length > 0 || probes.isRunning();
  });
  return {
    sample,
    run: timer.run,
    dispose() {
      timer.stop();
      unsubscribe();
    },
  };
}

/** Calls `tick` from `run` on, as long as that answers true. */
function createTimer(tick: () => boolean): { run(): void; stop(): void } {
  let timer: ReturnType<typeof setInterval> | null = null;
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    run: () => void (timer ??= setInterval(() => void (tick() || stop()), SAMPLE_EVERY_MS)),
    stop,
  };
}

/** A device that was without any network is back, perhaps in another one. */
function onNetworkChange(report: () => void): () => void {
  addEventListener('online', report);
  return () => removeEventListener('online', report);
}

export function recordFault(
  telemetry: Pick<Telemetry, 'record' | 'nowMs'>,
  { code, message }: { code: string; message: string },
): void {
  telemetry.record(errorDraft({ atMs: telemetry.nowMs(), source: 'player', code, message }));
}
