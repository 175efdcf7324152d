import { seededRandom } from '../../shared/random.ts';

export { seededRandom };

/** Standard normal numbers that are the same in every run (Box and Muller 1958). */
export function seededNormals(seed: number): (count: number) => number[] {
  const random = seededRandom(seed);
  return (count) =>
    Array.from(
      { length: count },
      () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    );
}
