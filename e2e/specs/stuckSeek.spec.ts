import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { makeHoldStreams, STREAMS } from '../fixtures/holdActions.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import type { repeatStuckSeek } from '../../src/player/repeatStuckSeek.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';

const STREAM = '/media/test/multi-audio/manifest.mpd';
const MODULE = path.join(import.meta.dirname, '..', '..', 'src', 'player', 'repeatStuckSeek.ts');

/** How long each seek took to settle, ms; null where it did not within the limit. */
type Settled = readonly (number | null)[];

/**
 * The media element alone, without dash.js: a seek to what is loaded, whose media is then removed and appended once more,
 * as dash.js does at a seek into another period. About one in four does not settle by itself.
 */
test('a seek that the browser does not settle is repeated, and settles', async ({ open }) => {
  const origin = await startOrigin({ mounts: {} });
  const { page } = await open({ origin, mpd: STREAM, autoplay: false });
  const source = ts.transpileModule(await readFile(MODULE, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const mender = await page.evaluateHandle(
    `(() => { const exports = {}; ${source.outputText}; return exports; })()`,
  );
  const base = new URL('.', new URL(STREAM, origin.httpsUrl)).href;
  /** Seeks until `enough` of them took longer than a healthy one, at most `max` times. */
  const seeks = (
    isMended: boolean,
    limits: { enough: number; max: number; limitMs: number },
  ): Promise<Settled> =>
    page.evaluate(
      async ({ base, isMended, limits, mender }) => {
        const bytes = async (name: string): Promise<ArrayBuffer> => (await fetch(base + name)).arrayBuffer();
        const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
        const video = document.createElement('video');
        video.muted = true;
        document.body.append(video);
        const media = new MediaSource();
        video.src = URL.createObjectURL(media);
        await new Promise((resolve) => media.addEventListener('sourceopen', resolve, { once: true }));
        media.duration = 24;
        const buffers = ['video/mp4; codecs="vp09.00.11.08"', 'audio/mp4; codecs="opus"'].map((type) =>
          media.addSourceBuffer(type),
        );
        const dispose = isMended
          ? (mender as { repeatStuckSeek: typeof repeatStuckSeek }).repeatStuckSeek(video, {
              requestsInFlight: () => 1,
              onRepeat: () => undefined,
            })
          : null;
        const idle = async (buffer: SourceBuffer): Promise<void> => {
          if (buffer.updating)
            await new Promise((resolve) => buffer.addEventListener('updateend', resolve, { once: true }));
        };
        const kept = new Map<string, ArrayBuffer>();
        const append = async (buffer: SourceBuffer, name: string): Promise<void> => {
          if (!kept.has(name)) kept.set(name, await bytes(name));
          await idle(buffer);
          buffer.appendBuffer(kept.get(name)!);
          await idle(buffer);
        };
        const load = async (index: number, first: number, last: number): Promise<void> => {
          const folder = ['video-2', 'audio-2'][index]!;
          await append(buffers[index]!, `${folder}/init.mp4`);
          for (let n = first; n <= last; n += 1) await append(buffers[index]!, `${folder}/${n}.m4s`);
        };
        const both = (first: number, last: number): Promise<unknown> =>
          Promise.all([load(0, first, last), load(1, first, last)]);
        const clear = async (untilS: number): Promise<void> => {
          await Promise.all(buffers.map(idle));
          for (const buffer of buffers) {
            buffer.abort();
            buffer.remove(0, untilS);
          }
          await Promise.all(buffers.map(idle));
        };
        const seek = async (toS: number, during: () => Promise<unknown>): Promise<number | null> => {
          const startMs = performance.now();
          const settled = new Promise<number>((resolve) =>
            video.addEventListener('seeked', () => resolve(performance.now() - startMs), { once: true }),
          );
          video.currentTime = toS;
          await during();
          return Promise.race([settled, sleep(limits.limitMs).then(() => null)]);
        };
        const took: (number | null)[] = [];
        const slow = (): number => took.filter((ms) => ms === null || ms > 1400).length;
        while (took.length < limits.max && slow() < limits.enough) {
          await clear(100);
          await both(1, 9);
          await seek(2, () => video.play());
          await sleep(100);
          took.push(
            await seek(16, async () => {
              await sleep((took.length % 5) * 2);
              await clear(18.5);
              await both(9, 12);
            }),
          );
        }
        dispose?.();
        video.remove();
        return took;
      },
      { base, isMended, limits, mender },
    );
  try {
    const bare = await seeks(false, { enough: 1, max: 100, limitMs: 2000 });
    expect(bare, 'a seek that does not settle by itself').toContain(null);
    const mended = await seeks(true, { enough: 2, max: 100, limitMs: 6000 });
    expect(mended).not.toContain(null);
    expect(mended.filter((ms) => ms! > 1400)).toHaveLength(2);
  } finally {
    await origin.stop();
  }
});

test('a seek that dash.js forgets is repeated, and playback goes on', async ({ open }) => {
  // The lowest level: on a busy machine the browser needs seconds to decode the highest, and then repeats are its own.
  const session = await open({ mpd: '/media/demo/manifest.mpd', rule: 'lowest' });
  const { page } = session;
  const reach = (ms: number): Promise<unknown> =>
    page.waitForFunction((to) => window.pitwall!.state().playheadMs! > to, ms, { timeout: 30_000 });
  await session.playing();
  // To the end, until nothing is left to load.
  await page.evaluate(() => void (document.querySelector('video')!.currentTime = 60));
  await reach(61_000);
  await page.waitForFunction(() => {
    const { buffered, duration } = document.querySelector('video')!;
    return buffered.end(buffered.length - 1) >= duration - 0.1;
  });
  await page.evaluate(() => {
    const video = document.querySelector('video')!;
    // Nobody who listens without capture hears of this seek, as if dash.js had taken it for done.
    const options = { capture: true, once: true };
    video.addEventListener('seeking', (event) => event.stopImmediatePropagation(), options);
    video.currentTime = 30;
  });
  await page.waitForFunction(() => window.pitwall!.state().playheadMs! < 59_000);
  await reach(31_000);
  const log = await session.stop();
  expect(eventsOf(log, 'error')).toMatchObject([{ code: 'seek-repeated', fatal: false }]);
  expect(eventsOf(log, 'error')[0]!.message).toMatch(/dash\.js did not finish/);
});

test('a seek just after one into another period is not lost', async ({ open }) => {
  const streams = await makeHoldStreams();
  const origin = await startOrigin({ mounts: streams.mounts });
  try {
    const session = await open({ origin, mpd: STREAMS.long.mpd, rule: 'lowest' });
    const { page } = session;
    const plays = (): Promise<unknown> =>
      page.waitForFunction(() => {
        const { seeking, readyState } = document.querySelector('video')!;
        return !seeking && readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
      });
    await session.playing();
    const lost: string[] = [];
    // Back into the period that is left, and on into a third one.
    for (const secondMs of [10_000, 60_000])
      for (const waitMs of [0, 5, 20, 30]) {
        await page.evaluate(() => window.pitwall!.seek(3000));
        await page.waitForTimeout(700);
        await plays();
        await page.evaluate(
          async ({ secondMs, waitMs }) => {
            const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
            window.pitwall!.seek(40_000);
            await sleep(waitMs);
            window.pitwall!.seek(secondMs);
            await sleep(700);
          },
          { secondMs, waitMs },
        );
        await plays();
        const atMs = await page.evaluate(() => document.querySelector('video')!.currentTime * 1000);
        if (Math.abs(atMs - secondMs) > 5000)
          lost.push(`to ${secondMs} ms after ${waitMs} ms: ${Math.round(atMs)} ms`);
      }
    expect(lost).toEqual([]);
  } finally {
    await origin.stop();
    await streams.remove();
  }
});
