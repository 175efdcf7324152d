/** The time of day in UTC to the second, as a part of a file's name: `2026-11-29T08-30-00`. */
export const timeStamp = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-');
