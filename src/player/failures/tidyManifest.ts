import type { TimelineEntry } from '../streamProcessors.ts';

/** An MPD as dash.js' parser leaves it, as far as it is tidied. */
export interface TidyManifest {
  readonly Period?: readonly { AdaptationSet?: readonly AdaptationSet[] }[];
}
interface AdaptationSet {
  readonly EssentialProperty?: readonly Property[];
  readonly SupplementalProperty?: readonly Property[];
  readonly Representation?: readonly Representation[];
}
interface Property {
  readonly schemeIdUri?: string;
}
interface Representation {
  readonly mimeType?: string;
  readonly SegmentList?: {
    readonly SegmentURL?: readonly unknown[];
    readonly SegmentTimeline?: { S?: readonly TimelineEntry[] };
  };
}

/**
 * Writes a manifest so that dash.js 5.2.1 plays what is meant.
 *
 * It plays the first set of a kind, also where that is for trick play and marked as such by a SupplementalProperty (DASH-IF IOP
 * 4.3, 3.2.9): such sets go where others are left. And it takes the address of a segment in a SegmentList by the place of its `S`
 * element, so that all segments of one with `r` have one address (TimelineSegmentsGetter._getMediaUrl; ISO/IEC 23009-1, 5.3.9.3:
 * one for each segment): these elements are repeated.
 */
export function tidyManifest({ Period = [] }: TidyManifest): void {
  for (const period of Period) {
    const { AdaptationSet = [] } = period;
    const played = AdaptationSet.filter((set) => !isForTrickPlay(set));
    period.AdaptationSet = AdaptationSet.filter(
      (set) => played.includes(set) || !played.some((each) => kindOf(each) === kindOf(set)),
    );
    for (const { Representation = [] } of AdaptationSet)
      for (const each of Representation) repeatEntries(each);
  }
}

const isForTrickPlay = ({ EssentialProperty = [], SupplementalProperty = [] }: AdaptationSet): boolean =>
  [...EssentialProperty, ...SupplementalProperty].some(
    ({ schemeIdUri }) => schemeIdUri === 'http://dashif.org/guidelines/trickmode',
  );

const kindOf = ({ Representation: [first] = [] }: AdaptationSet): string | undefined =>
  first?.mimeType?.split('/')[0];

/** Representations may have one list together: what was repeated has no `r` any more. */
function repeatEntries({ SegmentList: { SegmentURL, SegmentTimeline } = {} }: Representation): void {
  if (!SegmentURL || !SegmentTimeline?.S) return;
  const { length } = SegmentURL;
  const entries = SegmentTimeline.S.flatMap(({ r = 0, ...entry }) =>
    // A negative `r` goes on to the end.
    Array.from({ length: r < 0 ? length : Math.min(r + 1, length) }, (_, index) =>
      index === 0 ? entry : { d: entry.d },
    ),
  );
  // For a segment without an address dash.js throws.
  SegmentTimeline.S = entries.slice(0, length);
}
