/** A dash.js error (event `error`) as far as we read it. */
export interface DashError {
  readonly code: number;
  readonly message: string;
  readonly data?: {
    readonly request?: {
      readonly url?: string | null;
      readonly type?: string | null;
      readonly mediaType?: string | null;
      /** Number of tries after the first one; none of them is left. */
      readonly retryAttempts?: number;
    } | null;
    readonly response?: {
      readonly status?: number;
      /** Time limit of a try, ms; 0: none. */
      readonly request?: { readonly timeout?: number } | null;
      /** Duration of the last try, ms. */
      readonly resourceTiming?: { readonly duration?: number } | null;
    } | null;
  } | null;
}

/** What an error means: whether it ended playback, whether it may pass, and one sentence for people. */
export interface Failure {
  readonly kind: 'fatal' | 'segment' | 'notice';
  readonly message: string;
}

/**
 * Codes of dash.js 5.2.1: core/errors/Errors.js, streaming/protection/errors/ProtectionErrors.js, and 1–5 of the video
 * element (HTML, MediaError). Those not listed are passed on as notices.
 */
const SENTENCES: Readonly<Record<number, string>> = {
  1: 'The browser stopped loading the video.',
  2: 'The browser lost the video while reading it.',
  3: 'The browser could not decode this video, also after starting its decoder anew.',
  4: 'The browser cannot play this kind of video.',
  5: 'The browser met protected video for which it has no key.',
  10: 'The manifest could not be understood: it is not a DASH manifest, or it is broken.',
  15: 'The index (sidx) of a segment file could not be read, so no segment is known.',
  23: 'This browser has no Media Source Extensions, so it cannot play DASH.',
  24: 'The stream is protected, and this browser or page offers no Encrypted Media Extensions (they need HTTPS).',
  31: 'The manifest contradicts itself, so no segment can be derived from it.',
  32: 'The manifest offers nothing that this browser can play: no period, an empty ladder, or only unsupported codecs.',
  34: 'The stream has audio and video in the same segments, which dash.js does not play.',
  35: 'This browser cannot decode the codecs of the stream.',
  36: 'The stream is protected, and no key that it needs is usable.',
  111: 'The stream is protected, and no licence server is given for it.',
  112: 'The stream is protected, and this browser has no suitable key system for it.',
  113: 'The stream is protected, and the browser could not start a key session.',
  114: 'The stream is protected, and the licence server refused or failed.',
};
const NOTHING_TO_PLAY = 32;
const PROTECTED =
  'The stream is protected, and this browser has no key system for it (or none of its codecs with one).';
/** Code of dash.js for a manifest that could not be loaded, at the start or at a refresh. */
export const MANIFEST_DOWNLOAD = 25;
/** Code of dash.js that repeats what code 25 has just said. */
const MANIFEST_LOADING = 11;
const MANIFEST_PARSING = 10;
const SEGMENT_DOWNLOADS: ReadonlySet<number> = new Set([27, 28]);

export function failureOf(
  error: DashError,
  { hasManifest, isProtected }: { hasManifest: boolean; isProtected: boolean },
): Failure {
  const sentence = isProtected && error.code === NOTHING_TO_PLAY ? PROTECTED : SENTENCES[error.code];
  if (error.code === MANIFEST_DOWNLOAD || error.code === MANIFEST_LOADING)
    return { kind: hasManifest ? 'notice' : 'fatal', message: unreachable('manifest', error) };
  if (SEGMENT_DOWNLOADS.has(error.code))
    return { kind: 'segment', message: unreachable(segmentName(error), error) };
  if (sentence === undefined) return { kind: 'notice', message: error.message };
  // A refresh of a live manifest that fails is tried again; what cannot be had at the start ends playback.
  return { kind: error.code === MANIFEST_PARSING && hasManifest ? 'notice' : 'fatal', message: sentence };
}

/** Why playback ends that no media came for. `refreshStatus`: what the server answers for the manifest; 0 where it has one. */
export const formatEnd = (message: string, refreshStatus: number): string =>
  refreshStatus === 404 || refreshStatus === 410
    ? `The stream is over: the server answers ${refreshStatus} for its manifest, and no more segments come.`
    : message;

const PARTS: Readonly<Record<string, string>> = {
  InitializationSegment: 'initialization segment',
  IndexSegment: 'segment index',
};

/** For example “initialization segment of the video (init.mp4)”. The query stays out: it may hold a token. */
function segmentName({ data }: DashError): string {
  const { url, type, mediaType } = data?.request ?? {};
  const part = PARTS[type ?? ''] ?? 'segment';
  const of = mediaType ? ` of the ${mediaType}` : '';
  const file = url ? URL.parse(url)?.pathname.split('/').at(-1) : '';
  return `${part}${of}${file ? ` (${file})` : ''}`;
}

function unreachable(what: string, { data }: DashError): string {
  const status = data?.response?.status ?? 0;
  const late = status === 0 ? formatTimeout(data) : null;
  if (late !== null) return `The ${what} could not be loaded: ${late}`;
  if (status >= 400) return `The ${what} could not be loaded: the server answered ${status}.`;
  return status > 0
    ? `The ${what} could not be loaded: the server answered ${status} with nothing in it.`
    : `The ${what} could not be loaded. Either the server cannot be reached, or this browser does not trust its ` +
        'certificate, or it does not allow this page to read it (no Access-Control-Allow-Origin); the browser does not tell which.';
}

/** Says that a request took too long; null where the last try ended before its time was up. */
function formatTimeout(data: DashError['data']): string | null {
  const { request, resourceTiming } = data?.response ?? {};
  const limitMs = request?.timeout || Infinity;
  if ((resourceTiming?.duration ?? 0) < limitMs) return null;
  const tries = 1 + (data?.request?.retryAttempts ?? 0);
  return `it did not come whole within ${limitMs / 1000} s${tries > 1 ? `, in any of ${tries} tries` : ''}.`;
}
