import { expect, test } from 'vitest';
import type { FailedTry } from './failedTries.ts';
import { uselessToGoOn } from './uselessToGoOn.ts';
import { failures, type FailureId } from '../../../plan/failure.ts';
import { pick } from '../../../../src/shared/registry.ts';

const tried = (id: FailureId, message: string): FailedTry => ({ failure: pick(failures, id), message });

test.each<[string, string, FailedTry | undefined, string | null]>([
  [
    'a full disk, when even the failure could not be kept',
    'Error: ENOSPC: no space left on device, write',
    undefined,
    'There is no space left for more logs, in /logs or for temporary files.',
  ],
  [
    'a quota',
    '',
    tried('browser-did-not-start', "EDQUOT: quota exceeded, mkdtemp '/tmp/pitwall-profile-'"),
    'There is no space left for more logs, in /logs or for temporary files.',
  ],
  [
    'a folder that lets nobody write',
    '',
    tried('log-not-written', "EACCES: permission denied, open '/logs/a.json.part'\nat open"),
    "Logs cannot be written into /logs (EACCES: permission denied, open '/logs/a.json.part').",
  ],
  ['a browser that ended', '', tried('browser-ended', 'gone'), null],
  ['a stream that did not start', 'no frame', tried('stream-did-not-start', 'no frame'), null],
  ['a bug', 'TypeError: x is not a function', undefined, null],
])('%s', (_, words, last, sentence) => expect(uselessToGoOn({ words, last }, '/logs')).toBe(sentence));
