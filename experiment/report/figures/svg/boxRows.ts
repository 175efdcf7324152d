import type { ArmLook } from '../facets.ts';
import { thinned, type Box } from '../values.ts';
import { formatValue, type ValueAxis } from './valueAxis.ts';
import { X_AXIS_PX, xAxis, place, type Frame, type Place } from './axes.ts';
import { element, px, tone, picture, WIDTH } from './element.ts';
import { text, fitted, textWidth } from './text.ts';

export interface BoxGroup {
  /** "" for the only one. */
  readonly label: string;
  readonly rows: readonly { readonly look: ArmLook; readonly box: Box }[];
}

interface About {
  readonly id: string;
  readonly title: string;
  readonly axis: ValueAxis;
  readonly axisTitle: string;
}

const ROW_PX = 21;
const GROUP_PX = 21;
const BOX_PX = 12;
const MAX_OUTLIERS = 40;
const MAX_LABEL_PX = 120;
const GAP = 8;

/** Boxes lying on their sides, a row each: names of arms can be read, and many rows are only a longer picture. */
export function boxRows({ id, title, axis, axisTitle }: About, groups: readonly BoxGroup[]): string {
  const all = groups.flatMap(({ rows }) => rows);
  const labelPx = Math.min(MAX_LABEL_PX, Math.max(...all.map(({ look }) => textWidth(look.label))));
  const tops = topsOf(groups);
  const frame: Frame = { left: labelPx + GAP, right: WIDTH - 8, top: 2, bottom: tops.at(-1)! + 4 };
  const x = place(axis, frame.left, frame.right);
  const description = groups.map((group) => formatSummary(group, axis)).join(' ');
  return picture(
    {
      id,
      title,
      description: `Medians in ${axis.unit || 'its unit'}. ${description}`,
      height: frame.bottom + X_AXIS_PX,
    },
    [
      ...xAxis(frame, axis, axisTitle),
      ...groups.flatMap(({ label, rows }, index) => [
        ...(label === '' ? [] : [text(label, { x: 0, y: tops[index]! + 15, tone: 'ink', strong: true })]),
        ...rows.map(({ look, box }, row) => {
          const middle = tops[index]! + (label === '' ? 0 : GROUP_PX) + (row + 0.5) * ROW_PX;
          return boxMarks({ look, box, id: `${id}-${index}-${row}` }, { x, middle, labelPx });
        }),
      ]),
    ],
  );
}

/** Where each group begins, and where the last one ends. */
function topsOf(groups: readonly BoxGroup[]): number[] {
  const tops = [2];
  for (const { label, rows } of groups)
    tops.push(tops.at(-1)! + (label === '' ? 0 : GROUP_PX) + rows.length * ROW_PX + 4);
  return tops;
}

function boxMarks(
  { look, box, id }: { look: ArmLook; box: Box; id: string },
  { x, middle, labelPx }: { x: Place; middle: number; labelPx: number },
): string {
  const [first, median, third] = box.quartiles.map(x) as [number, number, number];
  const [min, max] = box.whiskers.map(x) as [number, number];
  const half = BOX_PX / 2;
  const fill = look.under === null ? { fill: tone(look.tone), 'fill-opacity': 0.3 } : { fill: `url(#${id})` };
  const ends = `M${px(min)} ${px(middle - 4)}v8M${px(max)} ${px(middle - 4)}v8`;
  const rings = thinned(box.outliers, MAX_OUTLIERS).map(
    (value) => `M${px(x(value) - 2)} ${px(middle)}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0`,
  );
  return element('g', { class: 'box-row' }, [
    text(fitted(look.label, labelPx), { x: labelPx, y: middle + 4.5, anchor: 'end' }),
    ...(look.under === null ? [] : [stripes(id, look.tone, look.under)]),
    element('path', {
      class: 'whiskers',
      fill: 'none',
      stroke: tone(look.tone),
      'stroke-width': 1.5,
      d: `M${px(min)} ${px(middle)}H${px(first)}M${px(third)} ${px(middle)}H${px(max)}${ends}`,
    }),
    element('rect', {
      class: 'box',
      x: first,
      y: middle - half,
      width: Math.max(1, third - first),
      height: BOX_PX,
      ...fill,
      stroke: tone(look.tone),
      'stroke-width': 1.5,
    }),
    element('path', {
      class: 'median',
      d: `M${px(median)} ${px(middle - half - 1)}v${BOX_PX + 2}`,
      stroke: tone('ink'),
      'stroke-width': 2.5,
    }),
    ...(rings.length > 0
      ? [element('path', { class: 'outliers', d: rings.join(''), fill: 'none', stroke: tone(look.tone) })]
      : []),
  ]);
}

const formatSummary = ({ label, rows }: BoxGroup, axis: ValueAxis): string =>
  `${label === '' ? '' : `${label}: `}${rows
    .map(({ look, box }) => `${look.label} ${formatValue(box.quartiles[1], axis)}`)
    .join(', ')}.`;

/** Two colours in turn, for what is two things at once: `fill="url(#id)"`. */
const stripes = (id: string, one: string, other: string): string =>
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
