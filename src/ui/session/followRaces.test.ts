import { expect, test, vi } from 'vitest';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { AskedRaces } from '../../telemetry/join/liveRaces.ts';
import { followRaces } from './followRaces.ts';
import type { Run } from './run.ts';

test('asks by the clock of the session, and again after a recording that could not be read at first', async () => {
  vi.useFakeTimers();
  const asked: AskedRaces[] = [];
  const fetched = vi.fn((_url: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body) as AskedRaces);
    return Promise.resolve(Response.json({ finished: [], open: [], waiting: ['a'] }));
  });
  vi.stubGlobal('fetch', fetched);
  const log = exampleLog({ segments: 0, extra: [exampleRequest({ id: 'a', url: 'https://a.test/1' })] });
  const exportLog = vi.fn(() => Promise.resolve(log));
  exportLog.mockRejectedValueOnce(new Error('no answer')).mockRejectedValueOnce(new Error('no answer'));
  let listeners = 0;
  const telemetry = {
    subscribe: () => (listeners += 1) && ((): void => void (listeners -= 1)),
    exportLog,
    nowMs: () => 1234,
  };
  try {
    const run = { player: { telemetry }, session: { growing: () => true } } as unknown as Run;
    followRaces(() => run);
    await vi.advanceTimersByTimeAsync(3500);
    expect(asked[0]).toMatchObject({
      session: log.id,
      nowMs: 1234,
      requests: expect.arrayContaining([expect.objectContaining({ id: 'a' })]) as unknown,
    });
    expect(exportLog).toHaveBeenCalledTimes(3);
    expect(listeners).toBe(1);
    expect(asked.length).toBeGreaterThan(1);
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
});
