import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSizesFile } from '../../../src/abr/sizesFile.ts';
import { envivio } from '../../../src/sim/envivio.ts';
import { requireTool } from '../../tools.ts';
import { boxAlong, boxesIn } from '../boxes.ts';
import { startLiveStream } from '../liveStream.ts';
import { paddedRecipe } from './paddedRecipe.ts';
import { readPaddedSource, makePaddedStream, type PaddedStream } from './paddedStream.ts';

const cacheFolder = mkdtempSync(join(tmpdir(), 'pitwall-padded-test-'));
afterAll(() => rmSync(cacheFolder, { recursive: true }));
const tools = { cacheFolder, ffmpeg: requireTool('ffmpeg'), fontFile: requireTool('fontFile') };

const recipe = paddedRecipe(envivio, { segmentSeconds: 4, seconds: 600, audioKbps: 32 });
/** ffmpeg's own choice for 10 frames a second. */
const TICKS_PER_SECOND = 10_240;

let stream: PaddedStream;
let madeInMs: number;
beforeAll(async () => {
  const startedMs = performance.now();
  stream = await makePaddedStream(recipe, tools);
  madeInMs = performance.now() - startedMs;
});
const pathOf = (id: string, n: number): string => join(stream.folder, id, `${n + 1}.m4s`);
const startTicks = (segment: Buffer): bigint =>
  segment.readBigUInt64BE(boxAlong(segment, ['moof', 'traf', 'tfdt'])!.contentOffset + 4);

describe('600 s of Envivio', () => {
  it('is made in seconds, and takes little of the disk', () => {
    // 2 s on an idle machine of two cores.
    expect(madeInMs).toBeLessThan(30_000);
    const onDisk = Number(execFileSync('du', ['-sk', stream.folder]).toString().split('\t')[0]);
    expect(onDisk).toBeLessThan(20_000);
  });

  it('has segments on disk whose sizes are those of the table, byte for byte', () => {
    envivio.video.sizesBytes.forEach((row, rung) => {
      const sizes = Array.from({ length: 150 }, (_, n) => statSync(pathOf(`video-${rung + 1}`, n)).size);
      expect(sizes).toEqual(Array.from({ length: 150 }, (_, n) => row[n % 48]));
      expect(readdirSync(join(stream.folder, `video-${rung + 1}`))).toHaveLength(151);
    });
  });

  it.each([0, 1, 2, 3, 50, 149])('segment %i is a fragment at its time, filled up with nothing', (n) => {
    for (const id of ['video-1', 'video-6']) {
      const segment = readFileSync(pathOf(id, n));
      const boxes = boxesIn(segment);
      expect(boxes.map(({ type }) => type)).toEqual(['moof', 'mdat', 'free']);
      expect(segment.subarray(boxes[2]!.contentOffset).every((byte) => byte === 0)).toBe(true);
      expect(startTicks(segment)).toBe(BigInt(n * 4 * TICKS_PER_SECOND));
    }
    const audio = readFileSync(pathOf('audio-1', n));
    // The edit list of Opus takes the 312 samples of its pre-skip off again.
    expect(startTicks(audio)).toBe(BigInt(n * 4 * 48_000 + 312));
    expect((audio.length * 8) / 4000 / 32).toBeGreaterThan(0.95);
    expect((audio.length * 8) / 4000 / 32).toBeLessThan(1.15);
  });

  it.each([
    ['video-1', 10 * 4],
    ['audio-1', 50 * 4],
  ])('decodes %s without an error, also across the end of the loop', (id, framesPerSegment) => {
    const files = [join(stream.folder, id, 'init.mp4'), ...[1, 2, 3, 4, 5].map((n) => pathOf(id, n))];
    const args = ['-v', 'error', '-i', `concat:${files.join('|')}`, '-f', 'framecrc', '-'];
    const lines = execFileSync(tools.ffmpeg, args, { stdio: 'pipe' }).toString().split('\n');
    const frames = lines.filter((line) => /^0,/.test(line));
    expect(frames).toHaveLength(5 * framesPerSegment);
  });

  it('says the bitrates of the table and its own length in the MPD, and all sizes in the side file', () => {
    const mpd = readFileSync(join(stream.folder, 'manifest.mpd'), 'utf8');
    expect(mpd).toContain('mediaPresentationDuration="PT600S"');
    expect([...mpd.matchAll(/ bandwidth="(\d+)"/g)].map(([, bits]) => Number(bits))).toEqual(
      [300e3, 750e3, 1200e3, 1850e3, 2850e3, 4300e3, 32e3], // prettier-ignore
    );
    const sizes = readSizesFile(readFileSync(join(stream.folder, 'sizes.json'), 'utf8'));
    if (!sizes.ok) throw new Error(sizes.error);
    const video = sizes.value.representations.filter(({ mediaType }) => mediaType === 'video');
    expect(video.map(({ sizesBytes }) => sizesBytes)).toEqual(
      recipe.video.map(({ sizesBytes }) => sizesBytes),
    );
  });

  it('is found again by its recipe, and then counts as used', async () => {
    utimesSync(stream.folder, new Date(0), new Date(0));
    expect(await makePaddedStream(recipe, tools)).toEqual({ folder: stream.folder, wasMade: false });
    expect(Date.now() - statSync(stream.folder).mtimeMs).toBeLessThan(60_000);
  });

  it('is also live: each segment when its time has come, of its size, in every round', async () => {
    const live = await startLiveStream({ source: readPaddedSource(stream.folder), ageSeconds: 700 });
    try {
      const manifest = await (await fetch(`${live.proxyUrl}/manifest.mpd`)).text();
      expect(manifest).toContain('type="dynamic"');
      const segment = Buffer.from(await (await fetch(`${live.proxyUrl}/video-3/155.m4s`)).arrayBuffer());
      // Number 155 is the fifth of the second round.
      expect(segment.length).toBe(recipe.video[2]!.sizesBytes[4]);
      expect(startTicks(segment)).toBe(BigInt(154 * 4 * TICKS_PER_SECOND));
      expect((await fetch(`${live.proxyUrl}/video-3/178.m4s`)).status).toBe(404);
    } finally {
      await live.stop();
    }
  });
});

it('refuses sizes that its pictures do not fit into, and leaves nothing behind', async () => {
  const video = [{ bitrateKbps: 40, sizesBytes: [9000, 90] }];
  const tiny = { title: 'tiny', segmentSeconds: 2, video, audioKbps: null };
  await expect(makePaddedStream(tiny, tools)).rejects.toThrow(
    /^The level of 40 kbit\/s has 90 bytes for segment 1; its picture takes \d+ and a box to fill it up 8\.$/,
  );
  expect(readdirSync(join(cacheFolder, 'content')).filter((name) => name.startsWith('tiny'))).toEqual([]);
});
