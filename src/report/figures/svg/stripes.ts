import { element } from './element.ts';
import { tone } from './tone.ts';

/** Two colours in turn, for what is two things at once: `fill="url(#id)"`. */
export const stripes = (id: string, one: string, other: string): string =>
  element(
    'pattern',
    { id, width: 8, height: 8, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    [one, other].map((token, index) =>
      element('rect', {
        x: index * 4,
        width: 4,
        height: 8,
        fill: tone(token),
        'fill-opacity': index === 0 ? 0.55 : 0.45,
      }),
    ),
  );
