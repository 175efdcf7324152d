import { expect, test } from 'vitest';
import { listedLogs } from './logSources.ts';

const list = 'https://x.test/runs/logs.txt';

test('lines, with remarks and empty ones between them, relative to the list', () =>
  expect(listedLogs('# two\nsessions/a.json\r\n\n/b.json\n', list)).toEqual({
    ok: true,
    value: ['https://x.test/runs/sessions/a.json', 'https://x.test/b.json'],
  }));

test('a JSON array', () =>
  expect(listedLogs('["a.json"]', list)).toEqual({ ok: true, value: ['https://x.test/runs/a.json'] }));

test.each([
  ['', 'It lists no log.'],
  ['[1]', 'It should be a JSON array of addresses.'],
  ['[', 'It is not valid JSON.'],
  ['a.json\nhttp://[', 'Its entry 2 is not an address: "http://[".'],
])('%j is refused', (text, error) => expect(listedLogs(text, list)).toEqual({ ok: false, error }));
