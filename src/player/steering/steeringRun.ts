import type { MediaPlayerClass } from 'dashjs';
import type { PathwayChange } from '../../abr/ruleInput.ts';
import type { SteeringAnswer, SteeringPolicy } from '../../steering/policy.ts';
import {
  createSteeringSession,
  SAMPLE_AFTER_MS,
  SAMPLE_EVERY_MS,
  type SteeringInput,
  type SteeringSample,
  type SteeringSession,
} from '../../steering/steeringSession.ts';
import type { SteeringInputEvent } from '../../telemetry/event.ts';
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

export interface RunContext {
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
  const { telemetry, followed } = context;
  let session: SteeringSession | null = null;
  /** The pathway of the last answer, also of a session before. */
  let present: string | null = null;
  let reason: string | null = null;
  const tell = (input: SteeringInput): void => {
    if (!session) return;
    recordInput(telemetry, input);
    const before = present ?? session.pathway();
    const answer = session.tell(input);
    if (!answer) return;
    act(answer, { before, reason });
    [present, reason] = [answer.pathway, null];
  };
  const probes = createProbes({
    telemetry,
    over: context.over,
    onBegun: (requestId, pathway) =>
      tell({ kind: 'began', atMs: telemetry.nowMs(), requestId, pathway, purpose: 'probe' }),
  });
  const act = createActor(context, probes);
  const sampling = createSampling(context, { probes, tell });
  const offNetwork = onNetworkChange(() => tell({ kind: 'network-change', atMs: telemetry.nowMs() }));
  return {
    pathway: () => session?.pathway() ?? null,
    askBefore: () => sampling.sample([]),
    start(pathways) {
      probes.dispose();
      reason = session && `Content steering names ${pathways[0]!.id} first.`;
      session = begin(context, pathways);
      // What was sent before is news to the policy.
      for (const one of followed.values())
        tellPart(Object.assign(one, { partId: null }), { ...context, tell });
      sampling.sample([]);
      sampling.run();
    },
    onPart(one) {
      if (session) tellPart(one, { ...context, tell });
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
      session = null;
    },
  };
}

function begin({ telemetry, policy, seed }: RunContext, placed: readonly PlacedPathway[]): SteeringSession {
  const atMs = telemetry.nowMs();
  const pathways = placed.map(({ id, carries }) => ({ id, carries }));
  telemetry.record({
    kind: 'steering-input',
    atMs,
    missing: {},
    input: { kind: 'start', atMs, pathways: placed.map((pathway) => ({ ...pathway })), seed },
  });
  return createSteeringSession(policy, { pathways, seed }, (fault) => {
    const said = fault instanceof Error ? fault.message : String(fault);
    const message = `The steering policy ${policy.id} failed: ${said}.`;
    recordFault(telemetry, { code: policy.id, message });
  });
}

/** Does what a policy answers, and records it where it changes something. */
function createActor(
  context: RunContext,
  probes: Pick<Probes, 'begin' | 'end'>,
): (answer: SteeringAnswer, around: Around) => void {
  const { telemetry, policy, firstOfOrder } = context;
  let isFirst = true;
  return (answer, { before, reason }) => {
    const { pathway, probe, endProbe } = answer;
    const because = pathway === before ? answer.because : (reason ?? answer.because);
    if (endProbe !== undefined) probes.end(endProbe);
    const begun = probe && probes.begin(probe) ? { probe: { ...probe } } : {};
    const rescued = continueRequest(answer, context);
    const change = changeOf(answer, before);
    if (change) context.onPathway(change);
    if (![isFirst, change !== null, 'probe' in begun, rescued !== null].includes(true)) return;
    telemetry.record({
      kind: 'steering',
      atMs: telemetry.nowMs(),
      missing: {},
      policy: policy.id,
      ...(isFirst ? {} : { fromPathway: before }),
      pathway,
      because,
      values: { ...answer.values },
      ...begun,
      ...(rescued !== null && { rescue: { requestId: rescued } }),
      ...marksOf(change, { pathway, first: firstOfOrder() }),
    });
    isFirst = false;
  };
}

/** null: the pathway stays. */
const changeOf = ({ pathway, keepsHistory = false }: SteeringAnswer, before: string): PathwayChange | null =>
  pathway === before ? null : { pathway, keepsHistory };

/** What is only there where it is true. */
const marksOf = (
  change: PathwayChange | null,
  { pathway, first }: { readonly pathway: string; readonly first: string | null },
): { readonly keepsHistory?: true; readonly pulledAway?: true } => ({
  ...(change?.keepsHistory && { keepsHistory: true }),
  ...(first !== null && pathway !== first && { pulledAway: true }),
});

interface Around {
  /** The pathway until now. */
  readonly before: string;
  /** Why another one is the first now; null where the policy's own reason counts. */
  readonly reason: string | null;
}

/** The id of the request that goes on over another pathway; null if there is none, or if it is too late. */
function continueRequest(
  { rescue, pathway }: SteeringAnswer,
  { followed, over, onContinued }: RunContext,
): string | null {
  const one = [...followed.values()].find(({ partId }) => partId !== null && partId === rescue);
  if (!one) return null;
  const url = over(one.request.url, pathway);
  if (!one.load.continueAt(url)) return null;
  onContinued(url);
  return one.partId;
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

/** The log's types are mutable, the policy's are not: the log gets its own copy. */
function recordInput(telemetry: Telemetry, input: SteeringInput): void {
  const copy: SteeringInputEvent['input'] =
    input.kind === 'sample'
      ? { ...input, progress: input.progress.map((each) => ({ ...each })) }
      : { ...input };
  telemetry.record({ kind: 'steering-input', atMs: telemetry.nowMs(), missing: {}, input: copy });
}

export function recordFault(
  telemetry: Pick<Telemetry, 'record' | 'nowMs'>,
  { code, message }: { code: string; message: string },
): void {
  telemetry.record({
    kind: 'error',
    atMs: telemetry.nowMs(),
    source: 'player',
    code,
    message: message.slice(0, 4000),
    requestId: null,
    fatal: false,
    missing: { requestId: 'not-applicable' },
  });
}
