import { describe, expect, test } from 'vitest';
import { exampleSession, playback, stalledSession } from '../../src/analysis/timeline/example.testing.ts';
import { conditionList, failuresOf } from '../metrics.ts';

const log = stalledSession;

const failures = (...texts: string[]): string[] =>
  failuresOf(
    log,
    texts.reduce<ReturnType<typeof conditionList>>((list, text) => conditionList(text, list), []),
  );

describe('a condition', () => {
  test.each([
    ['join-time > 500', false],
    ['join-time >= 500', true],
    ['join-time<501', true],
    ['join-time <= 499.5', false],
    ['  rebuffer-rate  >  1 ', true],
    ['rebuffer-rate > 1e1', false],
    ['mean-bitrate < -1', false],
  ])('%s: fails: %s', (text, fails) => expect(failures(text)).toHaveLength(fails ? 1 : 0));

  test('the sentence has the value with its unit, and the whole number beside a rounded one', () => {
    expect(failures('join-time > 400')).toEqual(['--fail-if "join-time > 400": join-time is 500 ms.']);
    expect(failures('rebuffer-rate > 4.95')).toEqual([
      expect.stringMatching(/^--fail-if "rebuffer-rate > 4.95": rebuffer-rate is 5\.0 % \(4\.95\d+\)\.$/),
    ]);
  });

  test('without a value it has not been passed', () =>
    expect(failures('tcp-share > 50')).toEqual([
      '--fail-if "tcp-share > 50" cannot be checked. The protocol of every media request is unknown.',
    ]));

  test.each([
    ['join-time > 2000', '--fail-if "join-time > 2000": join-time is at least 3000 ms.'],
    ['join-time > 5000', '--fail-if "join-time > 5000" cannot be checked: join-time is at least 3000 ms.'],
    ['join-time < 5000', '--fail-if "join-time < 5000" cannot be checked: join-time is at least 3000 ms.'],
    ['join-time < 2000', undefined],
  ])('a lower bound decides only where no greater value would decide otherwise: %s', (text, sentence) => {
    const cut = exampleSession([playback(100, 'play-requested'), playback(3100, 'stopped')]);
    expect(failuresOf(cut, conditionList(text))[0]).toBe(sentence);
  });

  test('each one that is met has a sentence', () =>
    expect(failures('join-time > 400', 'join-time > 600', 'rebuffer-rate > 1')).toHaveLength(2));
});

test.each([
  '',
  'join-time',
  'join-time >',
  '> 5',
  'join-time = 5',
  'join-time > x',
  'join-time > 5 %',
  'a > 1 > 2',
])('"%s" is no condition', (text) =>
  expect(() => conditionList(text)).toThrow('--fail-if takes a metric, one of > >= < <='),
);

test('an unknown metric is named, with a similar one', () =>
  expect(() => conditionList('rebufer-rate > 1')).toThrow(
    'Unknown metric "rebufer-rate": did you mean "rebuffer-rate"? Known: ',
  ));
