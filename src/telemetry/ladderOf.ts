import type { LadderEvent } from './event.ts';

/** The fields of a dash.js Representation that make a rung. */
export interface RungSource {
  readonly id: string;
  /** bit/s */
  readonly bandwidth: number;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly codecs?: string | null;
}

/**
 * The ladder of what dash.js can choose from, ascending by bitrate. dash.js itself sorts by quality ranking or pixel
 * rate where the MPD gives them; a rung in the log is always an index into this order.
 */
export function ladderOf(representations: readonly RungSource[]): LadderEvent['rungs'] {
  return [...representations]
    .sort((one, other) => one.bandwidth - other.bandwidth)
    .map(({ id, bandwidth, width, height, codecs }) => ({
      representationId: String(id),
      bitrateKbps: bandwidth / 1000,
      width: pixels(width),
      height: pixels(height),
      codecs: codecs ?? '',
    }));
}

/** dash.js writes NaN or 0 where the MPD says nothing. */
function pixels(count: number | null | undefined): number | null {
  return count && Number.isFinite(count) ? Math.round(count) : null;
}
