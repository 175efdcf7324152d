import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CodedError, EXIT, exitCodeOf } from './exitCodes.ts';

test('docs/exit-codes.md has each, once', () => {
  const table = readFileSync(new URL('../docs/exit-codes.md', import.meta.url), 'utf8');
  const codes = [...table.matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT).sort((one, other) => one - other));
});

test.each<[string, unknown, number]>([
  ['any error', new Error('no'), EXIT.failed],
  ['what is no error', 'no', EXIT.failed],
  ['one with a code of its own', new CodedError(EXIT.folderInUse, 'no'), EXIT.folderInUse],
  ['a full disk', new Error('no', { cause: Object.assign(new Error(), { code: 'ENOSPC' }) }), EXIT.noSpace],
])('%s', (_, error, code) => expect(exitCodeOf(error)).toBe(code));
