import type { MediaPlayerClass } from 'dashjs';
import { waitingFacts, type WaitingFacts } from './waiting.ts';

/** Characters. The largest live manifests seen are a few MB; dash.js parses on the main thread. */
const LARGEST_MANIFEST = 30_000_000;

/**
 * One sentence when a manifest must not reach dash.js' parser, which forgives almost anything (it plays what is there
 * of a cut-off file and drops entities that it does not know); null when it may.
 */
export function refusalOf(text: string): string | null {
  if (text.trim() === '') return 'The manifest is empty.';
  if (text.length > LARGEST_MANIFEST)
    return `The manifest is larger than ${LARGEST_MANIFEST / 1e6} million characters.`;
  if (isWebPage(text)) return 'The address gives a web page (HTML), not a manifest.';
  // No MPD needs a document type (ISO/IEC 23009-1 has a schema), and entities can grow without bound.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return 'The manifest declares a document type or entities.';
  return otherFormat(text) ?? faultOfRoot(text);
}

function otherFormat(text: string): string | null {
  if (/<SmoothStreamingMedia[\s>]/.test(text))
    return 'The manifest is Smooth Streaming, not DASH; Pitwall plays DASH.';
  if (text.trimStart().startsWith('#EXTM3U')) return 'The manifest is HLS, not DASH; Pitwall plays DASH.';
  return text.trimStart().startsWith('<') ? null : 'The address gives something that is not XML.';
}

/** Servers answer with a page where they have no such file, and say 200. */
function isWebPage(text: string): boolean {
  const head = text.slice(0, 4000);
  return /<!doctype\s+html|<html[\s>]/i.test(head) && !/<([\w.-]+:)?MPD[\s>]/.test(head);
}

/**
 * dash.js looks for each representation in the list of those whose codec, size and rates it has checked (5.2.1,
 * Capabilities._getTestedCodecConfiguration): once to fill the list, where it is another one, and once to filter. One comparison
 * takes about 0.2 µs, so that so many stop the page for 5 s.
 */
const MAX_COMPARISONS = 25_000_000;

/** What dash.js compares; a representation has what it does not say from its set. */
const COMPARED =
  /\s(bandwidth|codecs|mimeType|width|height|frameRate|audioSamplingRate)\s*=\s*("[^"]*"|'[^']*')/g;

const comparedIn = (attributes: string): string =>
  Array.from(` ${attributes}`.matchAll(COMPARED), ([each]) => each.trim())
    .sort()
    .join();

function countRepresentations(text: string): { all: number; different: number } {
  const seen = new Set<string>();
  let [all, set] = [0, ''];
  for (const [, name, attributes = ''] of text.matchAll(
    /<(?:[\w.-]{1,80}:)?(AdaptationSet|Representation)\s([^>]*)>/g,
  )) {
    if (name === 'AdaptationSet') set = comparedIn(attributes);
    else {
      all += 1;
      seen.add(`${set} ${comparedIn(attributes)}`);
    }
  }
  return { all, different: seen.size };
}

function faultOfRoot(text: string): string | null {
  const root = /<((?:[\w.-]+:)?(?:MPD|Patch))[\s>/]/.exec(text)?.[1];
  if (root === undefined) return 'The address gives XML that is not a DASH manifest: it has no MPD element.';
  const closed = text.includes(`</${root}`) || new RegExp(`<${root}[^>]*/>`).test(text);
  if (!closed) return `The manifest is cut off: its ${root} element is never closed.`;
  return root.endsWith('MPD') ? emptiness(text) : null;
}

/** A remote period (XLink) or an imported MPD may bring what is not here. */
function emptiness(text: string): string | null {
  if (/xlink:href|<([\w.-]+:)?ImportedMPD/.test(text)) return null;
  if (!/<([\w.-]+:)?Period[\s>/]/.test(text))
    return 'The manifest has no period, so there is nothing to play.';
  if (!/<([\w.-]+:)?Representation[\s>/]/.test(text))
    return 'The manifest has an empty ladder: no representation to choose from.';
  const { all, different } = countRepresentations(text);
  return (different * (different + all)) / 2 > MAX_COMPARISONS
    ? `The manifest has ${all} representations of ${different} kinds (codec, size, rate): comparing them takes longer than 5 s.`
    : null;
}

/** Whether the manifest announces encryption. */
export const isProtected = (text: string): boolean => /<([\w.-]+:)?ContentProtection[\s>/]/.test(text);

interface ManifestResponse {
  status?: number;
  data?: unknown;
  request?: { customData?: { request?: { type?: string } } };
}

/** What is known of the manifest besides what dash.js makes of it. */
export interface ManifestGuard {
  readonly refusal: () => string | null;
  readonly isProtected: () => boolean;
  /** Returns the facts of the newest manifest; null before there is one. */
  readonly waitingFacts: () => WaitingFacts | null;
}

/** Looks at every manifest on its way to the parser; a refused one is replaced by nothing that parses. */
export function guardManifests(player: MediaPlayerClass): ManifestGuard {
  let refusal: string | null = null;
  let protectedContent = false;
  let facts: WaitingFacts | null = null;
  player.addResponseInterceptor((response) => {
    const { status = 0, data, request } = response as unknown as ManifestResponse;
    if (request?.customData?.request?.type === 'MPD' && status < 300 && typeof data === 'string') {
      refusal = refusalOf(data);
      protectedContent = isProtected(data);
      facts = waitingFacts(data);
      // Text without "MPD" makes dash.js stop with a parsing error (ManifestLoader.createParser), without retries.
      if (refusal !== null) (response as { data?: unknown }).data = 'refused';
    }
    return Promise.resolve(response);
  });
  return { refusal: () => refusal, isProtected: () => protectedContent, waitingFacts: () => facts };
}
