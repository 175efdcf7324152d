import type { MediaPlayerClass } from 'dashjs';
import { msFromSeconds } from '../../shared/units.ts';
import type { RequestEnded, SteeringAnswer, SteeringPolicy } from '../../steering/policy.ts';
import {
  createSteeringSession,
  type SteeringInput,
  type SteeringSample,
  type SteeringSession,
} from '../../steering/steeringSession.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionEvent, SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import type { DashRequest } from '../../telemetry/shell/requests/dashRequest.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { MediaLoad } from '../loader/fetchMedia.ts';
import type { LoadWatcher } from '../loader/ownLoader.ts';
import type { MediaRequest } from '../loader/progressEvents.ts';
import type { PlayerSetup } from '../player.ts';
import { checkPathway, type FirstBytes } from './checkPathway.ts';
import { keepThroughputByPathway } from './dashThroughput.ts';
import { createPathwayMap, MAIN, type PlacedPathway } from './pathways.ts';
import { createProbes } from './probes.ts';

/** Chooses the pathway of each request of a player, and continues slow ones on another. */
export interface Steering {
  readonly watcher: LoadWatcher;
  readonly environment: NonNullable<SessionHeader['environment']['steering']>;
  pathwayOf(url: string): string | null;
  /** To be called when the recording runs. `onPathway`: the requests to come go over another pathway. */
  begin(telemetry: Telemetry, onPathway: (pathway: string) => void): void;
  dispose(): void;
}

interface SteeringSetup extends Pick<PlayerSetup, 'mpdUrl' | 'origins' | 'seed'> {
  readonly policy: SteeringPolicy;
  readonly pathways: readonly PlacedPathway[];
}

/** Requests in flight are looked at this often, once they are this old. */
const SAMPLE_EVERY_MS = 200;
const SAMPLE_AFTER_MS = 400;

/** A media request that runs, by the parts that it had so far. */
interface Followed {
  readonly request: MediaRequest;
  readonly load: MediaLoad;
  readonly startMs: number;
  /** Of the part that the policy knows of. */
  partId: string | null;
}

/** Creates the steering of a player. Call it before `initialize`, and before other request interceptors are added. */
export function createSteering(player: MediaPlayerClass, setup: SteeringSetup): Steering {
  const map = createPathwayMap(setup.mpdUrl, setup.pathways);
  const throughput = keepThroughputByPathway(player, map.of, MAIN);
  const followed = new Map<MediaRequest, Followed>();
  const files = createFirstFile(map.of);
  let run: SteeringRun | null = null;
  const pathway = (): string => run?.pathway() ?? MAIN;
  const keepsQuery = (id: string): boolean => {
    const base = map.pathways.find((each) => each.id === id)?.base ?? '';
    return Object.hasOwn(setup.origins ?? {}, URL.parse(base)?.origin ?? '');
  };
  const over = (url: string, id: string): string => map.to(url, id, keepsQuery(id));
  const removeInterceptors = intercept(player, {
    onRequest(request, asked) {
      if (isMedia(asked)) run?.askBefore();
      request.url = over(request.url, pathway());
    },
    onResponse: files.take,
  });
  return {
    environment: {
      policy: setup.policy.id,
      parameters: { ...setup.policy.parameters },
      pathways: map.pathways.map(({ id, base, carries }) => ({ id, base, carries })),
    },
    pathwayOf: map.of,
    watcher: {
      wants: ({ customData, method, responseType }) =>
        method === 'GET' && responseType === 'arraybuffer' && isMedia(requestIn(customData)),
      began(request, load) {
        followed.set(request, { request, load, startMs: performance.now(), partId: null });
        run?.onPart(request);
      },
      continued: (request) => run?.onPart(request),
      ended(request) {
        run?.onEnd(request);
        followed.delete(request);
      },
    },
    begin(telemetry, onPathway) {
      run = createRun({
        ...{ player, telemetry, setup, followed, over },
        pathwayOf: map.of,
        onPathway(id) {
          throughput.use(id);
          onPathway(id);
        },
        onContinued: (url) => throughput.leaveOut(url),
      });
      const begun = run;
      void files.first.then(async (first) => {
        const checks = setup.pathways.map(async (each) => {
          const fault = await checkPathway(each, { first, url: over(first.url, each.id), telemetry });
          if (fault !== null) recordFault(telemetry, { code: 'pathway', message: fault });
          return fault === null ? [each] : [];
        });
        const usable = (await Promise.all(checks)).flat();
        begun.start([map.pathways[0]!, ...usable]);
      });
    },
    dispose() {
      removeInterceptors();
      run?.dispose();
      run = null;
    },
  };
}

const requestIn = (customData: object): DashRequest | undefined =>
  (customData as { request?: DashRequest }).request;

function isMedia(asked: DashRequest | undefined): boolean {
  const { type, mediaType, index } = asked ?? {};
  return type === 'MediaSegment' && (mediaType === 'video' || mediaType === 'audio') && index != null;
}

/** What can be requested over any pathway: not the manifest, which names the pathways. */
const STEERED = ['MediaSegment', 'InitializationSegment', 'IndexSegment', 'BitstreamSwitchingSegment'];

interface Outgoing {
  url: string;
  readonly customData?: { readonly request?: DashRequest };
}

interface Incoming {
  readonly request: Outgoing & { readonly headers?: Readonly<Record<string, string>> };
  readonly status?: number;
  readonly data?: unknown;
}

/** The URL is changed in place: dash.js loses its Resource Timing entry when an interceptor returns another object. */
function intercept(
  player: MediaPlayerClass,
  listeners: {
    onRequest: (request: Outgoing, asked: DashRequest) => void;
    onResponse: (response: Incoming) => void;
  },
): () => void {
  const onRequest = ((request: Outgoing) => {
    const asked = request.customData?.request;
    if (asked && STEERED.includes(asked.type ?? '')) listeners.onRequest(request, asked);
    return Promise.resolve(request);
  }) as unknown as Parameters<MediaPlayerClass['addRequestInterceptor']>[0];
  const onResponse = ((response: Incoming) => {
    if (STEERED.includes(response.request.customData?.request?.type ?? '')) listeners.onResponse(response);
    return Promise.resolve(response);
  }) as unknown as Parameters<MediaPlayerClass['addResponseInterceptor']>[0];
  player.addRequestInterceptor(onRequest);
  player.addResponseInterceptor(onResponse);
  return () => {
    player.removeRequestInterceptor(onRequest);
    player.removeResponseInterceptor(onResponse);
  };
}

/** The first file that came over the MPD's own pathway: others have to serve the same. */
function createFirstFile(pathwayOf: (url: string) => string | null): {
  readonly first: Promise<FirstBytes>;
  take(response: Incoming): void;
} {
  let resolve: ((first: FirstBytes) => void) | null = null;
  const first = new Promise<FirstBytes>((fulfil) => (resolve = fulfil));
  return {
    first,
    take({ request, status = 0, data }) {
      const isWhole = status >= 200 && status < 300 && data instanceof ArrayBuffer && data.byteLength > 0;
      if (!resolve || !isWhole || pathwayOf(request.url) !== MAIN) return;
      const [, begin] = /^bytes=(\d+)-/.exec(request.headers?.['Range'] ?? '') ?? [];
      resolve({ url: request.url, offset: Number(begin ?? 0), bytes: data.slice(0, MAX_COMPARED_BYTES) });
      resolve = null;
    },
  };
}

const MAX_COMPARED_BYTES = 16_384;

interface SteeringRun {
  pathway(): string;
  /** The pathways have been checked: from here on the policy chooses. */
  start(pathways: readonly PlacedPathway[]): void;
  /** A media request is about to be sent. */
  askBefore(): void;
  /** A request, or a further part of one, is out. */
  onPart(request: MediaRequest): void;
  onEnd(request: MediaRequest): void;
  dispose(): void;
}

interface Around {
  readonly player: MediaPlayerClass;
  readonly telemetry: Telemetry;
  readonly setup: SteeringSetup;
  readonly followed: ReadonlyMap<MediaRequest, Followed>;
  readonly over: (url: string, pathway: string) => string;
  readonly pathwayOf: (url: string) => string | null;
  readonly onPathway: (pathway: string) => void;
  readonly onContinued: (url: string) => void;
}

function createRun(around: Around): SteeringRun {
  const { player, telemetry, setup, followed, over } = around;
  const limits = createLimits();
  const probes = createProbes({
    ...{ telemetry, over },
    onBegun: (requestId, pathway) =>
      tell({ kind: 'began', atMs: telemetry.nowMs(), requestId, pathway, purpose: 'probe' }),
  });
  let session: SteeringSession | null = null;
  let hasChosen = false;
  const tell = (input: SteeringInput): void => {
    if (!session) return;
    telemetry.record({ kind: 'steering-input', atMs: telemetry.nowMs(), missing: {}, input: mutable(input) });
    const before = session.pathway();
    const answer = session.tell(input);
    if (answer) act(answer, before);
  };
  const onFault = (fault: unknown): void => {
    const said = fault instanceof Error ? fault.message : String(fault);
    recordFault(telemetry, {
      code: setup.policy.id,
      message: `The steering policy ${setup.policy.id} failed: ${said}.`,
    });
  };
  const act = (answer: SteeringAnswer, before: string): void => {
    if (answer.endProbe !== undefined) probes.end(answer.endProbe);
    const hasProbe = answer.probe !== undefined && probes.begin(answer.probe);
    const rescued = answer.rescue === undefined ? null : continued(answer.rescue, answer.pathway);
    const isChange = answer.pathway !== before;
    if (isChange) around.onPathway(answer.pathway);
    if (hasChosen && !isChange && !hasProbe && rescued === null) return;
    telemetry.record({
      kind: 'steering',
      atMs: telemetry.nowMs(),
      missing: {},
      policy: setup.policy.id,
      ...(hasChosen && { fromPathway: before }),
      pathway: answer.pathway,
      because: answer.because,
      values: { ...answer.values },
      ...(hasProbe && answer.probe && { probe: { ...answer.probe } }),
      ...(rescued !== null && { rescue: { requestId: rescued } }),
    });
    hasChosen = true;
  };
  /** The id of the request that goes on over another pathway; null if it is too late. */
  const continued = (requestId: string, pathway: string): string | null => {
    const one = [...followed.values()].find(({ partId }) => partId === requestId);
    if (!one?.load.continueAt(over(one.request.url, pathway))) return null;
    // The answer names the URL of its last part.
    around.onContinued(over(one.request.url, pathway));
    return requestId;
  };
  const sample = (progress: SteeringSample['progress']): void =>
    tell({
      kind: 'sample',
      atMs: telemetry.nowMs(),
      progress,
      bufferMs: bufferMsOf(player, limits),
      ...limits.kbps(),
    });
  const unsubscribe = telemetry.subscribe((event) => {
    limits.take(event);
    const ended = endedOf(event);
    if (ended) tell(ended);
  });
  const timer = createTimer(() => {
    const old = [...followed.values()].some(({ startMs }) => performance.now() - startMs >= SAMPLE_AFTER_MS);
    if (old || probes.isRunning())
      sample([...[...followed.values()].flatMap(progressOf), ...probes.progress()]);
    return followed.size > 0 || probes.isRunning();
  });
  const offNetwork = onNetworkChange(() => tell({ kind: 'network-change', atMs: telemetry.nowMs() }));
  return {
    pathway: () => session?.pathway() ?? MAIN,
    start(pathways) {
      const context = {
        pathways: pathways.map(({ id, carries }) => ({ id, carries })),
        seed: setup.seed ?? 1,
      };
      const atMs = telemetry.nowMs();
      telemetry.record({
        kind: 'steering-input',
        ...{ atMs, missing: {} },
        input: {
          kind: 'start',
          atMs,
          pathways: context.pathways.map((each) => ({ ...each })),
          seed: context.seed,
        },
      });
      session = createSteeringSession(setup.policy, context, onFault);
      sample([]);
      timer.run();
    },
    askBefore: () => sample([]),
    onPart(request) {
      const one = followed.get(request);
      if (one) noticePart(one, { telemetry, tell, pathwayOf: around.pathwayOf });
      if (!probes.hasFile()) probes.file(request.url, firstByteOf(request));
      timer.run();
    },
    onEnd(request) {
      const one = followed.get(request);
      if (one && one.load.progress().bytes > 0 && requestIn(request.customData)?.mediaType === 'video')
        probes.file(request.url, firstByteOf(request));
    },
    dispose() {
      timer.stop();
      probes.dispose();
      offNetwork();
      unsubscribe();
      session = null;
    },
  };
}

/** Where in its file a request begins. */
function firstByteOf({ headers }: MediaRequest): number {
  const [, first] = /^bytes=(\d+)-/.exec(headers?.['Range'] ?? '') ?? [];
  return Number(first ?? 0);
}

/** A part of a request that the policy has not heard of has begun. */
function noticePart(
  one: Followed,
  {
    telemetry,
    tell,
    pathwayOf,
  }: Pick<Around, 'telemetry' | 'pathwayOf'> & { tell: (input: SteeringInput) => void },
): void {
  const part = one.request.customData.recorded?.part();
  const pathway = part && pathwayOf(part.url);
  if (!part || !pathway || part.id === one.partId) return;
  one.partId = part.id;
  tell({ kind: 'began', atMs: telemetry.nowMs(), requestId: part.id, pathway, purpose: 'media' });
}

function progressOf({ load, request, partId }: Followed): SteeringSample['progress'] {
  const part = request.customData.recorded?.part();
  if (!part || part.id !== partId) return [];
  const { bytes, totalBytes } = load.progress();
  const left = totalBytes === null ? null : Math.max(0, totalBytes - part.bytesBefore);
  return [{ requestId: partId, bytes: Math.max(0, bytes - part.bytesBefore), totalBytes: left }];
}

/** A recorded request as an input; null for all that is not one that ended over a pathway. */
function endedOf(event: SessionEvent): RequestEnded | null {
  if (event.kind !== 'request' || event.outcome === 'in-flight' || event.pathway === undefined) return null;
  if (event.type !== 'media' && event.type !== 'probe') return null;
  const lastByteMs = event.lastByteMs ?? event.endMs ?? event.atMs;
  return {
    kind: 'ended',
    atMs: Math.max(event.endMs ?? 0, lastByteMs),
    requestId: event.id,
    pathway: event.pathway,
    purpose: event.type,
    outcome: outcomeOf(event),
    bytes: event.receivedBytes ?? 0,
    startMs: event.startMs ?? event.atMs,
    firstByteMs: event.firstByteMs,
    lastByteMs,
    protocol: event.protocol,
    connectionReused: event.connectionReused,
  };
}

function outcomeOf({ outcome }: RequestEvent): RequestEnded['outcome'] {
  if (outcome === 'ok' || outcome === 'aborted') return outcome;
  return 'failed';
}

interface Limits {
  take(event: SessionEvent): void;
  mediaTypes(): readonly ('video' | 'audio')[];
  kbps(): Pick<SteeringSample, 'lowestKbps' | 'highestKbps'>;
}

/** The lowest and the highest bitrates that the ladders of now offer, summed over audio and video. */
function createLimits(): Limits {
  const ladders = new Map<'video' | 'audio', { lowestKbps: number; highestKbps: number }>();
  const sum = (field: 'lowestKbps' | 'highestKbps'): number | null =>
    ladders.size === 0 ? null : [...ladders.values()].reduce((total, each) => total + each[field], 0);
  return {
    take(event) {
      if (event.kind !== 'ladder') return;
      const rates = event.rungs.map(({ bitrateKbps }) => bitrateKbps);
      ladders.set(event.mediaType, { lowestKbps: Math.min(...rates), highestKbps: Math.max(...rates) });
    },
    mediaTypes: () => [...ladders.keys()],
    kbps: () => ({ lowestKbps: sum('lowestKbps'), highestKbps: sum('highestKbps') }),
  };
}

function bufferMsOf(player: MediaPlayerClass, limits: Limits): number {
  const levels = limits.mediaTypes().map((type) => player.getDashMetrics().getCurrentBufferLevel(type));
  const known = levels.filter((seconds) => Number.isFinite(seconds) && seconds >= 0);
  return Math.round(msFromSeconds(known.length > 0 ? Math.min(...known) : 0));
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

/** Chromium reports changes of the network type or the link's estimate; `online` comes in every browser. */
function onNetworkChange(tell: () => void): () => void {
  addEventListener('online', tell);
  return () => removeEventListener('online', tell);
}

function recordFault(telemetry: Telemetry, { code, message }: { code: string; message: string }): void {
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

/** The log's types are mutable, the policy's are not: the log gets its own copy. */
const mutable = (input: SteeringInput) =>
  input.kind === 'sample'
    ? { ...input, progress: input.progress.map((each) => ({ ...each })) }
    : { ...input };
