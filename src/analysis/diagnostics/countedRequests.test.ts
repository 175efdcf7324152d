import { describe, expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import { preflights, redirectedMedia } from './countedRequests.ts';

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

test('the time of redirects is said where it is known', () => {
  const watch = redirectedMedia.watch(exampleLog());
  watch.see(exampleRequest({ id: 'r1', atMs: 5, redirectStartMs: 5, redirectEndMs: 305 }));
  watch.see(exampleRequest({ id: 'r2', atMs: 6, redirectStartMs: 6, redirectEndMs: 506 }));
  watch.see(exampleRequest({ id: 'r3', atMs: 7, finalUrl: 'https://b.test/v/1.m4s' }));
  expect(watch.findings([])[0]?.sentence).toBe(
    '3 media requests went through a redirect first, for 0.4 s on average, which is part of the wait for the first byte',
  );
});

describe('requests that wait on an open connection', () => {
  /** Found among requests that wait so long before they are sent, then 130 ms for the first byte. */
  function found(waitsMs: readonly number[], changes: object = {}) {
    const watch = preflights.watch(exampleLog());
    for (const [index, waitMs] of waitsMs.entries()) {
      const atMs = 100 + index * 2000;
      const times = { fetchStartMs: atMs, requestStartMs: atMs + waitMs, firstByteMs: atMs + waitMs + 130 };
      watch.see(exampleRequest({ id: `r${index}`, atMs, connectionReused: true, ...times, ...changes }));
    }
    return watch.findings([]).map(({ atMs, sentence }) => `${atMs} ${sentence}`);
  }

  test('each for longer than a machine takes', () =>
    expect(found([3, 413, 409, 417, 409])).toEqual([
      '2100 4 of 5 media requests on open connections were held back for 0.4 s on average, as before a preflight (OPTIONS)',
    ]));

  test.each([
    ['a busy machine now and then', [3, 60, 2, 413, 3, 90, 4], {}],
    ['two of two', [413, 413], {}],
    ['a small part of the wait', [30, 30, 30, 30], {}],
    ['new connections', [413, 413, 413], { connectionReused: false }],
    ['hidden times', [413, 413, 413], { firstByteMs: null }],
    ['what is no media', [413, 413, 413], { type: 'manifest' }],
  ])('not %s', (_, waitsMs, changes) => expect(found(waitsMs, changes)).toEqual([]));
});
