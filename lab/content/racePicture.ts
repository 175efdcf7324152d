/**
 * Paints the picture of the demo: a drive along a race track at dusk. Made to show the eye the difference between levels:
 * grass and tarmac lose their grain first, then kerbs and the grandstand's lights go soft. PURE: time is an argument.
 */

const speedMetresPerSecond = 46;
const roadHalfWidthMetres = 4.6;
const kerbWidthMetres = 0.9;
const cameraHeightMetres = 1.3;
const noise = noiseTexture(256, 2026);

const skyTop: readonly Colour[] = [
  [18, 27, 68],
  [52, 33, 92],
  [10, 14, 34],
];
const skyLow: readonly Colour[] = [
  [247, 160, 88],
  [235, 94, 88],
  [44, 62, 120],
];

/** Paints the picture of the moment `seconds` into `picture` (RGBA, any size). */
export function paintRace(picture: Picture, seconds: number): void {
  const horizon = Math.round(picture.heightPx * 0.46);
  paintSky(picture, horizon, seconds);
  paintHills(picture, horizon, seconds);
  for (let y = horizon; y < picture.heightPx; y++) paintGround(picture, { y, horizon, seconds });
  paintPosts(picture, horizon, seconds);
  paintCar(picture, seconds);
}

/** Returns how far the road bends at a moment, −1 to 1: two slow waves that do not repeat within the demo. */
function bend(seconds: number): number {
  return 0.6 * Math.sin(seconds / 5.3) + 0.4 * Math.sin(seconds / 2.9 + 1);
}

/** Returns the middle of the road on the row at `nearness` (0 horizon, 1 bottom), in pixels. */
function roadCentre({ widthPx }: Picture, nearness: number, seconds: number): number {
  return widthPx / 2 + bend(seconds) * widthPx * 0.42 * (1 - nearness) ** 2;
}

function paintSky({ pixels, widthPx }: Picture, horizon: number, seconds: number): void {
  // From dusk into night over the 72 s of the demo.
  const phase = Math.min(1.999, Math.max(0, seconds / 36));
  const step = Math.floor(phase);
  const top = mixed(skyTop[step]!, skyTop[step + 1]!, phase - step);
  const low = mixed(skyLow[step]!, skyLow[step + 1]!, phase - step);
  for (let y = 0; y < horizon; y++) {
    const colour = mixed(top, low, (y / horizon) ** 1.6);
    pixels.fill(packed(colour), y * widthPx, (y + 1) * widthPx);
  }
  paintSun({ pixels, widthPx, heightPx: horizon }, seconds);
}

function paintSun(sky: Picture, seconds: number): void {
  const radius = sky.heightPx * 0.2;
  const centreX = sky.widthPx * (0.5 - 0.3 * bend(seconds));
  const centreY = sky.heightPx * (0.45 + seconds / 90);
  for (let y = Math.max(0, Math.ceil(centreY - radius)); y < Math.min(sky.heightPx, centreY + radius); y++) {
    const half = Math.sqrt(radius ** 2 - (y - centreY) ** 2);
    const glow = packed([255, 214 - (60 * (y - centreY)) / radius, 150]);
    fillRect(sky, { x: centreX - half, y, width: 2 * half, height: 1 }, glow);
  }
}

function paintHills(picture: Picture, horizon: number, seconds: number): void {
  const layers = [
    { height: 0.16, shift: 0.25, colour: packed([58, 44, 92]) },
    { height: 0.09, shift: 0.5, colour: packed([32, 34, 62]) },
  ];
  for (const { height, shift, colour } of layers) {
    for (let x = 0; x < picture.widthPx; x++) {
      const at = x / picture.widthPx - bend(seconds) * shift * 0.5 + shift * 7;
      const ridge = 0.5 + 0.3 * Math.sin(at * 5) + 0.15 * Math.sin(at * 17) + 0.05 * Math.sin(at * 61);
      const top = horizon * (1 - height * ridge * 1.6);
      fillRect(picture, { x, y: top, width: 1, height: horizon - top }, colour);
    }
  }
}

/** Paints one row of the ground in perspective: its distance is the camera's height over its angle below the horizon. */
function paintGround(
  picture: Picture,
  { y, horizon, seconds }: { y: number; horizon: number; seconds: number },
): void {
  const { pixels, widthPx, heightPx } = picture;
  const nearness = (y - horizon + 0.5) / (heightPx - horizon);
  const metresPerPixel = cameraHeightMetres / (nearness * heightPx * 0.5);
  const along = cameraHeightMetres / nearness / 0.4 + seconds * speedMetresPerSecond;
  const centre = roadCentre(picture, nearness, seconds);
  const light = 0.35 + 0.65 * nearness;
  // All rows take the noise of their distance along the track, so that the noise moves towards the viewer.
  const noiseRow = (Math.floor(along * 24) & 255) << 8;
  const band = Math.floor(along / 6) & 1;
  for (let x = 0; x < widthPx; x++) {
    const across = (x - centre) * metresPerPixel;
    const grain = noise[noiseRow | (Math.floor(across * 36) & 255)]!;
    pixels[y * widthPx + x] = groundColour(across, { along, band, grain, light });
  }
}

function groundColour(
  across: number,
  { along, band, grain, light }: { along: number; band: number; grain: number; light: number },
): number {
  const side = Math.abs(across);
  const shade = light * (0.7 + 0.6 * grain);
  if (side > roadHalfWidthMetres + kerbWidthMetres) {
    return band ? rgb(58 * shade, 128 * shade, 66 * shade) : rgb(46 * shade, 106 * shade, 56 * shade);
  }
  if (side > roadHalfWidthMetres) {
    const white = Math.floor(along / 1.5) & 1;
    return white ? rgb(225 * shade, 225 * shade, 220 * shade) : rgb(205 * shade, 44 * shade, 40 * shade);
  }
  const isLine = side < 0.12 && (Math.floor(along / 4) & 1) === 1;
  return isLine ? rgb(220 * light, 220 * light, 215 * light) : rgb(74 * shade, 75 * shade, 84 * shade);
}

/** Returns RGBA in the byte order of a little-endian Uint32; written out because it runs for each pixel. */
function rgb(red: number, green: number, blue: number): number {
  return (0xff000000 | (Math.min(255, blue) << 16) | (Math.min(255, green) << 8) | Math.min(255, red)) >>> 0;
}

/** Paints lamp posts on both sides every 24 m, the farthest first. */
function paintPosts(picture: Picture, horizon: number, seconds: number): void {
  const spacing = 24;
  const travelled = seconds * speedMetresPerSecond;
  for (let index = 12; index >= 0; index--) {
    const distance = spacing - (travelled % spacing) + index * spacing;
    const nearness = cameraHeightMetres / 0.4 / distance;
    if (nearness > 1.2) continue;
    const metre = (nearness * picture.heightPx * 0.5) / cameraHeightMetres;
    const foot = horizon + nearness * (picture.heightPx - horizon);
    const lit = (Math.floor(travelled / spacing) + index) % 3 === 0;
    for (const side of [-1, 1]) {
      const x = roadCentre(picture, nearness, seconds) + side * (roadHalfWidthMetres + 3) * metre;
      const post = { x: x - 0.1 * metre, y: foot - 4.2 * metre, width: 0.2 * metre, height: 4.2 * metre };
      fillRect(picture, post, packed([24, 24, 34]));
      const board = { x: x - 0.9 * metre, y: foot - 4.6 * metre, width: 1.8 * metre, height: 0.8 * metre };
      fillRect(picture, board, lit ? packed([255, 226, 140]) : packed([86, 120, 196]));
    }
  }
}

/** Paints the car ahead, seen from behind: tyres, diffuser, body, wing and rain light. */
function paintCar(picture: Picture, seconds: number): void {
  const unit = picture.heightPx / 100;
  const x = picture.widthPx / 2 + bend(seconds + 0.4) * 16 * unit;
  const y = 84 * unit + 0.4 * unit * Math.sin(seconds * 21);
  const part = (
    left: number,
    top: number,
    width: number,
    height: number,
  ): Parameters<typeof fillRect>[1] => ({
    x: x + left * unit,
    y: y + top * unit,
    width: width * unit,
    height: height * unit,
  });
  fillRect(picture, part(-15, -9, 7, 13), packed([20, 20, 24]));
  fillRect(picture, part(8, -9, 7, 13), packed([20, 20, 24]));
  fillRect(picture, part(-9, -5, 18, 7), packed([44, 46, 54]));
  fillRect(picture, part(-5, -13, 10, 9), packed([214, 52, 44]));
  fillRect(picture, part(-12, -18, 24, 3), packed([214, 52, 44]));
  fillRect(picture, part(-12, -20, 1, 9), packed([235, 235, 230]));
  fillRect(picture, part(11, -20, 1, 9), packed([235, 235, 230]));
  if (Math.floor(seconds * 4) % 2 === 0) fillRect(picture, part(-1, -5, 2, 3), packed([255, 70, 60]));
}

/** A raw RGBA picture, one 32-bit number per pixel, row by row from the top. */
interface Picture {
  readonly pixels: Uint32Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Makes an empty picture. */
export function newPicture(widthPx: number, heightPx: number): Picture {
  return { pixels: new Uint32Array(widthPx * heightPx), widthPx, heightPx };
}

/** Fills a rectangle, cut to the picture; fractions are rounded. */
function fillRect(
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

/**
 * Makes a square of repeatable noise, 0 to 1, row by row; `sizePx` must be a power of two.
 * Numerical Recipes' 32-bit linear congruential generator: the demo must be the same bytes for the same recipe.
 */
function noiseTexture(sizePx: number, seed: number): Float32Array {
  const texture = new Float32Array(sizePx * sizePx);
  let state = seed >>> 0;
  for (let index = 0; index < texture.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    texture[index] = state / 2 ** 32;
  }
  return texture;
}

/** Red, green and blue, 0 to 255 each. */
type Colour = readonly [red: number, green: number, blue: number];

/** Returns a colour between two, `share` of the way from `from` to `to`. */
function mixed(from: Colour, to: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2): number => from[index] + (to[index] - from[index]) * share;
  return [part(0), part(1), part(2)];
}

/** Returns an opaque colour as RGBA in the byte order of `rawvideo`, as one little-endian 32-bit number. */
function packed([red, green, blue]: Colour): number {
  const byte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));
  return (0xff000000 | (byte(blue) << 16) | (byte(green) << 8) | byte(red)) >>> 0;
}
