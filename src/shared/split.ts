/** In how many ranges at once a segment is requested at the most: as in the 2018 thesis, §3.2.1. */
export const MAX_SPLIT = 12;

/** How many ranges a text asks for; null for what is no whole number from 1 to `MAX_SPLIT`. */
export function parseSplit(text: string): number | null {
  const count = /^\d{1,2}$/.test(text.trim()) ? Number(text) : NaN;
  return count >= 1 && count <= MAX_SPLIT ? count : null;
}

/**
 * Which video segments the page asks for with a low priority: none; all, so that sound comes first; all above the lowest level.
 * Sound and the rest have that of the browser, which has no higher one for requests of a page (docs/browsers.md).
 */
export const PRIORITIES = ['browser', 'audio-first', 'lowest-first'] as const;
export type Priority = (typeof PRIORITIES)[number];

const NAME = 'split-';

/** The part of an arm's name: `split-6`. */
export const splitName = (count: number): string => `${NAME}${count}`;

export const countOfSplit = (name: string): number => Number(name.slice(NAME.length));
