import type { MediaType } from '../../abr/rule.ts';
import type { Content } from '../content.ts';

/** A simulated presentation has one period. */
export const PERIOD_ID = 'p0';

/** Of a scheme that nobody can fetch: nothing was. */
export const manifestUrl = ({ name }: Content): string => `sim://${encodeURIComponent(name)}`;

export const representationId = (mediaType: MediaType, rung: number): string => `${mediaType}-${rung}`;
