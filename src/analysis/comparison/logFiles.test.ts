import { expect, test } from 'vitest';
import { logFiles, readPlanned } from './logFiles.ts';

test('of a campaign its sessions, and none of what lies beside them', () =>
  expect(
    logFiles([
      'camp/plan.json',
      'camp/report.json',
      'camp/sessions/b.json',
      'camp/sessions/a.json',
      'camp/sessions/a.partial.json',
      'camp/sessions/a.netlog.json',
      'camp/sessions/a.race-faults.json',
      'camp/sessions/a.beside-1.json',
      'camp/sessions/a.failures.jsonl',
    ]),
  ).toEqual(['camp/sessions/a.json', 'camp/sessions/b.json']));

test('a campaign that has not been played has none', () =>
  expect(logFiles(['plan.json', 'registration.json', 'registration-2-of-4.json'])).toEqual([]));

test('the sessions of a pair come together', () => {
  const session = (id: string, pair: string, arm: string) => ({ id, design: { pair, arm } });
  const plan = JSON.stringify({
    sessions: [
      session('a', '2', 'h2'),
      session('b', '1', 'h3'),
      session('c', '1', 'h2'),
      session('d', '2', 'h3'),
    ],
  });
  expect(readPlanned(plan).ids).toEqual(['c', 'b', 'a', 'd']);
  expect(
    logFiles(['x/d.json', 'x/a.json', 'x/b.json', 'x/c.json', 'x/z.json'], readPlanned(plan).ids),
  ).toEqual(['x/c.json', 'x/b.json', 'x/a.json', 'x/d.json', 'x/z.json']);
});

test.each([[''], ['[]'], ['{"sessions":3}'], ['null']])('%j is no plan', (text) =>
  expect(readPlanned(text)).toEqual({ ids: [] }),
);

test('a plan says what its campaign compares', () =>
  expect(readPlanned('{"campaign":{"compare":"transfers"},"sessions":[]}')).toEqual({
    ids: [],
    compared: 'transfers',
  }));
