import { describe, expect, test } from 'vitest';
import { element, escaped, px } from './element.ts';
import { legend, markerPath } from './armMarks.ts';
import { MARKERS } from '../facets.ts';
import { logAxis } from '../latencies.ts';
import { place } from './axes.ts';
import { shownUnit, valueAxis } from './valueAxis.ts';
import { stackPath } from '../bytesOverTime.ts';
import { stepPath } from '../distributions.ts';
import { fitted, fittedName, textWidth } from './text.ts';

const labels = (axis: { ticks: readonly { label: string }[] }): string[] =>
  axis.ticks.map(({ label }) => label);

describe('an axis of values', () => {
  test.each([
    ['0 on where values begin near it', { min: 100, max: 4100, unit: 'kbit/s' }, '0 1 2 3 4 5', 'Mbit/s'],
    [
      'without 0 where they are far from it',
      { min: 910, max: 990, unit: 'kbit/s' },
      '900 920 940 960 980 1000',
      'kbit/s',
    ],
    ['round 0 where they lie on both sides', { min: -1.2, max: 0.4, unit: '' }, '−1.5 −1.0 −0.5 0.0 0.5', ''],
    ['round one value', { min: 50, max: 50, unit: '%' }, '44 46 48 50 52 54 56', '%'],
    ['above nothing but 0', { min: 0, max: 0, unit: 's' }, '0.0 0.2 0.4 0.6 0.8 1.0', 's'],
    ['below 0', { min: -30, max: -20, unit: '' }, '−30 −28 −26 −24 −22 −20', ''],
    ['of bytes', { min: 0, max: 3e6, unit: 'B', fromZero: true }, '0 1 2 3', 'MB'],
    ['of long times', { min: 0, max: 12_000, unit: 'ms' }, '0.0 2.5 5.0 7.5 10.0 12.5', 's'],
  ])('%s', (_, options, expected, unit) => {
    const axis = valueAxis(options);
    expect(labels(axis).join(' ')).toBe(expected);
    expect(axis.unit).toBe(unit);
    expect(axis.bottom).toBeLessThanOrEqual(options.min);
    expect(axis.top).toBeGreaterThanOrEqual(options.max);
  });
});

describe('a logarithmic axis', () => {
  test.each([
    [{ min: 8, max: 180 }, '5 10 20 50 100 200'],
    [{ min: 3, max: 30_000 }, '10 100 1000 10000'],
    [{ min: 40, max: 40 }, '20 50'],
    [{ min: 0, max: 90 }, '0.0001 0.001 0.01 0.1 1 10 100'],
  ])('of %j', (range, expected) => expect(labels(logAxis(range, 'ms')).join(' ')).toBe(expected));
});

test('values have their place between the ends, and those outside on them', () => {
  const x = place({ scale: 'linear', bottom: 0, top: 10, ticks: [] }, 20, 120);
  expect([0, 2.5, 10, -5, 99].map(x)).toEqual([20, 45, 120, 20, 120]);
  const log = place({ scale: 'log', bottom: 1, top: 100, ticks: [] }, 0, 200);
  expect([1, 10, 100, 0].map(log)).toEqual([0, 100, 200, 0]);
});

test('a distribution is steps from 0 to the right end', () =>
  expect(
    stepPath(
      [
        { value: 1, share: 0.5 },
        { value: 3, share: 1 },
      ],
      { x: (value) => 10 * value, y: (share) => 100 - 100 * share, ends: [0, 50] },
    ),
  ).toBe('M0 100H10V50H30V0H50'));

test('a band is stepped on both edges', () =>
  expect(
    stackPath(
      [
        { from: 0, to: 30, low: 0, high: 2 },
        { from: 30, to: 60, low: 1, high: 4 },
      ],
      { x: (value) => value, y: (value) => 100 - 10 * value },
    ),
  ).toBe('M0 100V80H30V60H60V90H30V100H0Z'));

describe('elements', () => {
  test('escape what comes from outside', () =>
    expect(escaped('<b a="1">&\u0000')).toBe('&lt;b a=&quot;1&quot;&gt;&amp; '));
  test('round px to a tenth', () =>
    expect(element('rect', { x: 1.26, y: -0.01 })).toBe('<rect x="1.3" y="0"/>'));
  test.each([NaN, Infinity])('are never drawn at %f', (value) =>
    expect(() => px(value)).toThrow('would be drawn at'),
  );
});

test('text that is too wide is cut', () => {
  expect(fitted('throughput', 500)).toBe('throughput');
  const cut = fitted('np2b-large-delay-large-loss', 80);
  expect(cut).toMatch(/^np2b-.*…$/);
  expect(textWidth(cut)).toBeLessThanOrEqual(80);
});

test('a legend takes the rows that it needs', () => {
  const look = { label: 'h3-racing', tone: 'ink', under: null, dash: '', marker: 'circle' } as const;
  expect(legend([{ look }], 'line').height).toBe(19);
  // Five of 26 + about 60 px do not fit into 360.
  expect(legend(new Array(5).fill({ look }), 'line').height).toBe(38);
  expect(legend([], 'line').height).toBe(0);
});

test('large numbers go into the next unit, others stay', () => {
  expect(shownUnit('kbit/s', 999)).toMatchObject({ unit: 'kbit/s', factor: 1 });
  expect(shownUnit('kbit/s', 1000)).toMatchObject({ unit: 'Mbit/s', factor: 1e-3 });
  expect(shownUnit('%', 1e9)).toEqual({ unit: '%', factor: 1 });
});

test('every marker has a shape of its own', () =>
  expect(new Set(MARKERS.map((marker) => markerPath(marker, [0, 0], 8))).size).toBe(MARKERS.length));

test('names that end differently stay different when they are cut', () => {
  const short = ['fcc-typical-delay-large-loss', 'fcc-typical-delay-typical-loss'].map((name) =>
    fittedName(name, 100),
  );
  expect(new Set(short).size).toBe(2);
  for (const name of short) {
    expect(name).toMatch(/^fcc-.*….*-loss$/);
    expect(textWidth(name)).toBeLessThanOrEqual(100);
  }
  expect(fittedName('lte', 100)).toBe('lte');
});
