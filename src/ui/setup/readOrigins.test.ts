import { expect, test } from 'vitest';
import { readOrigins } from './readOrigins.ts';

const row = (origin: string, headers = '', credentials = false) => ({ origin, headers, credentials });

test('rows become headers and credentials by origin, empty rows are skipped', () => {
  const rows = [
    row('https://cdn.example/some/path', 'Authorization: Bearer a:b\n\nX-Key:1'),
    row(''),
    row('http://b.example', '', true),
  ];
  expect(readOrigins(rows)).toEqual({
    ok: true,
    value: {
      'https://cdn.example': { headers: { Authorization: 'Bearer a:b', 'X-Key': '1' } },
      'http://b.example': { credentials: true },
    },
  });
});

test.each([
  [row('cdn.example'), /not an origin/],
  [row('', 'X: 1'), /not an origin/],
  [row('https://cdn.example', 'no colon'), /“no colon” is not of the form/],
  [row('https://cdn.example', 'bad name: 1'), /not of the form/],
])('%j is refused', (bad, why) => {
  const result = readOrigins([bad]);
  expect(result.ok ? '' : result.error).toMatch(why);
});
