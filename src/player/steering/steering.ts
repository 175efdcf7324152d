import type { MediaPlayerClass } from 'dashjs';
import type { PathwayChange } from '../../abr/ruleInput.ts';
import type { SteeringPolicy } from '../../steering/policy.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import type { DashRequest } from '../../telemetry/shell/requests/dashRequest.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { LoadWatcher } from '../loader/ownLoader.ts';
import type { MediaRequest } from '../loader/progressEvents.ts';
import type { PlayerSetup } from '../player.ts';
import { checkPathway, createFirstFile, type FirstBytes } from './checkPathway.ts';
import { inOrder, onSteeringOrder } from './contentSteering.ts';
import { keepThroughputByPathway } from './dashThroughput.ts';
import { createDeclaredMap, createPathwayMap, declaredPathways, type PathwayMap } from './pathwayMap.ts';
import { MAIN, type PlacedPathway } from './pathways.ts';
import type { Followed } from './steeringInputs.ts';
import { createSteeringRun, recordFault, type SteeringRun } from './steeringRun.ts';

/** Chooses the pathway of each request of a player, and continues slow ones on another. */
export interface Steering {
  readonly watcher: LoadWatcher;
  readonly environment: NonNullable<SessionHeader['environment']['steering']>;
  pathwayOf(url: string): string | null;
  /** To be called when the recording runs. `onPathway`: the requests to come go over another pathway. */
  begin(telemetry: Telemetry, onPathway: (change: PathwayChange) => void): void;
  dispose(): void;
}

interface SteeringSetup extends Pick<PlayerSetup, 'mpdUrl' | 'origins' | 'seed'> {
  readonly policy: SteeringPolicy;
  /** Pathways beside the MPD's own server. Without any, those that the MPD declares are used. */
  readonly pathways: readonly PlacedPathway[];
}

/** Creates the steering of a player. Call it before `initialize`, and before other request interceptors are added. */
export function createSteering(player: MediaPlayerClass, setup: SteeringSetup): Steering {
  const { policy, seed = 1 } = setup;
  const places = placesOf(setup);
  const throughput = keepThroughputByPathway(player, places.of, MAIN);
  const followed = new Map<MediaRequest, Followed>();
  const files = createFirstFile(places.of);
  let run: SteeringRun | null = null;
  let offDeclared = (): void => {};
  const removeInterceptors = intercept(player, {
    onRequest(request, asked) {
      if (isMedia(asked)) run?.askBefore();
      // Before the pathways are checked, dash.js chooses among the servers of the MPD.
      const pathway = run?.pathway() ?? null;
      if (pathway !== null) request.url = places.over(request.url, pathway);
    },
    onResponse: files.take,
  });
  return {
    environment: {
      policy: policy.id,
      parameters: { ...policy.parameters },
      pathways: places.all().map((pathway) => ({ ...pathway })),
    },
    pathwayOf: places.of,
    watcher: watcherOf(followed, () => run),
    begin(telemetry, onPathway) {
      const use = (change: PathwayChange): void => {
        throughput.use(change);
        onPathway(change);
      };
      const begun = createSteeringRun({
        player,
        telemetry,
        policy,
        seed,
        followed,
        over: places.over,
        pathwayOf: places.of,
        onPathway: use,
        onContinued: throughput.leaveOut,
        firstOfOrder: () => first.ofOrder(),
      });
      run = begun;
      const first = createFirstPathways(begun, use);
      if (setup.pathways.length === 0) offDeclared = onDeclared(player, telemetry, { places, first });
      void files.first.then(async (file) => {
        // Nothing was measured before: what dash.js knows from here on is of this pathway.
        throughput.use({ pathway: file.pathway, keepsHistory: false });
        const usable = await usablePathways(places, file, telemetry);
        if (run === begun) first.begin(usable, file.pathway);
      });
    },
    dispose() {
      removeInterceptors();
      offDeclared();
      run?.dispose();
      run = null;
    },
  };
}

/** The pathways of a session in their order, which the operator's steering server may change. */
interface FirstPathways {
  /** Takes the pathways that were checked. `present`: the one over which dash.js has requested until now. */
  begin(usable: readonly PlacedPathway[], present: string): void;
  order(ids: readonly string[]): void;
  /** Returns the pathway that the order names first; null where it names none of them. */
  ofOrder(): string | null;
}

function createFirstPathways(run: SteeringRun, use: (change: PathwayChange) => void): FirstPathways {
  let ids: readonly string[] = [];
  let usable: readonly PlacedPathway[] = [];
  return {
    begin(checked, present) {
      usable = inOrder(checked, ids);
      const { id } = usable[0]!;
      if (id !== present) use({ pathway: id, keepsHistory: false });
      run.start(usable);
    },
    order(next) {
      ids = next;
      const before = usable;
      usable = inOrder(before, ids);
      if (usable.some((pathway, at) => pathway !== before[at])) run.start(usable);
    },
    ofOrder: () => usable.find(({ id }, at) => at === 0 && ids.includes(id))?.id ?? null,
  };
}

/** Takes the pathways and their order from the MPD, and the order from its steering server. Returns the disposer. */
function onDeclared(
  player: MediaPlayerClass,
  telemetry: Telemetry,
  { places, first }: { places: Places; first: FirstPathways },
): () => void {
  const offs = [onDeclaredPathways(player, telemetry, places.declare), onSteeringOrder(player, first.order)];
  return () => {
    for (const off of offs) off();
  };
}

/** Where the files of a session are, once that is known. */
interface Places extends Pick<PathwayMap, 'of'> {
  all(): readonly PlacedPathway[];
  /** Returns the URL of a file over another pathway. */
  over(url: string, pathway: string): string;
  declare(pathways: readonly PlacedPathway[]): void;
}

function placesOf({ mpdUrl, pathways, origins }: SteeringSetup): Places {
  let map: PathwayMap | null = pathways.length > 0 ? createPathwayMap(mpdUrl, pathways) : null;
  let isDeclared = false;
  return {
    all: () => map?.pathways ?? [],
    of: (url) => map?.of(url) ?? null,
    over: (url, id) =>
      map
        ? map.to(url, id, isDeclared || keepsQuery(map.pathways, id, { ...(origins && { origins }) }))
        : url,
    declare(declared) {
      map = createDeclaredMap(declared);
      isDeclared = true;
    },
  };
}

/**
 * A query may be a signature: it goes only to servers that the user has named for headers or credentials. Those that the
 * MPD declares would get it from every player.
 */
function keepsQuery(
  pathways: readonly PlacedPathway[],
  id: string,
  { origins = {} }: Pick<SteeringSetup, 'origins'>,
): boolean {
  const origin = URL.parse(pathways.find((pathway) => pathway.id === id)?.base ?? '')?.origin;
  return origin !== undefined && Object.hasOwn(origins, origin);
}

/** Returns the pathways that serve the file as it came first, in their order. Others get a sentence in the log. */
async function usablePathways(
  places: Places,
  first: FirstBytes,
  telemetry: Telemetry,
): Promise<readonly PlacedPathway[]> {
  const checks = places.all().map(async (pathway) => {
    if (pathway.id === first.pathway) return [pathway];
    const url = places.over(first.url, pathway.id);
    const fault = await checkPathway(pathway, { first, url, telemetry });
    if (fault !== null) recordFault(telemetry, { code: 'pathway', message: fault });
    return fault === null ? [pathway] : [];
  });
  return (await Promise.all(checks)).flat();
}

function watcherOf(followed: Map<MediaRequest, Followed>, run: () => SteeringRun | null): LoadWatcher {
  const report = (request: MediaRequest): void => {
    const one = followed.get(request);
    if (one) run()?.onPart(one);
  };
  return {
    wants: ({ customData, method, responseType }) =>
      method === 'GET' && responseType === 'arraybuffer' && isMedia(requestIn(customData)),
    began(request, load) {
      followed.set(request, { request, load, startMs: performance.now(), partId: null });
      report(request);
    },
    continued: report,
    ended(request) {
      const one = followed.get(request);
      followed.delete(request);
      if (one) run()?.onEnd(one, requestIn(request.customData)?.mediaType === 'video');
    },
  };
}

/** What dash.js' loader keeps beside its callbacks. */
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
  readonly headers?: Readonly<Record<string, string>>;
  readonly customData?: { readonly request?: DashRequest };
}

/** dash.js' response, as far as it is read here. */
interface Incoming {
  readonly request: Outgoing;
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

/**
 * Reports the pathways that the first manifest declares: dash.js reads it before it requests any media. A sentence goes into
 * the log where it declares none. Returns the disposer.
 */
function onDeclaredPathways(
  player: Pick<MediaPlayerClass, 'on' | 'off' | 'getDashAdapter'>,
  telemetry: Pick<Telemetry, 'record' | 'nowMs'>,
  declare: (pathways: readonly PlacedPathway[]) => void,
): () => void {
  const off = (): void => player.off('manifestLoaded', onManifest);
  const onManifest = (event: unknown): void => {
    const { data } = event as { data?: object | null };
    if (!data) return;
    off();
    const pathways = declaredPathways(player.getDashAdapter().getBaseURLsFromElement(data));
    if (pathways.length > 0) declare(pathways);
    else recordFault(telemetry, { code: 'pathway', message: NONE });
  };
  player.on('manifestLoaded', onManifest);
  return off;
}

const NONE =
  'Nothing is steered: no pathway was given, and the MPD names no two servers (BaseURL with a serviceLocation).';
