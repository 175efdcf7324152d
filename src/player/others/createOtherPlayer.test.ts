import { expect, test } from 'vitest';
import { plainRule } from '../../abr/plainRule.testing.ts';
import type { PlayerSetup } from '../player.ts';
import { addPlayerRule } from '../rules.ts';
import { createOtherPlayer, formatOf, usualPlayer } from './createOtherPlayer.ts';
import { chooseRule } from './otherPlayers.ts';

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
  [{ player: 'shaka', sizes: 'head' as const }, /Only dash.js takes a source of segment sizes here/],
])('%j is refused in one sentence', async (facts, sentence) => {
  await expect(createOtherPlayer(setup(facts))).rejects.toThrow(sentence);
});

test('without a rule, and by its id, the player’s own decides', async () => {
  for (const text of ['', 'hlsjs-abr'])
    expect(await chooseRule('hlsjs', text)).toEqual({ id: 'hlsjs-abr', rule: null });
});

test('a rule of ours decides with its parameters', async () => {
  const { id, rule } = await chooseRule('shaka', 'fixed:level=3');
  expect([id, rule?.parameters]).toEqual(['fixed', { level: 3 }]);
});

test.each([
  [
    'shaka',
    'dashjs-bola',
    'dashjs-bola is a rule of dash.js, and Shaka plays: choose shaka-abr or a rule of the papers.',
  ],
  ['hlsjs', 'shaka-abr', 'shaka-abr is a rule of Shaka, and hls.js plays'],
  ['hlsjs', 'hlsjs-abr:a=1', 'The rule hlsjs-abr is a part of hls.js: it has no parameters here.'],
  ['shaka', 'magic', 'Unknown rule "magic"; known: shaka-abr, dashjs-dynamic'],
  ['shaka', 'pensieve', 'The rule pensieve needs its weights'],
] as const)('%s refuses the rule %s in one sentence', async (player, text, sentence) => {
  await expect(chooseRule(player, text)).rejects.toThrow(sentence);
});

test('a rule that sets the playback rate is refused: no other player lets it', async () => {
  addPlayerRule({ ...plainRule, id: 'hasty', setsPlaybackRate: true });
  await expect(chooseRule('hlsjs', 'hasty')).rejects.toThrow(
    'hasty sets the playback rate, which only dash.js lets a rule do: hls.js plays.',
  );
});
