import type { MediaPlayerClass, Representation } from 'dashjs';
import { MAX_SPLIT, parseSplit, PRIORITIES, type Priority } from '../../shared/split.ts';
import { errorDraft } from '../../telemetry/errorDraft.ts';
import { jointTiming } from '../../telemetry/join/requestRanges.ts';
import type { DashRequest } from '../../telemetry/shell/requests/dashRequest.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { PlayerSetup } from '../player.ts';
import { createSegmentSizes } from '../sizes/createSegmentSizes.ts';
import { partSizes } from './byteRanges.ts';
import type { CreateBody } from './fetchMedia.ts';
import { createMediaBody, rangeOf } from './mediaBody.ts';
import type { Splitter } from './ownLoader.ts';
import type { MediaRequest } from './progressEvents.ts';
import { createSplitBody, resourceName, type SplitFault, type Splitting } from './splitBody.ts';

/** Requests the segments of a player: those of video in ranges, and with priorities. */
export interface PlayerSplitter extends Splitter {
  /** For the log. */
  readonly environment: { readonly split?: number; readonly priority?: Priority };
  /** Call it when the recording runs: before, nothing is split. */
  begin(telemetry: SplitTelemetry): void;
  dispose(): void;
}

type SplitTelemetry = Pick<Telemetry, 'fetch' | 'nowMs' | 'record'>;

interface SplitSetup extends Pick<PlayerSetup, 'sizes' | 'origins'> {
  /** In how many ranges a segment is requested. */
  readonly count: number;
  /** Absent or null: segments stay with dash.js' loader, and the browser has the say. */
  readonly priority?: Priority | null;
}

/**
 * The splitter that a set-up asks for, null for whole segments. @throws Error in one sentence about a number that it cannot
 * be, and about steering
 */
export function splitterFor(
  player: MediaPlayerClass,
  setup: Pick<PlayerSetup, 'sizes' | 'origins' | 'pathways' | 'steering'> & { readonly split: string },
): PlayerSplitter | null {
  const { pathways = [], steering = null } = setup;
  const { count, priority } = readSplit(setup.split);
  if (count === 1 && priority === null) return null;
  if (count > 1 && (pathways.length > 0 || steering !== null))
    throw new Error(
      'A segment in several ranges cannot continue on another pathway: leave out split, or pathway and steering.',
    );
  return createSplitter(player, { ...setup, count, priority });
}

/** Reads `6`, or `1:audio-first`. @throws Error in one sentence about anything else */
function readSplit(text: string): Required<Pick<SplitSetup, 'count' | 'priority'>> {
  const [ranges = '', ...others] = text.split(':');
  const count = parseSplit(ranges);
  if (count === null)
    throw new Error(`The ranges of a segment are a whole number from 1 to ${MAX_SPLIT}, not “${ranges}”.`);
  const priority = PRIORITIES.find((each) => each === others[0]) ?? null;
  if (others.length > (priority === null ? 0 : 1))
    throw new Error(`What follows the ranges is one of ${PRIORITIES.join(', ')}, not “${others.join(':')}”.`);
  return { count, priority };
}

/**
 * Creates the splitter of a player: each video segment goes out in several ranges at the same time (2018 thesis, §3.2.1).
 * Where its size is known, from the index of the stream or a sizes file, all leave at once. Otherwise the answer to the
 * first one says it. Call it before `initialize`.
 */
export function createSplitter(player: MediaPlayerClass, setup: SplitSetup): PlayerSplitter {
  const { count, priority = null } = setup;
  let run: (Splitter & { dispose(): void }) | null = null;
  return {
    environment: { ...(count > 1 && { split: count }), ...(priority && { priority }) },
    bodyOf(request) {
      const createBody = run?.bodyOf(request) ?? null;
      const asked = segmentIn(request);
      if (priority === null || !asked) return createBody;
      // By fetch in every case, so that sessions of several priorities differ in nothing else.
      Object.assign(request, { priority: isLow(priority, asked) ? 'low' : 'auto' });
      return createBody ?? createMediaBody;
    },
    begin(telemetry) {
      if (count > 1) run = startSplitting(player, telemetry, setup);
    },
    dispose() {
      run?.dispose();
      run = null;
    },
  };
}

function startSplitting(
  player: MediaPlayerClass,
  telemetry: SplitTelemetry,
  { count, ...setup }: SplitSetup,
): Splitter & { dispose(): void } {
  const servers = createServers((sentence) => recordFault(telemetry, sentence));
  const sizes = createKnownSizes(player, telemetry, setup);
  const stopWatching = watchRequests(player, (asked) => {
    sizes.lookUp(asked);
    if (isLowLatency(asked)) servers.note('low-latency', LOW_LATENCY);
  });
  return {
    bodyOf(request) {
      const asked = videoSegmentIn(request);
      const server = URL.parse(request.url)?.host;
      if (!asked || server === undefined || servers.state(server) === 'whole') return null;
      const sizeBytes = askedBytes(request) ?? sizes.of(asked);
      if (!isSplittable(sizeBytes, { count, isSizeSaid: servers.state(server) !== 'silent' })) return null;
      return bodyWith({
        count,
        sizeBytes,
        firstBytes: firstBytesOf(asked, count),
        isProven: servers.state(server) !== 'new',
        onProven: () => servers.prove(server),
        onFault(fault) {
          if (fault === 'other-size') sizes.distrust();
          servers.fault(server, fault);
        },
      });
    },
    dispose() {
      stopWatching();
      sizes.dispose();
    },
  };
}

/** Bytes. What is larger, or has a size that somebody made up, is requested whole. */
const MAX_SPLIT_BYTES = 64 * 1024 * 1024;

/** `isSizeSaid`: where the size is not known, the first answer says it. */
function isSplittable(
  sizeBytes: number | null,
  { count, isSizeSaid }: { count: number; isSizeSaid: boolean },
): boolean {
  if (sizeBytes === null) return isSizeSaid;
  return sizeBytes <= MAX_SPLIT_BYTES && partSizes(sizeBytes, count).length > 1;
}

const bodyWith =
  (splitting: Splitting): CreateBody =>
  (request, listeners) => {
    const giveTiming = hideTiming(request);
    const body = createSplitBody(request, listeners, splitting);
    const received = body.received.then((response) => {
      giveTiming((response.data as ArrayBuffer).byteLength);
      return response;
    });
    return { ...body, received };
  };

/** The media request of dash.js, with what only it knows of a segment. */
interface AskedSegment extends DashRequest {
  /** False: the segment is loaded while it is made, in pieces. */
  readonly availabilityTimeComplete?: boolean;
  /** What dash.js' throughput estimate takes for the request (streaming/models/ThroughputModel.js). */
  resourceTimingValues?: object;
}

const askedIn = ({ customData }: { customData?: object }): AskedSegment | undefined =>
  (customData as { request?: AskedSegment } | undefined)?.request;

/** null for all but segments: indexes and initialization go out as they are. */
function segmentIn(request: MediaRequest): AskedSegment | null {
  const asked = askedIn(request);
  const { type, index } = asked ?? {};
  const isSegment = type === 'MediaSegment' && index != null;
  return asked && isSegment && request.method === 'GET' && request.responseType === 'arraybuffer'
    ? asked
    : null;
}

/** Audio and text are not split. */
function videoSegmentIn(request: MediaRequest): AskedSegment | null {
  const asked = segmentIn(request);
  return asked?.mediaType === 'video' ? asked : null;
}

/** dash.js counts levels from the lowest bitrate (RepresentationController). */
const isLow = (priority: Priority, { mediaType, representation }: AskedSegment): boolean =>
  mediaType === 'video' &&
  (priority === 'audio-first' || (priority === 'lowest-first' && representation?.absoluteIndex !== 0));

const isLowLatency = ({ type, mediaType, availabilityTimeComplete }: AskedSegment): boolean =>
  type === 'MediaSegment' && mediaType === 'video' && availabilityTimeComplete === false;

/** Returns the size of a segment that is itself a range of a file; null for other segments. */
function askedBytes(request: MediaRequest): number | null {
  const { first, last } = rangeOf(request) ?? { first: 0, last: null };
  return last === null || last < first ? null : last + 1 - first;
}

/** Bytes of a first range where nothing is known of the segment. */
const UNKNOWN_BYTES = 64 * 1024;
const MIN_FIRST_BYTES = 2048;

/** Its part of a segment that is as large as its bitrate says. */
function firstBytesOf({ representation, duration }: AskedSegment, count: number): number {
  const bytes = ((representation?.bandwidth ?? NaN) * (duration ?? NaN)) / 8 / count;
  return Number.isFinite(bytes) && bytes > 0 ? Math.max(MIN_FIRST_BYTES, Math.round(bytes)) : UNKNOWN_BYTES;
}

/**
 * dash.js takes the first Resource Timing entry of a URL for that of a request, and here it is that of one range. It takes
 * none for a request with a `range` (HTTPLoader.js, _addResourceTimingValues), and then goes by what is there. What this
 * returns gives it the entries of all ranges as one, if they have so many bytes together; without them it goes by the
 * progress of the request.
 */
function hideTiming(request: MediaRequest): (bytes: number) => void {
  const asked = askedIn(request);
  const sentMs = performance.now();
  Object.assign(request, { range: true });
  delete asked?.resourceTimingValues;
  return (bytes) => {
    const entries = performance
      .getEntriesByName(resourceName(request.url), 'resource')
      .filter(({ startTime }) => startTime >= sentMs - CLOCK_MS) as PerformanceResourceTiming[];
    const timing = jointTiming(entries);
    if (asked && typeof timing !== 'string' && timing.decodedBodySize === bytes)
      asked.resourceTimingValues = timing;
  };
}

/** Clocks of a page are rounded. */
const CLOCK_MS = 1;

/** What the stream says of the sizes of its segments. */
interface StreamSizes {
  lookUp(asked: AskedSegment): void;
  of(asked: AskedSegment): number | null;
  /** A size was wrong: none is known from here on. */
  distrust(): void;
  dispose(): void;
}

function createKnownSizes(
  player: MediaPlayerClass,
  telemetry: SplitTelemetry,
  { sizes: wish, origins }: Pick<PlayerSetup, 'sizes' | 'origins'>,
): StreamSizes {
  const sizes = createSegmentSizes({
    player,
    telemetry,
    onNews: () => undefined,
    setup: { sizes: typeof wish === 'object' ? wish : 'stream', ...(origins && { origins }) },
  });
  let isTrusted = true;
  const choicesOf = ({ representation }: AskedSegment): Representation[] =>
    representation ? [representation as unknown as Representation] : [];
  return {
    lookUp(asked) {
      sizes.lookUp({ mediaType: 'video', choices: choicesOf(asked), segment: asked.index ?? null });
    },
    of(asked) {
      const [known] = isTrusted ? sizes.input('video', choicesOf(asked)) : [];
      return known?.sizesBytes[(asked.index ?? NaN) - known.firstSegment] ?? null;
    },
    distrust: () => void (isTrusted = false),
    dispose: sizes.dispose,
  };
}

/**
 * What is known of a server: nothing; that it answers with ranges; that it does and CORS hides the size of the file; or
 * that its segments have to be requested whole.
 */
type ServerState = 'new' | 'ranges' | 'silent' | 'whole';

interface Servers {
  /** `server` is a host with its port. */
  state(server: string): ServerState;
  prove(server: string): void;
  fault(server: string, fault: SplitFault): void;
  /** Says a sentence once. */
  note(key: string, sentence: string): void;
}

function createServers(say: (sentence: string) => void): Servers {
  const states = new Map<string, ServerState>();
  const said = new Set<string>();
  const note = (key: string, sentence: string): void => {
    if (!said.has(key)) say(sentence);
    said.add(key);
  };
  return {
    note,
    state: (server) => states.get(server) ?? 'new',
    prove(server) {
      if (!states.has(server)) states.set(server, 'ranges');
    },
    fault(server, fault) {
      if (fault === 'no-size') states.set(server, 'silent');
      else if (fault !== 'other-size') states.set(server, 'whole');
      note(`${server} ${fault}`, SENTENCES[fault](server));
    },
  };
}

const SENTENCES: Readonly<Record<SplitFault, (server: string) => string>> = {
  'no-ranges': (server) =>
    `${server} answers a byte range with the whole file: from here on, its segments are requested whole.`,
  'other-bytes': (server) =>
    `${server} answers a byte range with other bytes than were asked for: from here on, its segments are requested whole.`,
  'no-size': (server) =>
    `${server} does not let the page read Content-Range: segments of unknown size are requested whole.`,
  'other-size': (server) =>
    `A segment on ${server} has another size than its index or the sizes file says: from here on, the first range of each segment leaves alone and tells its size.`,
};

const LOW_LATENCY =
  'Low-latency segments are loaded in pieces while they are made: they are requested whole, not in ranges.';

const recordFault = (telemetry: SplitTelemetry, message: string): void =>
  void telemetry.record(errorDraft({ atMs: telemetry.nowMs(), source: 'player', code: 'split', message }));

/** Calls `look` with each request of video, before it goes out. Returns the disposer. */
function watchRequests(player: MediaPlayerClass, look: (asked: AskedSegment) => void): () => void {
  const interceptor = ((request: { customData?: object }) => {
    const asked = askedIn(request);
    if (asked?.mediaType === 'video') look(asked);
    return Promise.resolve(request);
  }) as unknown as Parameters<MediaPlayerClass['addRequestInterceptor']>[0];
  player.addRequestInterceptor(interceptor);
  return () => player.removeRequestInterceptor(interceptor);
}
