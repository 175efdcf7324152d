import { expect, it, test } from 'vitest';
import { changesIn, type Change } from './changes.ts';
import {
  assess,
  formatHistory,
  formatHistoryMarkdown,
  historyFigures,
  summarize,
  type HistoryRow,
} from './historyTable.ts';
import { PLAYED_SCHEMA, type PlayedChange } from './playedChange.ts';
import { verdictOf } from '../figure.ts';
import { usualGate } from '../../experiment/design/gateFile.ts';
import { pick } from '../../src/shared/registry.ts';

const changes = changesIn('builds', 2);

/** The row of a change whose gate said this because of mean bitrate. */
function rowOf(id: string, verdict: PlayedChange['verdict'], leftOut = 0): HistoryRow {
  const states = { regression: 'regression', 'cannot-tell': 'open', 'no-regression': 'within' } as const;
  const common = { pairs: 8, base: 2000, next: 1500, margin: '5 %' };
  return {
    change: pick(changes, id),
    result: {
      schema: PLAYED_SCHEMA,
      id,
      verdict,
      minutes: 9.54,
      looks: 2,
      pairs: 8,
      leftOut,
      asked: { base: 'a', next: 'b', gate: usualGate, workers: 1 },
      judgements: [
        {
          metric: 'plays',
          label: 'sessions that play',
          state: 'within',
          pairs: 8,
          base: 0,
          next: 0,
          ratio: null,
          change: '0',
          margin: null,
        },
        {
          ...common,
          metric: 'mean-bitrate',
          label: 'mean bitrate',
          state: states[verdict],
          ratio: 0.745,
          change: '−25.5 %',
        },
        {
          ...common,
          metric: 'rebuffer-rate',
          label: 'rebuffer rate',
          state: 'within',
          ratio: null,
          change: '+0.10 percentage points',
        },
      ],
    },
  };
}

const rows: readonly HistoryRow[] = [
  rowOf('5-2-0-to-5-2-1', 'cannot-tell'),
  rowOf('estimate-halved', 'regression'),
  rowOf('abort-never', 'no-regression'),
  rowOf('log-reworded', 'regression'),
  rowOf('aa-1', 'no-regression'),
  rowOf('aa-2', 'cannot-tell', 2),
  { change: pick(changes, 'buffer-halved'), result: 'NEW (b.js) does not play: no frame.' },
];

it.each<[Change['expected'], PlayedChange['verdict'], string]>([
  ['regression', 'regression', 'found'],
  ['regression', 'no-regression', 'missed'],
  ['regression', 'cannot-tell', 'missed'],
  ['no-regression', 'regression', 'false alarm'],
  ['no-regression', 'no-regression', 'right'],
  ['no-regression', 'cannot-tell', 'right'],
  ['unknown', 'regression', ''],
])('expected %s, said %s: "%s"', (expected, verdict, word) =>
  expect(assess({ expected }, verdict)).toBe(word),
);

test('a row has the change, both verdicts, what it took and what decided', () => {
  const lines = formatHistory(rows).split('\n');
  const cells = (line: string | undefined): string[] => line!.split(/ {2,}/);
  expect(lines).toHaveLength(rows.length + 1);
  expect(cells(lines[2])).toEqual([
    ...['estimate-halved', 'fault', 'regression (mean bitrate)', 'regression', 'found', '9.5', '2', '8'],
    ...['mean bitrate', 'mean bitrate −25.5 % (0.745); rebuffer rate +0.10 percentage points'],
  ]);
  expect(cells(lines[3])).toContain('missed');
  expect(cells(lines[4])).toContain('false alarm');
  expect(cells(lines[5])).toEqual(expect.arrayContaining(['aa-1', 'A/A', 'no regression', '–']));
  expect(cells(lines[6])).toContain('8 (2 left out)');
  expect(lines[7]).toMatch(/^buffer-halved .* not played .* NEW \(b\.js\) does not play: no frame\.$/);
});

test('the summary counts each kind of expectation', () => {
  expect(summarize(rows)).toEqual([
    'Seeded faults: 1 of 2 found; of 0 the gate could not tell.',
    'Harmless changes and A/A gates: 1 false alarm in 3 gates; of 1 the gate could not tell.',
    'Releases: 0 of 1 called a regression; of 1 the gate could not tell.',
    '1 gate could not be played.',
  ]);
});

test('the share of faults found and that of false alarms have goals', () => {
  const figures = historyFigures(rows, 0.05);
  expect(figures.map(({ value }) => Math.round(value))).toEqual([50, 33]);
  expect(figures.map(verdictOf)).toEqual(['NOT met', 'NOT met']);
  expect(historyFigures([rowOf('aa-1', 'no-regression')], 0.05).map(verdictOf)).toEqual(['met']);
  expect(historyFigures([], 0.05)).toEqual([]);
});

test('Markdown has the table and what each change is', () => {
  const text = formatHistoryMarkdown(rows, ['About.']);
  expect(text.match(/^\| /gm)).toHaveLength(rows.length + 2);
  expect(text).toContain('\nAbout.\n');
  expect(text).toContain('- `estimate-halved`: The throughput estimate is half of the throughput.\n');
});
