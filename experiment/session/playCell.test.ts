import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompareCell, ComparePlan } from './plan.ts';
import { playCell } from './playCell.ts';
import { during, SessionFailure } from './sessionFailure.ts';
import type { FailureId } from '../design/failure.ts';

const cell: CompareCell = {
  id: 'a',
  rule: 'bola',
  transport: 'h2',
  mpd: '/media/demo/manifest.mpd',
  link: null,
  design: null,
};
let logDir = '';
beforeEach(() => void (logDir = mkdtempSync(path.join(tmpdir(), 'pitwall-cell-'))));
afterEach(() => rmSync(logDir, { recursive: true, force: true }));

/** Fails so often, then plays; tells how often it was called, and what was kept of it. */
async function played(failures: readonly (FailureId | 'bug')[], leftMs?: number) {
  let calls = 0;
  const last: boolean[] = [];
  const play = async ({ isLastTry }: { isLastTry: boolean }): Promise<void> => {
    last.push(isLastTry);
    const failure = failures[calls++];
    if (failure === 'bug') throw new TypeError('a bug');
    if (failure) throw new SessionFailure(failure, new Error(`because ${calls}`));
  };
  const nowMs = Date.now();
  const budget = { untilUnixMs: nowMs + (leftMs ?? 0), sessionMs: 20_000 };
  const plan = {
    logDir,
    startedAtUnixMs: nowMs,
    groups: [] as ComparePlan['groups'],
    ...(leftMs !== undefined && { budget }),
  } as ComparePlan;
  const end = await playCell(plan, cell, play).then(
    () => 'played',
    (error: Error) => error.message,
  );
  return { calls, end, last };
}
const kept = (): string[] =>
  readFileSync(path.join(logDir, 'a.failures.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { failure: string }).failure);

describe('a session', () => {
  it('is repeated twice when the laboratory fails, and each try is kept', async () => {
    expect(await played(['browser-did-not-start', 'page-did-not-load'])).toMatchObject({
      calls: 3,
      end: 'played',
      last: [false, false, true],
    });
    expect(kept()).toEqual(['browser-did-not-start', 'page-did-not-load']);
  });

  it('is not repeated where the time of its run is used up, and knows before that it is the last', async () => {
    const failures = Array<FailureId>(9).fill('browser-ended');
    expect(await played(failures, 30_000)).toMatchObject({ calls: 3, last: [true, true, true] });
    expect(await played(failures, 10_000)).toMatchObject({ calls: 1, last: [true], end: 'because 1' });
  });

  it('is given up after the third failure', async () => {
    expect(await played(Array<FailureId>(9).fill('browser-ended'))).toMatchObject({
      calls: 3,
      end: 'because 3',
    });
    expect(kept()).toHaveLength(3);
  });

  it('is not repeated after an outcome, nor after a bug of ours', async () => {
    expect(await played(['player-gave-up'])).toMatchObject({ calls: 1, end: 'because 1' });
    expect(await played(['bug'])).toMatchObject({ calls: 1, end: 'a bug' });
  });
});

it('the first that knows what failed says so', async () => {
  const inner = during('log-not-valid', Promise.reject(new Error('no JSON')));
  await expect(during('browser-ended', inner)).rejects.toMatchObject({
    failure: 'log-not-valid',
    message: 'no JSON',
  });
});
