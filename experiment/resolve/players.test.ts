import { expect, test } from 'vitest';
import { known } from './campaignFiles.ts';
import { ownRuleOf } from './faultOfRule.ts';
import { resolveComparison } from './comparison.ts';
import { campaignFaults } from '../design/campaignFaults.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { player } from '../factors/player.ts';
import { PLAYERS } from '../../src/player/others/createOtherPlayer.ts';

const all = ['dashjs', 'hlsjs', 'shaka'] as const;
const faults = (changes: Partial<CampaignFile>): string[] =>
  campaignFaults({ ...startingFile, ...changes }, known);

test('the factor has the players of the page', () => {
  const { nameOf } = player.values;
  expect(all.map(nameOf)).toEqual(PLAYERS.map(({ id }) => id));
  for (const { id, label } of PLAYERS)
    expect(player.title(id, { browsers: [] })).toBe(`, played by ${label}`);
});

test('three players by their own rules and a common one are a campaign, each with its arm', () => {
  const campaign = {
    ...startingFile,
    rules: ['own', 'bba-2'],
    players: [...all],
    contents: ['demo'],
  };
  expect(faults(campaign)).toEqual([]);
  const plan = planCampaign(campaign, []);
  const arms = plan.ok ? new Set(plan.value.sessions.map(({ design }) => design.arm)) : plan.error;
  expect(arms).toContain('own/h2/hlsjs');
  expect(arms).toContain('bba-2/h2/shaka');
});

test('the own rule is that of the player', () => {
  expect([...all, undefined].map(ownRuleOf)).toEqual([
    'dashjs-dynamic',
    'hlsjs-abr',
    'shaka-abr',
    'dashjs-dynamic',
  ]);
});

test.each<[string, Partial<CampaignFile>, string]>([
  [
    'an own rule without players',
    { rules: ['own'] },
    '/rules/0: "own" is the rule that each player comes with: name the "players", or the rule dashjs-dynamic.',
  ],
  [
    'the id of a player’s own rule',
    { players: ['shaka'], rules: ['shaka-abr'] },
    '/rules/0: shaka-abr is the rule of Shaka: write "own", and name the "players".',
  ],
  [
    'a rule of dash.js',
    { players: ['dashjs', 'shaka'], rules: ['own', 'dashjs-bola'] },
    '/rules/1: dashjs-bola is a part of dash.js, and Shaka has its own: write "own".',
  ],
  [
    'a rule that sets the playback rate',
    { players: ['hlsjs'], rules: ['neural:live=rate'] },
    '/rules/0: neural:live=rate sets the playback rate, which only dash.js lets a rule do: leave it out, or hlsjs.',
  ],
  [
    'what only dash.js takes',
    { players: [...all], rules: ['bola'], split: [1, 6], preset: 'experiment:bufferSeconds=8' },
    '/players: Only dash.js takes "split", parameters of "preset": leave that out, or all players but dashjs.',
  ],
  [
    'a live stream for hls.js',
    { players: ['hlsjs', 'shaka'], rules: ['bola'], contents: ['demo', 'live'] },
    '/contents/1: hls.js plays HLS, and the lab’s live streams have no playlist: leave out hlsjs, or this content.',
  ],
  [
    'an MPD elsewhere for hls.js',
    { players: [...all], rules: ['bola'], contents: ['https://cdn.example/a.mpd'] },
    '/contents/0: hls.js plays HLS, and whether a playlist lies beside this MPD is not known: name the playlist, or leave out hlsjs.',
  ],
  [
    'a playlist for dash.js',
    { players: [...all], rules: ['bola'], contents: ['https://cdn.example/a.m3u8?x=1'] },
    '/contents/0: dash.js does not play an HLS playlist: leave out dashjs, or this content.',
  ],
  [
    'several hosts for hls.js',
    { players: ['hlsjs'], rules: ['bola'], hosts: ['one', 'segment-2'], profiles: ['dvl'] },
    '/hosts: HLS playlists name one host: leave out hlsjs, or play over the host "one".',
  ],
])('%s is refused in one sentence when it is planned', (_, changes, sentence) =>
  expect(faults(changes)).toContain(sentence),
);

test.each<[string, Partial<CampaignFile>]>([
  ['dash.js alone has its own rules', { players: ['dashjs'], rules: ['dashjs-bola'], split: [6] }],
  ['Shaka plays live streams', { players: ['shaka'], rules: ['own'], contents: ['live'] }],
  [
    'a playlist elsewhere has two players',
    { players: ['hlsjs', 'shaka'], rules: ['own'], contents: ['https://cdn.example/a.m3u8'] },
  ],
])('%s', (_, changes) => expect(faults(changes)).toEqual([]));

test('compare takes players, and refuses in its own words', async () => {
  const options = {
    rules: ['own'],
    transports: ['h2'],
    browserProfile: 'cold' as const,
    preset: 'experiment',
    seconds: 10,
  };
  const { plan } = await resolveComparison({ ...options, players: [...all] });
  expect(plan.sessions.map(({ player: by, rule }) => [by, rule])).toEqual(all.map((id) => [id, 'own']));
  expect(new Set(plan.sessions.map(({ id }) => id)).size).toBe(3);
  await expect(resolveComparison(options)).rejects.toThrow('--rules: "own" is the rule that each player');
});
