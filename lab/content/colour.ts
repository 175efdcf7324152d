/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A colour between two, `share` of the way from `from` to `to`. */
export function mixed(from: Colour, to: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2): number => from[index] + (to[index] - from[index]) * share;
  return [part(0), part(1), part(2)];
}

/** RGBA in the byte order that `rawvideo` wants, as one little-endian 32-bit number; opaque. */
export function packed([red, green, blue]: Colour): number {
  const byte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));
  return (0xff000000 | (byte(blue) << 16) | (byte(green) << 8) | byte(red)) >>> 0;
}
