import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { dataModule } from './dataModule.ts';
import * as sessionLog from './sessionLog.ts';

test('the page has the schemas of the session log, all of them and unchanged', () => {
  const exports: Record<string, unknown> = {};
  runInNewContext(dataModule(sessionLog).replaceAll('export const', 'var'), exports);
  expect(JSON.stringify(exports)).toBe(JSON.stringify(sessionLog));
  expect(Object.keys(exports)).toContain('SessionEvent');
});

test('equal parts are written once', () => {
  expect(dataModule({ one: { a: [1] }, two: [{ a: [1] }, 'x'] })).toBe(
    [
      'const data0 = [1];',
      'const data1 = {"a":data0};',
      'const data2 = [data1,"x"];',
      'export const one = data1;',
      'export const two = data2;',
      '',
    ].join('\n'),
  );
});

test('there is no library in it', () => {
  expect(dataModule(sessionLog)).not.toMatch(/import|Symbol|typebox/i);
});
