import { describe, expect, test } from 'vitest';
import { faultsOf } from '../../../src/shared/registry.ts';
import type { ReportSource } from '../reportSource.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { exampleSource } from './exampleSource.testing.ts';
import type { FigureMaker, ReportFigure } from './figure.ts';
import { figureMakers } from './registry.ts';
import { seededRandom } from '../../../src/analysis/statistics/random.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';

const figuresOf = (maker: FigureMaker, source: ReportSource): readonly ReportFigure[] => {
  const drawn = maker.draw(source);
  return drawn === null ? [] : 'svg' in drawn ? [drawn] : drawn;
};

/** All metrics known, windows and latencies there, drawn from `next`. */
const summary = (next: () => number, windows = 24): Partial<SessionSummary> => ({
  values: Object.fromEntries(metrics.map(({ id }) => [id, 3000 * next()])),
  windows: Array.from({ length: windows }, (_, index) => ({
    fromMs: index * 30_000,
    toMs: (index + 1) * 30_000,
    tcpShare: next(),
    bitrateKbps: 1000,
    qualityDropS: 30 * next(),
    stallS: 9 * next(),
    bytes: { h1: 1e5 * next(), h2: 1e6 * next(), unknown: 1e4, h3: 1e6 * next() },
  })),
  latencyMs: { video: [10, 20, 900 * next() + 20], audio: [5, 2000] },
  requests: { video: 3, audio: 2 },
  steering: {
    main: 'main',
    steps: Array.from({ length: 100 }, (_, index) => ({
      atMs: 500 * index,
      pathway: index % 9 < 3 ? 'tcp' : 'main',
      isRescue: index % 9 === 0,
      probe: index % 3 === 0 ? 'tcp' : null,
      because: '<b>',
    })),
    limits: [{ fromMs: -1000, untilMs: 20_000 }],
  },
});

const wide = {
  rules: ['throughput', 'bola', 'bba-2'],
  transports: ['h1', 'h2', 'h3-racing', 'h3-only'] as ('h1' | 'h2' | 'h3-racing' | 'h3-only')[],
  profiles: ['slow-500', 'medium-2000', 'fast-9000'],
  repeats: 3,
  control: 'h2',
};
const random = seededRandom(3);
const full = exampleSource(wide, () => summary(random));
const SOURCES: readonly (readonly [string, ReportSource])[] = [
  ['a whole campaign', full],
  [
    'rules against each other',
    exampleSource({ ...wide, compare: 'rules', control: 'bola', per: 'network' }, () => summary(random)),
  ],
  ['no sessions', exampleSource(wide, () => null)],
  ['one session', exampleSource(wide, (_, index) => (index === 0 ? summary(random) : null))],
  ['one arm', exampleSource(wide, ({ transport }) => (transport === 'h2' ? summary(random) : null))],
  ['nothing known', exampleSource(wide)],
  [
    'only nulls',
    exampleSource(wide, () => ({ values: Object.fromEntries(metrics.map(({ id }) => [id, null])) })),
  ],
  ['all values equal', exampleSource(wide, () => summary(() => 0.5))],
  ['all values 0', exampleSource(wide, () => summary(() => 0))],
  ['no network', exampleSource({ ...wide, profiles: [] }, () => summary(random))],
  ['values of any size', exampleSource(wide, (_, index) => summary(() => (index % 2 === 0 ? -1e9 : 1e-9)))],
  ['short sessions', exampleSource(wide, () => summary(random, 1))],
  ['a metric that only describes', exampleSource({ ...wide, primary: 'tcp-share' }, () => summary(random))],
  [
    'names from outside',
    exampleSource(
      { rules: ['<script>"&', 'x'.repeat(90)], profiles: ['<i>-100', `${'y'.repeat(300)}-200`], repeats: 3 },
      () => summary(random),
    ),
  ],
  [
    'many arms',
    exampleSource({ ...wide, rules: Array.from({ length: 12 }, (_, index) => `rule-${index}`) }, () =>
      summary(random),
    ),
  ],
];

test('the registry is in order', () => {
  expect(faultsOf(figureMakers)).toEqual([]);
  expect(new Set(figureMakers.map(({ place }) => place)).size).toBe(figureMakers.length);
});

test('a whole campaign has all figures', () =>
  expect(figureMakers.filter((maker) => figuresOf(maker, full).length === 0).map(({ id }) => id)).toEqual(
    [],
  ));

test('drawing leaves the data alone and is the same again', () =>
  expect(figureMakers.map((maker) => figuresOf(maker, full))).toEqual(
    figureMakers.map((maker) => figuresOf(maker, full)),
  ));

describe.each(SOURCES)('of %s', (_, source) => {
  const figures = figureMakers.flatMap((maker) => figuresOf(maker, source));

  test('every id names one figure', () => {
    const ids = figures.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test('every figure is drawn within its picture, with words that can be read', () =>
    expect(figures.flatMap((figure) => faultsOfSvg(figure))).toEqual([]));

  test('every figure has words and data', () => {
    const known = new Set(source.sessions.map(({ id }) => id));
    for (const { id, title, caption, columns, rows, sessions } of figures) {
      expect(
        [title, caption].filter((words) => words.trim() === ''),
        id,
      ).toEqual([]);
      expect(rows.length, id).toBeGreaterThan(0);
      expect(
        rows.filter((row) => row.length !== columns.length),
        id,
      ).toEqual([]);
      expect(
        rows.flat().filter((cell) => typeof cell === 'number' && !Number.isFinite(cell)),
        id,
      ).toEqual([]);
      expect(sessions.length, id).toBeGreaterThan(0);
      expect(
        sessions.filter((each) => !known.has(each)),
        id,
      ).toEqual([]);
    }
  });
});

test('no sessions and nothing known: no figure, so that the report says so', () => {
  for (const source of [exampleSource(wide, () => null), exampleSource(wide)])
    expect(figureMakers.filter((maker) => maker.draw(source) !== null).map(({ id }) => id)).toEqual([]);
});

test('a picture stays small however many sessions there are', () => {
  const many = exampleSource({ ...wide, repeats: 25 }, () => summary(random));
  expect(many.sessions.length).toBe(900);
  for (const figure of figureMakers.flatMap((maker) => figuresOf(maker, many)))
    expect([figure.svg.length < 30_000, figure.rows.length <= 500], figure.id).toEqual([true, true]);
});

/** Px of a phone's page beside its margins. */
const PHONE_PX = 368;
const MIN_TEXT_PX = 11;

function faultsOfSvg({ id, svg }: ReportFigure): string[] {
  const [, width = '0', height = '0'] = /^<svg [^>]*viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
  const texts = [...svg.matchAll(/<text ([^>]*)>/g)].map(([, words]) => words!);
  const isInside = (words: string): boolean =>
    inside(Number(/ ?x="([^"]+)"/.exec(words)?.[1]), Number(width)) &&
    inside(Number(/ y="([^"]+)"/.exec(words)?.[1]), Number(height));
  return [
    ...unbalanced(svg),
    ...(svg.includes('role="img"') && svg.includes('<title') && svg.includes('<desc') ? [] : ['has no name']),
    ...(/NaN|Infinity|undefined|null/.test(svg) ? ['has no number somewhere'] : []),
    ...(/<script|<style|<image|href=|src=|https?:(?!\/\/www\.w3\.org\/2000\/svg)/.test(svg)
      ? ['is not static']
      : []),
    ...(/(fill|stroke)="(?!none|var\(--[a-z0-9-]+\)|url\(#)/.test(svg) ? ['has a colour of its own'] : []),
    ...sizes
      .filter((size) => (size * PHONE_PX) / Number(width) < MIN_TEXT_PX)
      .map((size) => `${size} px text`),
    ...texts.filter((words) => !isInside(words)).map((words) => `text outside: ${words}`),
    ...missingRefs(svg),
  ].map((fault) => `${id} ${fault}`);
}

const inside = (px: number, max: number): boolean => px >= 0 && px <= max;

function unbalanced(svg: string): string[] {
  const open: string[] = [];
  for (const [, closes, name, closed] of svg.matchAll(/<(\/?)([a-z]+)(?:\s[a-zA-Z-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (closes) {
      if (open.pop() !== name) return [`closes ${name!} wrongly`];
    } else if (!closed) open.push(name!);
  }
  const tags = [...svg.matchAll(/</g)].length;
  const seen = [...svg.matchAll(/<(\/?)([a-z]+)(?:\s[a-zA-Z-]+="[^"<]*")*\s*(\/?)>/g)].length;
  return [...open.map((name) => `leaves ${name} open`), ...(tags === seen ? [] : ['has a broken tag'])];
}

const missingRefs = (svg: string): string[] =>
  [...svg.matchAll(/url\(#([^)]+)\)/g)]
    .filter(([, id]) => !svg.includes(` id="${id!}"`))
    .map(([, id]) => `has no ${id!}`);
