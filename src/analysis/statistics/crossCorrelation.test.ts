import { describe, expect, test } from 'vitest';
import { ccdf, quantile } from './summaries.ts';
import { crossCorrelation } from './crossCorrelation.ts';
import { seededNormals } from './random.ts';

const later = (series: readonly number[], by: number): number[] =>
  series.map((_, at) => series[(at - by + series.length) % series.length]!);

describe('two series that move together', () => {
  const driver = seededNormals(1)(60);

  test.each([0, 3, -5])('are found %i windows apart', (by) => {
    const { value } = crossCorrelation(driver, later(driver, by));
    expect(value).toMatchObject({ lag: by, windows: 60, shifts: 59 });
    expect(value!.maximum).toBeGreaterThan(0.85);
    // Shifts by a few windows only move the match to another lag, where it may be as good.
    expect(value!.shareOfShiftsLarger).toBeLessThan(0.2);
  });

  test('are not met again in the maxima of chance, where 19 shifts or more are apart', () => {
    const [few, enough] = [51, 52].map((windows) => {
      const series = driver.slice(0, windows);
      return crossCorrelation(series, later(series, 0)).value!;
    });
    expect(few).toMatchObject({ areMaximaApart: false });
    expect(few!.shiftMaxima).toHaveLength(50);
    expect(few!.shiftMaxima.at(-1)).toBeGreaterThan(0.8);
    // By 17 to 35 windows.
    expect(enough!.shiftMaxima).toHaveLength(19);
    expect(enough).toMatchObject({ areMaximaApart: true });
    expect(enough!.shiftMaxima.at(-1)).toBeLessThan(0.6);
  });

  test('correlate to exactly 1 with themselves, at lag 0', () =>
    expect(crossCorrelation(driver, driver).value).toMatchObject({ maximum: expect.closeTo(1, 12), lag: 0 }));

  test('swapped, they are as far apart the other way', () => {
    const response = later(driver, 2).map((each, at) => each + driver[(at * 7) % 60]! / 2);
    const [there, back] = [
      crossCorrelation(driver, response).value!,
      crossCorrelation(response, driver).value!,
    ];
    expect(back.lag).toBe(-there.lag);
    expect(back.maximum).toBeCloseTo(there.maximum, 12);
  });

  test('are found with unknown windows among them', () => {
    const response: (number | null)[] = later(driver, 1);
    response[10] = response[11] = response[40] = null;
    expect(crossCorrelation(driver, response).value).toMatchObject({ lag: 1, windows: 57 });
  });
});

describe('independent noise', () => {
  const next = seededNormals(7);

  test.each([
    [20, 0.36],
    [90, 0.18],
  ])('of %i windows has a median maximum of %f', (windows, expected) => {
    const maxima = Float64Array.from(
      { length: 1500 },
      () => crossCorrelation(next(windows), next(windows)).value!.maximum,
    );
    expect(Math.abs(quantile(maxima.sort(), 0.5) - expected)).toBeLessThan(0.025);
  });

  test.each([30, 80])('of %i windows is below half of its shifts half of the time', (windows) => {
    const shares = Array.from(
      { length: 300 },
      () => crossCorrelation(next(windows), next(windows)).value!.shareOfShiftsLarger,
    );
    expect(Math.abs(quantile(Float64Array.from(shares).sort(), 0.5) - 0.5)).toBeLessThan(0.12);
    expect(shares.filter((share) => share < 0.05).length / 300).toBeLessThan(0.1);
  });
});

test('too few windows, or windows that are all the same, have no correlation but a reason', () => {
  const next = seededNormals(3);
  expect(crossCorrelation(next(19), next(19))).toEqual({
    value: null,
    why: 'Only 19 windows are known; 20 are needed, as fewer correlate by chance.',
  });
  expect(crossCorrelation(new Array<number>(30).fill(0), next(30))).toEqual({
    value: null,
    why: 'One of the two series is the same in all windows.',
  });
  expect(() => crossCorrelation([1], [])).toThrow('one length');
});

test('a complementary distribution falls from 1, a step for each value', () =>
  expect(ccdf([3, 1, 3, 2])).toEqual([
    { value: 1, share: 1 },
    { value: 2, share: 0.75 },
    { value: 3, share: 0.5 },
  ]));
