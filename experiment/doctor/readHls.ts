import type { ReadManifest } from './readDash.ts';

/** A variant of a multivariant playlist (RFC 8216, section 4.3.4.2). */
export interface Variant {
  readonly url: string;
  readonly kbps: number;
  readonly codecs: string | null;
}

/** Reads the variants of a playlist; empty for one that has segments itself. */
export function readVariants(text: string, url: string): Variant[] {
  let before: string | null = null;
  return linesOf(text).flatMap((line) => {
    if (line.startsWith('#')) {
      before = /^#EXT-X-STREAM-INF:(.*)$/.exec(line)?.[1] ?? before;
      return [];
    }
    const [attributes, uri] = [before, line];
    before = null;
    if (attributes === null || !URL.canParse(uri, url)) return [];
    const kbps = Number(/(?:^|,)BANDWIDTH=(\d+)/.exec(attributes)?.[1] ?? 0) / 1000;
    return [
      { url: new URL(uri, url).href, kbps, codecs: /(?:^|,)CODECS="([^"]*)"/.exec(attributes)?.[1] ?? null },
    ];
  });
}

/** Reads a media playlist, and what the variants beside it say. @throws Error in one sentence */
export function readMediaPlaylist(text: string, url: string, variants: readonly Variant[]): ReadManifest {
  const lines = linesOf(text);
  if (lines[0] !== '#EXTM3U') throw new Error(`${url}: It does not begin with #EXTM3U.`);
  const numbersOf = (pattern: RegExp): number[] =>
    lines.flatMap((line) => {
      const found = pattern.exec(line)?.[1];
      return found === undefined ? [] : [Number(found)];
    });
  const [target = null] = numbersOf(/^#EXT-X-TARGETDURATION:(\d+)/);
  const lengths = numbersOf(/^#EXTINF:([\d.]+)/);
  const segments = lines.flatMap((line) =>
    line.startsWith('#') || !URL.canParse(line, url) ? [] : [new URL(line, url).href],
  );
  if (target === null || segments.length === 0)
    throw new Error(`${url}: The playlist has no segments, or no EXT-X-TARGETDURATION.`);
  const codecs = new Set(variants.flatMap((each) => each.codecs ?? []));
  const isLive = !lines.includes('#EXT-X-ENDLIST');
  return {
    kind: 'hls',
    isLive,
    // A multivariant playlist stays as it is while the stream goes on.
    updateSeconds: isLive && variants.length === 0 ? target : null,
    types: [...codecs].map((each) => `video/mp4; codecs="${each}"`),
    gaps: [],
    clocks: [],
    media: [{ resolvedUri: segments[0]! }],
    levels: variants.map(({ url: at, kbps }) => ({
      what: `the playlist of ${Math.round(kbps)} kbit/s`,
      url: at,
    })),
    last: segments.length > 1 ? segments.at(-1)! : null,
    times: null,
    target: { announced: target, longest: lengths.reduce((longest, each) => Math.max(longest, each), 0) },
  };
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
