/** Colours, type and geometry as the page's tokens say now. Read anew when the colour scheme or the width changes. */
export interface Theme {
  colour(tone: string): string;
  font(weight?: number): string;
  readonly textPx: number;
  readonly gutterLeftPx: number;
  readonly gutterRightPx: number;
  /** A fill that tells apart without colour. Tiles are made once per theme. */
  pattern(kind: PatternKind, tone: string): CanvasPattern | string;
}
type PatternKind = 'hatched' | 'hatched-back' | 'dotted' | 'striped';

/** Reads the custom properties of `src/ui/tokens.css` as they reach `element`. `scale` is pixels per CSS px. */
export function readTheme(element: Element, scale: number): Theme {
  const style = getComputedStyle(element);
  const colours = new Map<string, string>();
  const patterns = new Map<string, CanvasPattern | string>();
  const px = (name: string): number => Number.parseFloat(style.getPropertyValue(name)) || 0;
  const textPx = px('--text-xs');
  const family = style.getPropertyValue('--font');
  const colour = (tone: string): string =>
    remembered(colours, tone, () => style.getPropertyValue(`--${tone}`).trim());
  return {
    colour,
    font: (weight = 400) => `${weight} ${textPx}px ${family}`,
    textPx,
    gutterLeftPx: px('--gutter-left'),
    gutterRightPx: px('--gutter-right'),
    pattern: (kind, tone) =>
      remembered(patterns, `${kind} ${tone}`, () =>
        tile(kind, { ink: colour(tone), ground: colour('surface'), scale }),
      ),
  };
}

function remembered<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}

interface Paint {
  readonly ink: string;
  readonly ground: string;
  readonly scale: number;
}

/** Side of a tile in CSS px: an even number, so that the diagonal meets itself at the edges. */
const TILE_PX = 6;

function tile(kind: PatternKind, paint: Paint): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  const side = Math.round(TILE_PX * paint.scale);
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) return paint.ink;
  context.scale(side / TILE_PX, side / TILE_PX);
  if (kind === 'dotted') drawDots(context, paint);
  else drawDiagonals(context, kind, paint);
  const pattern = context.createPattern(canvas, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(TILE_PX / side));
  return pattern ?? paint.ink;
}

function drawDots(context: CanvasRenderingContext2D, { ink }: Paint): void {
  context.fillStyle = ink;
  context.globalAlpha = 0.28;
  context.fillRect(0, 0, TILE_PX, TILE_PX);
  context.globalAlpha = 1;
  context.beginPath();
  for (const [x, y] of [
    [1.5, 1.5],
    [4.5, 1.5],
    [1.5, 4.5],
    [4.5, 4.5],
  ] as const) {
    context.moveTo(x + 0.85, y);
    context.arc(x, y, 0.85, 0, 7);
  }
  context.fill();
}

function drawDiagonals(context: CanvasRenderingContext2D, kind: PatternKind, { ink, ground }: Paint): void {
  if (kind !== 'striped') {
    context.fillStyle = ground;
    context.fillRect(0, 0, TILE_PX, TILE_PX);
  }
  context.strokeStyle = ink;
  context.lineWidth = kind === 'striped' ? 1.4 : 1.9;
  context.beginPath();
  for (const shift of [-TILE_PX, 0, TILE_PX]) {
    const [start, end] = kind === 'hatched-back' ? [-1, TILE_PX + 1] : [TILE_PX + 1, -1];
    context.moveTo(shift - 1, start);
    context.lineTo(shift + TILE_PX + 1, end);
  }
  context.stroke();
}
