import { expect, test } from 'vitest';
import { loadResult } from './loadLine.ts';

const end = '{"kind":"end","atUnixMs":2,"bytes":7,"answers":1,"failures":0,"cpuSeconds":0.1}';

test('sorts the lines by kind', () => {
  const result = loadResult(`{"kind":"progress","atUnixMs":1,"bytes":7}\n${end}\n`);
  expect(result).toMatchObject({ opened: [], progress: [{ bytes: 7 }], end: { answers: 1 } });
});

test('a client that broke off is no result', () =>
  expect(() => loadResult('{"kind":"progress","atUnixMs":1,"bytes":7}')).toThrow(/no end/));
