import { expect, test } from 'vitest';
import { known, unknown, type KeyFigures } from '../../analysis/figures/figure.ts';
import { advanceTo } from '../../analysis/timeline/appendEvent.ts';
import { createSeries } from '../../analysis/timeline/series.ts';
import { formatFigures, figuresNow } from './figures.ts';

const FIGURES: KeyFigures = {
  bitrateNowKbps: known(4000),
  bitrateMeanKbps: known(2480),
  rungNow: known(7),
  rungCount: 8,
  heightNow: known(720),
  bufferNowMs: known(17_680),
  bufferTargetMs: known(20_000),
  bufferMeanMs: known(13_600),
  liveLatencyMs: null,
  rebufferRate: known(0.018),
  rebufferMs: 4300,
  stallCount: 1,
  joinMs: known(1320),
  playedMs: 60_000,
  qoePerSegment: known(-0.004),
  qoeMu: known(4),
  mediaBytes: { h1: 0, h2: 1, h3: 3, unknown: 0 },
  tcpShare: known(0.25),
  protocolNow: 'h3',
  pathwayNow: null,
};
const said = (figures: KeyFigures | null) =>
  formatFigures(figures).map(
    ({ value, unit, sub }) => `${value === null ? '–' : `${value} ${unit}`} (${sub})`,
  );

test('figures read as sentences, rungs from 1', () =>
  expect(said(FIGURES)).toEqual([
    '4.00 Mbit/s (level 8 of 8, 720p; mean 2.48)',
    '17.7 s (target 20 s; mean 13.6 s)',
    '1.8 % (4.3 s in 1 stall)',
    '1.32 s (from Start to the first picture)',
    '0.00 per segment (linear, µ = 4 (top bitrate))',
  ]));

test('a live stream says how far it is behind the live edge', () =>
  expect(formatFigures({ ...FIGURES, liveLatencyMs: 3240 })[1]?.sub).toBe('3.2 s behind live'));

test('a stall that goes on is named with its seconds', () =>
  expect(formatFigures(FIGURES, 3400)[2]?.sub).toBe('stalled for 3.4 s now; 4.3 s in 1 stall'));

test('what is not known says why instead of a number', () => {
  const figures = {
    ...FIGURES,
    bitrateNowKbps: unknown('nothing rendered yet'),
    joinMs: unknown('not playing yet'),
  };
  expect(said(figures)[0]).toBe('– (nothing rendered yet)');
  expect(said(figures)[3]).toBe('– (not playing yet)');
});

test('before the first session every figure says what it will be', () => {
  expect(said(null).every((text) => /^– \(.+\)$/.test(text))).toBe(true);
});

test('the same moment gives the same figures object, a later one or another session a new one', () => {
  const series = createSeries();
  const first = figuresNow(series);
  expect(figuresNow(series)).toBe(first);
  advanceTo(series, 500);
  const second = figuresNow(series);
  expect(second).not.toBe(first);
  expect(figuresNow(createSeries())).not.toBe(second);
});
