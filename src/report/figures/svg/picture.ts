import { element, escaped } from './element.ts';

/**
 * Every figure is as wide as a phone and stands beside others where the page is wide enough. So its text is never
 * scaled down, and one column becomes three without another drawing.
 */
export const WIDTH = 360;

export interface PictureOptions {
  /** Of the figure: unique in a report. */
  readonly id: string;
  readonly title: string;
  /** What is to be seen, for those who do not see it. */
  readonly description: string;
  readonly height: number;
}

/** The `<svg>` around marks. */
export const picture = (
  { id, title, description, height }: PictureOptions,
  marks: readonly string[],
): string =>
  element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${Math.ceil(height)}`,
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-desc`,
    },
    [
      element('title', { id: `${id}-title` }, [escaped(title)]),
      element('desc', { id: `${id}-desc` }, [escaped(description)]),
      ...marks,
    ],
  );
