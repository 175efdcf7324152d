import type Hls from 'hls.js';
import type { FragmentLoaderContext, LoaderContext, PlaylistLoaderContext } from 'hls.js';
import type { RequestEvent } from '../../event.ts';
import { NO_PURPOSE, type RequestAnswer, type RequestPurpose } from '../../join/requestDraft.ts';
import { guarded } from '../onEvents.ts';
import type { RequestBook, RequestEntry } from '../requests/requestBook.ts';
import { ONE_PERIOD } from '../trackPlayer.ts';

/** What is loaded: of which fragment, or of which level or track. */
type AnyContext = Pick<LoaderContext, 'url' | 'rangeStart' | 'rangeEnd'> & {
  readonly type: string;
  readonly frag?: FragmentLoaderContext['frag'];
  readonly part?: FragmentLoaderContext['part'];
  readonly levelOrTrack?: PlaylistLoaderContext['levelOrTrack'];
};

/**
 * Follows every request of hls.js, each attempt apart: its loader hands each XMLHttpRequest to `xhrSetup` before it sends it
 * (xhr-loader.ts of 1.7.4). What is set there already is called as before.
 */
export function trackHlsRequests(
  hls: Hls,
  { book, purposeOf }: { book: RequestBook; purposeOf: (context: AnyContext) => RequestPurpose },
): {
  idOf(xhr: unknown): string | null;
  /** The request was cancelled because it took too long. */
  timedOut(xhr: unknown): void;
  dispose(): void;
} {
  const followed = new WeakMap<object, { readonly entry: RequestEntry; again: () => void }>();
  const failures = new WeakMap<object, number>();
  const follow = guarded((xhr: XMLHttpRequest, context: AnyContext): void => {
    if (followed.has(xhr)) return;
    const key = context.frag ?? context.levelOrTrack ?? hls;
    const { rangeStart = 0, rangeEnd } = context;
    const entry = book.ask({
      url: context.url,
      method: 'GET',
      range: rangeEnd ? `${rangeStart}-${rangeEnd - 1}` : null,
      attempt: failures.get(key) ?? 0,
      purpose: purposeOf(context),
    });
    const end = (answer: RequestAnswer): void => book.end(entry, { url: context.url, answer });
    const one = { entry, again: () => undefined as void };
    followed.set(xhr, one);
    listen(xhr, {
      onSent() {
        book.sending(entry, context.url);
        book.sent(entry);
      },
      onEnd(answer) {
        const failed = answer.outcome !== 'ok' && answer.outcome !== 'aborted';
        failures.set(key, failed ? (failures.get(key) ?? 0) + 1 : 0);
        end(answer);
        one.again = () => {
          failures.set(key, (failures.get(key) ?? 0) + 1);
          end(answer);
        };
      },
    });
  });
  const { config } = hls;
  const before = config.xhrSetup;
  const setup: typeof before = function (this: unknown, xhr, url, context) {
    follow(xhr, context);
    return before?.call(this, xhr, url, context);
  };
  config.xhrSetup = setup;
  const of = (xhr: unknown) => (typeof xhr === 'object' && xhr !== null ? (followed.get(xhr) ?? null) : null);
  return {
    idOf: (xhr) => of(xhr)?.entry.id ?? null,
    timedOut: (xhr) => of(xhr)?.again(),
    dispose() {
      if (config.xhrSetup !== setup) return;
      if (before) config.xhrSetup = before;
      else delete config.xhrSetup;
    },
  };
}

/** What happens to one XMLHttpRequest. */
function listen(
  xhr: XMLHttpRequest,
  { onSent, onEnd }: { onSent: () => void; onEnd: (answer: RequestAnswer) => void },
): void {
  let receivedBytes = 0;
  let endMs: number | null = null;
  let cut: RequestEvent['outcome'] = null;
  const on = (name: string, act: (event: ProgressEvent) => void): void =>
    xhr.addEventListener(name, guarded(act) as EventListener);
  const count = ({ loaded }: ProgressEvent): void => void (receivedBytes = Math.max(receivedBytes, loaded));
  on('loadstart', onSent);
  on('progress', count);
  on('load', count);
  on('abort', () => (cut = 'aborted'));
  on('error', () => (cut = 'network-error'));
  on('timeout', () => (cut = 'timeout'));
  // hls.js reads the body in this event, after us: its work is not part of the request.
  on('readystatechange', () => {
    if (xhr.readyState === XMLHttpRequest.DONE) endMs = performance.now();
  });
  on('loadend', () =>
    onEnd({
      outcome: cut ?? (xhr.status >= 400 ? 'http-error' : 'ok'),
      status: xhr.status,
      finalUrl: xhr.responseURL,
      headers: headersOf(xhr),
      receivedBytes: cut !== null && receivedBytes === 0 ? null : receivedBytes,
      endMs: endMs ?? performance.now(),
    }),
  );
}

/** Response headers, names in lower case (XMLHttpRequest, `getAllResponseHeaders`). */
const headersOf = (xhr: XMLHttpRequest): Record<string, string> =>
  Object.fromEntries(
    xhr
      .getAllResponseHeaders()
      .split('\r\n')
      .flatMap((line) => {
        const at = line.indexOf(': ');
        return at > 0 ? [[line.slice(0, at).toLowerCase(), line.slice(at + 2)]] : [];
      }),
  );

/** `LoaderContextType` of hls.js in our types; what is not here is 'other'. */
const TYPES: Readonly<Record<string, RequestEvent['type']>> = {
  manifest: 'manifest',
  level: 'manifest',
  audioTrack: 'manifest',
  subtitleTrack: 'manifest',
  'steering-manifest': 'steering',
  key: 'license',
};

const MEDIA_TYPES = { main: 'video', audio: 'audio', subtitle: 'text' } as const;

type LevelOf = (mediaType: RequestPurpose['mediaType'], index: number) => HlsPlace | null;

/** A level or track that a fragment may be of. */
export interface HlsPlace {
  readonly representationId: string;
  readonly rung: number | null;
  readonly bitrateKbps: number | null;
  /** Number of its first segment; 0 for a live stream, whose numbers go on. */
  readonly firstSegment: number;
}

/** What hls.js asks for with a request. */
export function hlsPurposeOf(context: AnyContext, levelOf: LevelOf): RequestPurpose {
  const { frag, part = null } = context;
  if (!frag || context.type === 'key') return { ...NO_PURPOSE, type: TYPES[context.type] ?? 'other' };
  const mediaType = Object.hasOwn(MEDIA_TYPES, frag.type)
    ? MEDIA_TYPES[frag.type as keyof typeof MEDIA_TYPES]
    : null;
  const place = levelOf(mediaType, frag.level);
  const of = {
    ...NO_PURPOSE,
    mediaType,
    ...(place && {
      representationId: place.representationId,
      rung: place.rung,
      bitrateKbps: place.bitrateKbps,
    }),
  };
  if (typeof frag.sn !== 'number') return { ...of, type: 'init' };
  const { start, duration } = part ?? frag;
  return {
    ...of,
    type: 'media',
    segment: Math.max(0, frag.sn - (place?.firstSegment ?? 0)),
    mediaStartMs: start * 1000,
    mediaDurationMs: duration * 1000,
    periodId: ONE_PERIOD,
  };
}
