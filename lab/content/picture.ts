/** A raw RGBA picture, one 32-bit number per pixel, row by row from the top. */
export interface Picture {
  readonly pixels: Uint32Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** An empty picture. */
export function newPicture(widthPx: number, heightPx: number): Picture {
  return { pixels: new Uint32Array(widthPx * heightPx), widthPx, heightPx };
}

/** Fills a rectangle, cut to the picture; fractions are rounded. */
export function fillRect(
  { pixels, widthPx, heightPx }: Picture,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  colour: number,
): void {
  const left = Math.max(0, Math.round(x));
  const right = Math.min(widthPx, Math.round(x + width));
  const bottom = Math.min(heightPx, Math.round(y + height));
  if (right <= left) return;
  for (let row = Math.max(0, Math.round(y)); row < bottom; row++) {
    pixels.fill(colour, row * widthPx + left, row * widthPx + right);
  }
}
