import { expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.ts';
import { redirectedMedia } from './countedRequests.ts';

test('segments behind a redirect are counted, because their wait for the first byte has it', () => {
  const watch = redirectedMedia.watch(exampleLog());
  const redirected = { finalUrl: 'https://b.test/v/1.m4s' };
  const direct = exampleRequest({ id: 'r1', atMs: 5 });
  watch.see(direct);
  watch.see(exampleRequest({ id: 'r2', atMs: 6, type: 'manifest', ...redirected }));
  expect(watch.findings([])).toEqual([]);
  for (const atMs of [7, 11]) watch.see(exampleRequest({ id: `r${atMs}`, atMs, ...redirected }));
  expect(watch.findings([])).toMatchObject([
    {
      atMs: 7,
      severity: 'note',
      sentence:
        '2 media requests went through a redirect first, which is part of the wait for the first byte',
    },
  ]);
});
