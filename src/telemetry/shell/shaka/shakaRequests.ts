import type shaka from 'shaka-player';
import { hasLadder, type RequestEvent } from '../../event.ts';
import { NO_PURPOSE, type RequestAnswer, type RequestPurpose } from '../../join/requestDraft.ts';
import { guarded, onEvents } from '../onEvents.ts';
import type { RequestBook, RequestEntry } from '../requests/requestBook.ts';
import { ONE_PERIOD, type PlayerTracking } from '../trackPlayer.ts';

type Request = shaka.extern.Request;
type Context = shaka.extern.RequestContext | undefined;

/** `NetworkingEngine.RequestType` of Shaka 5 in our types; what is not here is 'other'. */
const TYPES: Readonly<Partial<Record<number, RequestEvent['type']>>> = {
  0: 'manifest',
  1: 'media',
  2: 'license',
  8: 'steering',
  12: 'manifest',
};
/** `NetworkingEngine.AdvancedRequestType`. */
export const INIT_SEGMENT = 0;

/** `shaka.util.Error.Code`. */
const [TIMEOUT, ABORTED] = [1003, 7001];

/** The end of an attempt, as the player's events `downloadcompleted` and `downloadfailed` report it. */
interface DownloadEnd extends Event {
  readonly request: Request;
  readonly response?: shaka.extern.Response;
  readonly error?: { readonly code: number } | null;
  readonly httpResponseCode?: number;
  /** Shaka gave up for want of an answer. */
  readonly aborted?: boolean;
}

/**
 * Follows every request of Shaka, each attempt apart: a request filter runs before each, and an event of the player says how it
 * ended (networking_engine.js of 5.2.12).
 */
export function trackShakaRequests(
  player: shaka.Player,
  { book, purposeOf }: { book: RequestBook; purposeOf: (type: number, context: Context) => RequestPurpose },
): () => void {
  const open = new Map<Request, { readonly entry: RequestEntry; readonly url: string }>();
  const follow = guarded((type: number, request: Request, context: Context): void => {
    const url = request.uris[request.attempt % request.uris.length] ?? '';
    if (!/^https?:/i.test(new URL(url, location.href).href)) return;
    const range = /^bytes=(\d+-\d*)$/.exec(request.headers['Range'] ?? '')?.[1] ?? null;
    const entry = book.ask({
      url,
      method: request.method,
      range,
      attempt: request.attempt,
      purpose: purposeOf(type, context),
    });
    open.set(request, { entry, url });
    book.sending(entry, url);
    book.sent(entry);
  });
  const filter: shaka.extern.RequestFilter = (type, request, context) => follow(type, request, context);
  const end = ({ request, ...facts }: DownloadEnd): void => {
    const one = open.get(request);
    if (!one) return;
    open.delete(request);
    book.end(one.entry, { url: one.url, answer: answerOf(facts) });
  };
  const engine = player.getNetworkingEngine();
  engine?.registerRequestFilter(filter);
  const off = onEvents(player as unknown as EventTarget, ['downloadcompleted', 'downloadfailed'], (event) => {
    const { request, response, error, httpResponseCode, aborted } = event as DownloadEnd;
    end({ request, response, error, httpResponseCode, aborted } as DownloadEnd);
  });
  return () => {
    engine?.unregisterRequestFilter(filter);
    off();
  };
}

function answerOf({
  response,
  error,
  httpResponseCode = 0,
  aborted,
}: Omit<DownloadEnd, 'request'>): RequestAnswer {
  const endMs = performance.now();
  if (response) {
    const { status = 200, uri, headers, data } = response;
    return { outcome: 'ok', status, finalUrl: uri, headers, receivedBytes: data?.byteLength ?? null, endMs };
  }
  const isTimeout = aborted === true || error?.code === TIMEOUT;
  const failed = error?.code === ABORTED ? 'aborted' : 'network-error';
  const outcome = isTimeout ? 'timeout' : httpResponseCode >= 400 ? 'http-error' : failed;
  return { outcome, status: httpResponseCode, finalUrl: '', headers: {}, receivedBytes: null, endMs };
}

/** A level as a stream of Shaka is, or as a track names it. */
interface Level {
  readonly id: number | null;
  readonly originalId: string | null;
}

/**
 * Shaka calls a level of HLS by the address of its playlist as the stream has it: without its query, which may be a token. Where
 * queries alone tell levels apart, Shaka's number of the stream does.
 */
export function levelId(player: shaka.Player, { id, originalId }: Level): string | null {
  if (originalId == null) return null;
  const name = nameOf(originalId);
  const isShared = player
    .getVariantTracks()
    .flatMap(({ originalVideoId, originalAudioId }) => [originalVideoId, originalAudioId])
    .some((other) => other != null && other !== originalId && nameOf(other) === name);
  return isShared ? `${name}#${id}` : name;
}

const nameOf = (originalId: string): string => originalId.split(/[?#]/)[0]!.replace(/\.m3u8$/i, '');

/** Place of a segment in its stream, from 0 where nothing was before. */
export const placeOf = ({ segmentIndex }: shaka.extern.Stream, startTime: number): number | null =>
  segmentIndex?.find(startTime) ?? null;

interface Levels {
  readonly player: shaka.Player;
  readonly ladder: PlayerTracking['ladder'];
}

/** What Shaka asks for with a request. Of HLS it loads some segments before it has a level for them. */
export function shakaPurposeOf(type: number, context: Context, levels: Levels): RequestPurpose {
  const { stream, segment } = context ?? {};
  const known = TYPES[type] ?? 'other';
  if (known !== 'media' || !stream) return { ...NO_PURPOSE, type: known };
  const of = { ...NO_PURPOSE, ...levelOf(stream, levels) };
  if (context?.type === INIT_SEGMENT) return { ...of, type: 'init' };
  // An index is asked for as a segment of no place.
  if (!segment) return { ...of, type: 'index' };
  const [startTime, endTime] = [segment.getStartTime(), segment.getEndTime()];
  return {
    ...of,
    type: 'media',
    segment: placeOf(stream, startTime),
    mediaStartMs: Math.max(0, startTime * 1000),
    mediaDurationMs: (endTime - startTime) * 1000,
    periodId: ONE_PERIOD,
  };
}

function levelOf(
  stream: shaka.extern.Stream,
  { ladder, player }: Levels,
): Pick<RequestPurpose, 'mediaType' | 'representationId' | 'rung' | 'bitrateKbps'> {
  const { type: name } = stream as { readonly type: unknown };
  const mediaType = hasLadder(name) || name === 'text' ? name : null;
  const representationId = levelId(player, stream);
  const level = mediaType === 'video' ? ladder.at(representationId) : null;
  const ownKbps = stream.bandwidth ? stream.bandwidth / 1000 : null;
  return {
    mediaType,
    representationId,
    rung: level?.rung ?? null,
    bitrateKbps: level?.bitrateKbps ?? ownKbps,
  };
}
