import type { MediaPlayerClass } from 'dashjs';
import type { SteeringPolicy } from '../../steering/policy.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import type { DashRequest } from '../../telemetry/shell/requests/dashRequest.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { LoadWatcher } from '../loader/ownLoader.ts';
import type { MediaRequest } from '../loader/progressEvents.ts';
import type { PlayerSetup } from '../player.ts';
import { checkPathway, createFirstFile } from './checkPathway.ts';
import { keepThroughputByPathway } from './dashThroughput.ts';
import { createPathwayMap, MAIN, type PlacedPathway } from './pathways.ts';
import type { Followed } from './steeringInputs.ts';
import { createSteeringRun, recordFault, type SteeringRun } from './steeringRun.ts';

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

/** Creates the steering of a player. Call it before `initialize`, and before other request interceptors are added. */
export function createSteering(player: MediaPlayerClass, setup: SteeringSetup): Steering {
  const { policy, seed = 1 } = setup;
  const map = createPathwayMap(setup.mpdUrl, setup.pathways);
  const throughput = keepThroughputByPathway(player, map.of, MAIN);
  const followed = new Map<MediaRequest, Followed>();
  const files = createFirstFile((url) => map.of(url) === MAIN);
  let run: SteeringRun | null = null;
  const over = (url: string, id: string): string => map.to(url, id, keepsQuery(map.pathways, id, setup));
  const removeInterceptors = intercept(player, {
    onRequest(request, asked) {
      if (isMedia(asked)) run?.askBefore();
      request.url = over(request.url, run?.pathway() ?? MAIN);
    },
    onResponse: files.take,
  });
  return {
    environment: {
      policy: policy.id,
      parameters: { ...policy.parameters },
      pathways: map.pathways.map((pathway) => ({ ...pathway })),
    },
    pathwayOf: map.of,
    watcher: watcherOf(followed, () => run),
    begin(telemetry, onPathway) {
      const begun = createSteeringRun({
        ...{ player, telemetry, policy, seed, followed, over, pathwayOf: map.of },
        onPathway(id) {
          throughput.use(id);
          onPathway(id);
        },
        onContinued: throughput.leaveOut,
      });
      run = begun;
      void files.first.then(async (first) => {
        const checks = setup.pathways.map(async (pathway) => {
          const fault = await checkPathway(pathway, { first, url: over(first.url, pathway.id), telemetry });
          if (fault !== null) recordFault(telemetry, { code: 'pathway', message: fault });
          return fault === null ? [pathway] : [];
        });
        const usable = (await Promise.all(checks)).flat();
        if (run === begun) begun.start([map.pathways[0]!, ...usable]);
      });
    },
    dispose() {
      removeInterceptors();
      run?.dispose();
      run = null;
    },
  };
}

/** A query may be a signature: it goes only to servers that the user has named for headers or credentials. */
function keepsQuery(
  pathways: readonly PlacedPathway[],
  id: string,
  { origins = {} }: Pick<SteeringSetup, 'origins'>,
): boolean {
  const origin = URL.parse(pathways.find((pathway) => pathway.id === id)?.base ?? '')?.origin;
  return origin !== undefined && Object.hasOwn(origins, origin);
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
