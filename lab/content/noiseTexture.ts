/**
 * A square of repeatable noise, 0 to 1, row by row; `sizePx` must be a power of two.
 * Numerical Recipes' 32-bit linear congruential generator: the demo must be the same bytes for the same recipe.
 */
export function noiseTexture(sizePx: number, seed: number): Float32Array {
  const texture = new Float32Array(sizePx * sizePx);
  let state = seed >>> 0;
  for (let index = 0; index < texture.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    texture[index] = state / 2 ** 32;
  }
  return texture;
}
