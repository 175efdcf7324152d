/** An outage while a stream plays. */
export interface OutageCase {
  readonly kind: 'vod' | 'live' | 'low-latency';
  /** What whoever asks for media in the outage gets: this status, or no answer, then and later. */
  readonly how: '404' | '410' | 'silent';
  readonly outageS: number;
}

export const KINDS = ['vod', 'live', 'low-latency'] as const;
export const HOWS = ['404', '410', 'silent'] as const;

export const outageCases: readonly OutageCase[] = KINDS.flatMap((kind) =>
  HOWS.flatMap((how) => [5, 15, 30, 60].map((outageS) => ({ kind, how, outageS }))),
);

export const nameOf = ({ kind, how, outageS }: OutageCase): string => `${kind}, ${how}, ${outageS} s`;

/** s. When a stream on demand whose segments are answered with 404 or 410 has ended: five of them are left out. */
export const BROKEN_AFTER_S = 40;

/** A stream on demand that lacks five segments in a row is broken; after every other outage playback goes on. */
export const goesOn = ({ kind, how, outageS }: OutageCase): boolean =>
  kind !== 'vod' || how === 'silent' || outageS < BROKEN_AFTER_S;
