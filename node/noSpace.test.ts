import { expect, test } from 'vitest';
import { isNoSpace } from './noSpace.ts';

const withCode = (code: string): Error => Object.assign(new Error('write'), { code });

test.each<[string, unknown, boolean]>([
  ['a code', withCode('ENOSPC'), true],
  ['a quota', withCode('EDQUOT'), true],
  ['a cause', new Error('a.json: There is no space left on the disk.', { cause: withCode('ENOSPC') }), true],
  ['words of another program', new Error("ENOSPC: no space left on device, mkdtemp '/tmp/x'"), true],
  ['another code', withCode('EACCES'), false],
  ['no error', 'ENOSPC', false],
])('%s', (_, error, is) => expect(isNoSpace(error)).toBe(is));
