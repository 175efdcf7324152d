/** A moment as ISO 8601 in UTC, to the millisecond. */
export const isoTime = (unixMs: number): string => new Date(unixMs).toISOString();
