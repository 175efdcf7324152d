import { expect, test } from 'vitest';
import type { PlayerSetup } from '../player.ts';
import { createOtherPlayer, formatOf, refuseRule, usualPlayer } from './createOtherPlayer.ts';

const HLS = 'https://cdn.example/main.m3u8?token=a/b.mpd';
const DASH = 'https://cdn.example/manifest.mpd#main.m3u8';
const setup = (facts: Partial<PlayerSetup>): PlayerSetup => ({
  video: {} as HTMLVideoElement,
  mpdUrl: HLS,
  rule: '',
  presetId: '',
  ...facts,
});

test.each([
  [HLS, 'hls', 'hlsjs'],
  ['media/MAIN.M3U8', 'hls', 'hlsjs'],
  [DASH, 'dash', 'dashjs'],
  ['https://cdn.example/manifest', 'dash', 'dashjs'],
])('%s is %s, which %s plays', (address, format, player) => {
  expect([formatOf(address), usualPlayer(address)]).toEqual([format, player]);
});

test.each([
  [{ player: 'hlsjs', mpdUrl: DASH }, 'hls.js does not play a DASH manifest: choose dash.js or Shaka.'],
  [{ player: 'dashjs' }, 'dash.js does not play an HLS playlist (.m3u8): choose hls.js or Shaka.'],
  [{ player: 'video.js' }, /player "video.js"/],
  [
    { steering: 'throughput' },
    'Only dash.js takes a steering policy here: take that away, or do not choose hls.js.',
  ],
  [
    { player: 'shaka', split: '6', protection: {} },
    /several ranges of a segment at once, key-system settings/,
  ],
])('%j is refused in one sentence', async (facts, sentence) => {
  await expect(createOtherPlayer(setup(facts))).rejects.toThrow(sentence);
});

test('a rule of ours is refused in one sentence', async () => {
  await expect(refuseRule('Shaka')).rejects.toThrow('Shaka decides by its own rule');
});
