import path from 'node:path';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { writeStartingFile } from './campaignFiles.ts';

test('a first campaign file that cannot be written: the sentence names it once, and the cause stays', () => {
  const file = path.join(tmpdir(), 'pitwall-no-such-folder', 'campaign.json');
  let fault: unknown = null;
  try {
    writeStartingFile(file);
  } catch (error) {
    fault = error;
  }
  expect(fault).toMatchObject({
    message: `${file}: There is no such file or folder.`,
    cause: { code: 'ENOENT' },
  });
});
