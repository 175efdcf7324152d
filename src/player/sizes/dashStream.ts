import type { Representation } from 'dashjs';
import { parseUrl } from '../../telemetry/shell/parseUrl.ts';

/** What of dash.js' parsed MPD (dash/parser/DashParser.js) tells about sizes. */
interface ParsedMpd {
  /** Where it came from, after redirects. */
  readonly url?: string;
  readonly SupplementalProperty?: readonly { readonly schemeIdUri?: string; readonly value?: string }[];
  readonly Period?: readonly ParsedPeriod[];
}

interface ParsedPeriod {
  readonly AdaptationSet?: readonly {
    readonly Representation?: readonly { readonly SegmentTemplate?: { readonly media?: string } }[];
  }[];
}

/** Fields of dash.js' Representation (dash/vo/Representation.js) that `index.d.ts` types loosely. */
interface Placed {
  readonly index: number;
  readonly startNumber?: number;
  readonly adaptation?: { readonly index: number; readonly period?: PlacedPeriod } | null;
}

interface PlacedPeriod {
  readonly index: number;
  /** s */
  readonly duration?: number;
  readonly mpd?: { readonly manifest?: ParsedMpd };
}

/** Marks the side file in an MPD: `<SupplementalProperty schemeIdUri="…" value="sizes.json"/>`, a child of MPD. */
export const SIZES_SCHEME = 'urn:pitwall:sizes:2026';

/** Address of the side file that the MPD names; null when it names none. */
export function namedSizesFile(representation: Representation): string | null {
  const mpd = periodOf(representation)?.mpd?.manifest;
  const property = mpd?.SupplementalProperty?.find(({ schemeIdUri }) => schemeIdUri === SIZES_SCHEME);
  const url = property?.value === undefined ? null : parseUrl(String(property.value), mpd?.url);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

export const isInFirstPeriod = (representation: Representation): boolean =>
  periodOf(representation)?.index === 0;

/** How many segments the period has; Infinity when its end is not known. */
export function segmentsOf(representation: Representation): number {
  const durationS = periodOf(representation)?.duration ?? NaN;
  const { segmentDuration } = representation;
  return durationS > 0 && segmentDuration > 0 ? Math.ceil(durationS / segmentDuration - 1e-6) : Infinity;
}

/** The `media` of its SegmentTemplate, as TemplateSegmentsGetter of dash.js finds it; null without one. */
export function templateOf(representation: Representation): { media: string; startNumber: number } | null {
  const { index, adaptation, startNumber = 1 } = placed(representation);
  const period = periodOf(representation);
  const parsed = period?.mpd?.manifest?.Period?.[period.index];
  const media = mediaOf(parsed, adaptation?.index ?? -1, index);
  return media === null ? null : { media, startNumber };
}

const mediaOf = (period: ParsedPeriod | undefined, adaptation: number, index: number): string | null =>
  period?.AdaptationSet?.[adaptation]?.Representation?.[index]?.SegmentTemplate?.media ?? null;

const placed = (representation: Representation): Placed => representation as unknown as Placed;
const periodOf = (representation: Representation): PlacedPeriod | undefined =>
  placed(representation).adaptation?.period;
