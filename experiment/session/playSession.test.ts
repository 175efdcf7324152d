import type { Page } from '@playwright/test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CompareCell, ComparePlan } from './plan.ts';
import { playSession, type Playing } from './playSession.ts';
import { exampleSession, playback, rung } from '../../src/analysis/timeline/example.testing.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const recorded = exampleSession([playback(500, 'playing'), rung(500, 1), playback(3000, 'stopped')]);
const cell: CompareCell = {
  id: 'a',
  rule: 'bola',
  transport: 'h2',
  mpd: '/media/a.mpd',
  link: null,
  design: null,
};

/** Scripts of the page run here; its stream stays in one phase until it is stopped. */
function pageIn(startPhase: string): { readonly page: Page; stop(): void } {
  let phase = startPhase;
  const stop = (): void => void (phase = 'stopped');
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  vi.stubGlobal('window', {
    pitwall: {
      open: () => Promise.resolve(),
      state: () => ({ phase }),
      session: () => JSON.stringify(recorded),
      stop: () => Promise.resolve(stop()),
    },
  });
  const page = {
    goto: () => Promise.resolve(null),
    evaluate: async (script: (argument: unknown) => unknown, argument: unknown) => await script(argument),
    async waitForFunction(
      isThere: (phases: unknown) => boolean,
      phases: unknown,
      { timeout, polling }: { timeout: number; polling: number },
    ) {
      const endMs = timeout === 0 ? Infinity : Date.now() + timeout;
      while (!isThere(phases)) {
        if (Date.now() >= endMs) throw Object.assign(new Error('not in time'), { name: 'TimeoutError' });
        await new Promise((resolve) => setTimeout(resolve, polling));
      }
    },
    context: () => ({ browser: () => null }),
  };
  return { page: page as unknown as Page, stop };
}

function playingOf(changes: Partial<Playing> = {}): Playing {
  return {
    plan: { seconds: 10, presetId: 'experiment', devTools: true } as ComparePlan,
    cell,
    place: {
      appUrl: 'http://app.test/',
      mpdUrl: 'https://a.test/media/a.mpd',
      browser: {} as never,
      ready: () => Promise.resolve(null),
      brokeDown: new Promise<never>(() => {}),
      facts: () => Promise.resolve({}),
      leave: () => Promise.resolve(),
    },
    ...changes,
  };
}

function begin(phase: string, changes: Partial<Playing> = {}) {
  const { page, stop } = pageIn(phase);
  const played: { log: SessionLog | null } = { log: null };
  void playSession(page, playingOf(changes)).then((log) => (played.log = log));
  return { played, stop };
}

test.each([
  ['plays', 'playing', 12_000],
  ['has shown no frame', 'waiting', 62_000],
])('a session that %s ends by itself, an endless one with its page', async (_what, phase, ms) => {
  const own = begin(phase);
  await vi.advanceTimersByTimeAsync(ms);
  expect(own.played.log?.id).toBe(recorded.id);
  const endless = begin(phase, { isEndless: true });
  await vi.advanceTimersByTimeAsync(5 * ms);
  expect(endless.played.log).toBeNull();
  endless.stop();
  await vi.advanceTimersByTimeAsync(2000);
  expect(endless.played.log?.id).toBe(recorded.id);
});

test.each([
  [{ rule: 'own', player: 'hlsjs' }, '?rule=hlsjs-abr&player=hlsjs', 'media/a.m3u8', 'hlsjs-abr'],
  [{ rule: 'bba-2', player: 'shaka' }, '?rule=bba-2&player=shaka', 'media/a.mpd', 'bba-2'],
  [{ rule: 'own', player: 'dashjs' }, '?rule=dashjs-dynamic', 'media/a.mpd', 'dashjs-dynamic'],
  [{ rule: 'bola' }, '?rule=bola', 'media/a.mpd', 'bola'],
] as const)(
  '%j: the page loads its player, and plays the stream that it takes',
  async (changes, search, mpd, rule) => {
    const { page } = pageIn('playing');
    const goto = vi.fn(() => Promise.resolve(null));
    const open = vi.fn((_query: string) => Promise.resolve());
    Object.assign(page, { goto });
    Object.assign(window.pitwall!, { open });
    void playSession(page, playingOf({ cell: { ...cell, ...changes } }));
    await vi.advanceTimersByTimeAsync(12_000);
    expect(goto).toHaveBeenCalledWith(`http://app.test/${search}`, { waitUntil: 'networkidle' });
    const query = Object.fromEntries(new URLSearchParams(open.mock.calls[0]![0]));
    const named = 'player' in changes && changes.player !== 'dashjs' ? { player: changes.player } : {};
    expect(query).toEqual({ mpd: `https://a.test/${mpd}`, rule, preset: 'experiment', ...named });
  },
);

test('a pause of the viewer before the first frame takes no time of the join', async () => {
  const { played } = begin('paused', { cell: { ...cell, viewer: 'time-0:pause-90' } });
  await vi.advanceTimersByTimeAsync(140_000);
  expect(played.log).toBeNull();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(played.log?.id).toBe(recorded.id);
});

test('a page that hangs before play is a failed try: its charts are asked to go, and it gives no answer', async () => {
  const { page } = pageIn('playing');
  Object.assign(page, { evaluate: () => new Promise(() => {}) });
  const failure = expect(playSession(page, playingOf())).rejects.toMatchObject({
    failure: 'browser-ended',
    message: 'no answer within 60 s',
  });
  await vi.advanceTimersByTimeAsync(61_000);
  await failure;
});

test.each(['open', 'stop', 'session'] as const)(
  'a page that never answers to %s is a failed try, and not a run without end',
  async (hanging) => {
    const { page } = pageIn('playing');
    const { pitwall } = window as unknown as { pitwall: Record<string, () => Promise<unknown>> };
    pitwall[hanging] = () => new Promise(() => {});
    const failure = expect(playSession(page, playingOf())).rejects.toMatchObject({
      failure: 'browser-ended',
      message: 'no answer within 60 s',
    });
    await vi.advanceTimersByTimeAsync(75_000);
    await failure;
  },
);

test('a system clock that is set back by an hour before play makes nobody wait for an hour', async () => {
  const { page } = pageIn('playing');
  const evaluate = page.evaluate.bind(page) as (...given: unknown[]) => Promise<unknown>;
  const inPage = (script: unknown, argument?: object): Promise<unknown> => {
    if (argument && 'atUnixMs' in argument) vi.setSystemTime(Date.now() - 3_600_000);
    return evaluate(script, argument);
  };
  const { place } = playingOf();
  const late = { ...place, ready: () => Promise.resolve(Date.now() + 1000) };
  const failure = expect(
    playSession(Object.assign(page, { evaluate: inPage }), playingOf({ place: late })),
  ).rejects.toMatchObject({ failure: 'play-not-on-time' });
  await vi.advanceTimersByTimeAsync(3000);
  await failure;
});
