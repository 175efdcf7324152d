import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { requireTool } from '../tools.ts';
import { boxesIn } from './boxes.ts';
import { cachedFolder, cachedPath } from './cachedFolder.ts';
import { cutTrack, readTracks } from './track.ts';
import { encodeTracks } from './encodeTracks.ts';
import { liveRecipe, testRecipe, type Recipe } from './ladder.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitwall-content-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tools = { ffmpeg: requireTool('ffmpeg'), fontFile: requireTool('fontFile'), log: () => {} };
/** Two segments of two rungs: about a second of work. */
const small: Recipe = {
  ...testRecipe,
  segments: 2,
  video: testRecipe.video.slice(0, 2),
  audio: testRecipe.audio.slice(0, 1),
};

describe('an encoded ladder', () => {
  test('has aligned segments of the asked length and rate, each starting with a key frame', async () => {
    await encodeTracks(small, { ...tools, folder });
    const tracks = readTracks(small, folder);
    for (const track of tracks) {
      expect(track.segments).toHaveLength(2);
      await cutTrack(track, folder, folder);
      const whole = readFileSync(join(folder, `${track.id}.mp4`));
      const cut = ['init.mp4', '1.m4s', '2.m4s'].map((name) => readFileSync(join(folder, track.id, name)));
      expect(boxesIn(cut[1]!).map(({ type }) => type)).toEqual(['moof', 'mdat']);
      expect(whole.subarray(0, cut[0]!.length).equals(cut[0]!)).toBe(true);
      expect(whole.subarray(-cut[2]!.length).equals(cut[2]!)).toBe(true);
    }
    for (const track of tracks.filter(({ kind }) => kind === 'video')) {
      expect(track.codecs).toMatch(/^vp09\.00\.\d\d\.08$/);
      for (const { durationTicks, sizeBytes } of track.segments) {
        expect(durationTicks / track.timescale).toBe(2);
        const kbps = (sizeBytes * 8) / 2000;
        // The first group is larger: the rate control has no history yet.
        expect(kbps / track.bitrateKbps).toBeGreaterThan(0.7);
        expect(kbps / track.bitrateKbps).toBeLessThan(1.6);
      }
    }
  });

  test('cuts segments into chunks for low latency', async () => {
    const live: Recipe = { ...small, chunkSeconds: liveRecipe.chunkSeconds, segments: 1 };
    const own = mkdtempSync(join(folder, 'live-'));
    await encodeTracks(live, { ...tools, folder: own });
    for (const { segments } of readTracks(live, own)) expect(segments).toHaveLength(4);
  });

  test('says what ffmpeg said when it cannot encode', async () => {
    await expect(encodeTracks(small, { ...tools, folder: join(folder, 'nowhere') })).rejects.toThrow(
      'nowhere/video-1.mp4',
    );
    await expect(encodeTracks(small, { ...tools, folder, ffmpeg: '/nowhere/ffmpeg' })).rejects.toThrow(
      'ffmpeg could not be run',
    );
  });
});

describe('cachedFolder', () => {
  test('makes a folder once, also when asked twice at the same time', async () => {
    const path = cachedPath(folder, 'thing', { a: 1 });
    expect(path).not.toBe(cachedPath(folder, 'thing', { a: 2 }));
    const make = async (): Promise<void> => {};
    await Promise.all([cachedFolder(path, make), cachedFolder(path, make)]);
    expect(existsSync(path)).toBe(true);
    expect(await cachedFolder(path, make)).toEqual({ wasMade: false });
    expect(
      execFileSync('ls', [join(folder, 'content')])
        .toString()
        .trim()
        .split('\n'),
    ).toHaveLength(1);
  });

  test('leaves nothing when the making fails', async () => {
    const path = cachedPath(folder, 'broken', {});
    const failing = cachedFolder(path, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(execFileSync('ls', [join(folder, 'content')]).toString()).not.toContain('broken');
  });
});
