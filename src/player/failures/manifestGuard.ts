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
  if (isWebPage(text))
    return 'The address gives a web page (HTML), not a manifest: it may be a page about the stream, or a page for errors.';
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
 * Different ones, as dash.js' check of codecs tells them apart. It looks for each in the list of those that it has checked
 * (Capabilities._getTestedCodecConfiguration), so that its time grows with the square: 10,000 stop the page for seconds.
 */
const MAX_REPRESENTATIONS = 2000;

function differentRepresentations(text: string): number {
  const different = new Set<string>();
  for (const [, attributes = ''] of text.matchAll(/<(?:[\w.-]{1,80}:)?Representation\s([^>]*)>/g))
    different.add(attributes.replace(/\bid\s*=\s*("[^"]*"|'[^']*')/, ''));
  return different.size;
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
  const count = differentRepresentations(text);
  return count > MAX_REPRESENTATIONS
    ? `The manifest has ${count} different representations; Pitwall plays up to ${MAX_REPRESENTATIONS}.`
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
  /** Of the newest manifest; null before there is one. */
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
