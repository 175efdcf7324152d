import { describe, expect, it, test } from 'vitest';
import { CampaignFile } from './campaignFile.ts';
import { readCampaign } from './readCampaign.ts';
import { startingFile } from './startingFile.ts';

const known = {
  faultOfRule: (text: string) => (text === 'magic' ? 'Unknown rule "magic"; known: dashjs-bola.' : null),
  faultOfPreset: (text: string) => (['experiment'].includes(text) ? null : `Unknown preset "${text}".`),
  contents: [{ id: 'demo', seconds: 72 }],
  browsers: [
    { id: 'chromium', label: 'Chromium', modes: ['h1', 'h2', 'h3-racing', 'h3-only'], canBeWarm: true },
    { id: 'firefox', label: 'Firefox', modes: ['h1', 'h2', 'h3-racing'], canBeWarm: false },
  ],
};
const read = (text: string) => readCampaign(text, { name: 'c.json', known });
const errorOf = (changes: Record<string, unknown>): string => {
  const result = read(JSON.stringify({ ...startingFile, ...changes }));
  return result.ok ? 'no error' : result.error;
};

test('the starting file is a campaign, and comes back as it was written', () => {
  expect(read(JSON.stringify(startingFile, null, 2))).toEqual({ ok: true, value: startingFile });
});

test('docs/campaign.schema.json is what the schema says', async () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...CampaignFile };
  await expect(`${JSON.stringify(schema, null, 1)}\n`).toMatchFileSnapshot('../../docs/campaign.schema.json');
});

test('a viewer may seek to the end of a padded stream, which is longer than the sessions', () => {
  const campaign = { contents: ['padded:envivio'], seconds: 900 };
  expect(errorOf({ ...campaign, viewer: 'time-5:seek-to-959' })).toBe('no error');
  expect(errorOf({ ...campaign, viewer: 'time-5:seek-to-960' })).toContain(
    '/viewer: Viewer’s script: “time-5:seek-to-960” is beyond the end of the stream at 960 s.',
  );
});

describe('what is wrong is one sentence with its place', () => {
  it('line and column where it is no JSON', () => {
    const broken = read('{\n  "schema": "pitwall-campaign/2"\n  "name": "a"\n}');
    expect(broken).toEqual({
      ok: false,
      error: 'c.json, line 3, column 3: "," is expected, not "\\"name\\"".',
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [
      { schema: 'pitwall-campaign/3' },
      'c.json: /schema should be "pitwall-campaign/2", but it is "pitwall-campaign/3".',
    ],
    [{ seconds: 'sixty' }, '/seconds should be a whole number from 1 to 86400, but it is "sixty".'],
    [{ seconds: undefined }, '/seconds should be a whole number from 1 to 86400, but it is missing.'],
    [{ secs: 3 }, '/secs is not a field of a campaign.'],
    [{ blocks: 1 }, '/blocks should be a whole number from 2 to 1000, but it is 1.'],
    [
      { blocks: 4, repeats: 3 },
      '/blocks: 4 blocks need at least 4 repeats, for all pairs of a repeat are in one block; the campaign has 3.',
    ],
    [
      { transports: ['h2', 'h4'] },
      '/transports/1 should be "h1" or "h2" or "h3-racing" or "h3-only" or "h3-no-fallback" or "h3-migrating", but it is "h4".',
    ],
    [{ rules: ['a', 'magic'] }, '/rules/1: Unknown rule "magic"; known: dashjs-bola.'],
    [{ rules: ['a', 'b', 'a'] }, '/rules/2: "a" is listed twice.'],
    [
      { rules: ['a', 'dashjs-lolp'], contents: ['live:low-latency', 'live'] },
      '/rules/1: The rule dashjs-lolp is made for live streams with low latency, and live is none: play live:low-latency or the address of such a stream, or leave out the rule.',
    ],
    [
      { rules: ['dashjs-l2a', 'a'] },
      '/rules/0: The rule dashjs-l2a is made for live streams with low latency, and demo is none: ',
    ],
    [
      { profiles: ['dvl', 'dlv'] },
      '/profiles/1: Unknown profile "dlv": did you mean "dvl"? Known: 3g, address-change, address-change-gap, constant-10mbps, ',
    ],
    [{ profiles: ['trace:'] }, '/profiles/0: Unknown profile "trace:"; known: '],
    [
      { contents: ['film'] },
      '/contents/0: Unknown content "film"; known: demo, live, padded:TABLE, and the address of an MPD.',
    ],
    [
      { seconds: 73 },
      '/contents/0: demo is 72 s long, too short for sessions of 73 s. In a campaign, use a padded stream (padded:envivio): it is as long as the sessions need.',
    ],
    [{ contents: ['demo', 'padded:'] }, '/contents/1: "padded:" names no table of sizes: '],
    [
      { contents: ['padded:envivio:segment=x'] },
      '/contents/0: "segment=x" in "padded:envivio:segment=x" should be ',
    ],
    [{ contents: ['live', 'live:demo'] }, '/contents/1: Unknown live stream "live:demo"; known: '],
    [{ browserProfile: 'hot' }, '/browserProfile should be "cold" or "warm" or "in-turn", but it is "hot".'],
    [
      { browserProfile: 'in-turn', profiles: [] },
      '/browserProfile: "in-turn" gives half of the networks a warm browser: fill in "profiles".',
    ],
    [
      { browserProfile: 'in-turn', profiles: ['dvl'], leadInSeconds: 9 },
      '/leadInSeconds: A warm browser visits the origin in the lead-in, which must be at least 10 s.',
    ],
    [{ rules: ['a|magic'], profiles: ['dvl'] }, '/rules/0: Unknown rule "magic"; known: dashjs-bola.'],
    [
      { rules: ['a|b'], profiles: [] },
      '/rules/0: An entry with several rules gives each network one of them: fill in "profiles".',
    ],
    [
      {
        steering: ['browser', 'throughput'],
        compare: 'steering',
        transports: ['h1', 'h2'],
        profiles: ['dvl'],
      },
      '/transports: Steering is compared, but no transport uses QUIC: add h3-racing or h3-only.',
    ],
    [
      { browserProfile: 'warm', profiles: ['dvl'], leadInSeconds: 9 },
      '/leadInSeconds: A warm browser visits the origin in the lead-in, which must be at least 10 s.',
    ],
    [
      { browserProfile: 'warm', profiles: ['dvl'], leadInSeconds: 18, hosts: ['one', 'segment-4'] },
      '/leadInSeconds: A warm browser visits the origin in the lead-in, which must be at least 19 s.',
    ],
    [
      { browsers: ['chromium', 'fierfox'] },
      '/browsers/1: Unknown browser "fierfox": did you mean "firefox"? Known: ',
    ],
    [{ browsers: ['firefox', 'firefox'] }, '/browsers/1: "firefox" is listed twice.'],
    [
      { browsers: ['chromium', 'firefox'], transports: ['h2', 'h3-only'] },
      '/transports/1: Firefox has no transport mode h3-only; it has h1, h2, h3-racing.',
    ],
    [
      { browsers: ['firefox'], transports: ['h1', 'h2'], browserProfile: 'warm' },
      '/browsers/0: Firefox cannot visit the origin before its session: leave out what needs a warm browser.',
    ],
    [
      {
        browsers: ['firefox'],
        transports: ['h2', 'h3-racing'],
        origin: 'instrumented',
        profiles: ['dvl'],
        beside: ['player:transport=h3-only'],
      },
      '/beside/0: Firefox has no transport mode h3-only; it has h1, h2, h3-racing.',
    ],
    [
      { browsers: ['firefox'], transports: ['h2'], compare: 'browsers' },
      '/browsers: The browsers are compared: name at least two.',
    ],
    [
      { robustTo: { variants: ['rtt'] } },
      '/robustTo: Variants play pairs again over changed links: fill in "profiles", or leave out "robustTo".',
    ],
    [
      { robustTo: { variants: ['light-load'] }, profiles: ['dvl'] },
      '/robustTo/variants/0 should be "rtt", but it is "light-load".',
    ],
    [
      { robustTo: { variants: ['rtt'], pairs: 13 }, profiles: ['dvl'] },
      '/robustTo/pairs: A verdict of this campaign has 12 pairs, fewer than 13.',
    ],
    [
      { robustTo: { variants: ['rtt'], pairs: 13 }, profiles: ['dvl', 'dl'], per: 'network' },
      '/robustTo/pairs: A verdict of this campaign has 12 pairs, fewer than 13.',
    ],
    [
      { robustTo: { variants: ['rtt', 'rtt'] }, profiles: ['dvl'] },
      '/robustTo/variants/1: "rtt" is listed twice.',
    ],
    [{ robustTo: { variants: [] }, profiles: ['dvl'] }, '/robustTo/variants should be '],
    [
      { robustTo: { variants: ['rtt'], pair: 3 }, profiles: ['dvl'] },
      '/robustTo/pair is not a field of a campaign.',
    ],
    [{ preset: 'fast' }, '/preset: Unknown preset "fast".'],
    [{ primary: 'quality' }, '/primary: Unknown metric "quality": did you mean "quality-drop"? Known: '],
    [
      { primary: 'tcp-share' },
      '/primary: The metric tcp-share has no better direction; metrics that have one: ',
    ],
    [{ compare: 'rules' }, '/rules: The rules are compared: name at least two.'],
    [
      { control: 'h4' },
      '/control: The control "h4" is not one of the transports: h1, h2, h3-racing, h3-only.',
    ],
    [
      { repeats: 1000, seeds: Array.from({ length: 100 }, (_, seed) => seed) },
      '/repeats: The campaign has 400000 sessions',
    ],
    [{ controllers: ['bbr'] }, '/controllers: This field needs the instrumented origin: '],
    [{ origin: 'caddy', zeroRtt: true }, '/zeroRtt: This field needs the instrumented origin: '],
    [{ origin: 'nginx' }, '/origin should be "caddy" or "instrumented", but it is "nginx".'],
    [
      { origin: 'instrumented', controllers: ['cubic', 'vegas'] },
      '/controllers/1: Unknown controller "vegas": ',
    ],
    [{ origin: 'instrumented', controllers: ['bbr', 'bbr'] }, '/controllers/1: "bbr" is listed twice.'],
    [
      { origin: 'instrumented', controllers: ['bbr'], compare: 'controllers' },
      '/controllers: The controllers are compared: name at least two.',
    ],
    [{ aaLabels: ['a', 'b'] }, '/aaLabels: A/A labels need "compare": "aaLabels": all of them'],
    [{ aaLabels: ['a', 'a'], compare: 'aaLabels' }, '/aaLabels/1: "a" is listed twice.'],
    [{ aaLabels: ['a'], compare: 'aaLabels' }, '/aaLabels should be '],
    [
      { aaLabels: ['a', 'b'], compare: 'aaLabels', aaSessions: true },
      '/aaSessions: With A/A labels every arm already plays several sessions in each pair: leave out "aaSessions".',
    ],
    [{ compare: 'aaLabels' }, '/aaLabels: The A/A labels are compared: name at least two.'],
    [{ compare: 'controllers' }, '/controllers: The controllers are compared: name at least two.'],
    [
      { origin: 'instrumented', contents: ['demo', 'https://cdn.example/a.mpd'] },
      '/contents/1: The instrumented origin cannot serve https://cdn.example/a.mpd, a stream on another server.',
    ],
    [
      { infer: 'network' },
      '/infer: A verdict on networks needs at least two different networks, but the campaign has 0: name more profiles, or write "infer": "repeat".',
    ],
    [{ infer: 'network', profiles: ['dvl'] }, 'but the campaign has 1: name more profiles'],
    [
      {
        infer: 'network',
        profiles: ['trace:a/trace_17_http---www.ebay.com_0', 'trace:a/trace_17_http---www.ebay.com_320'],
      },
      'but the campaign has 1: name more profiles',
    ],
    [
      { infer: 'network', per: 'network', profiles: ['dvl', 'dl'] },
      '/infer: With "per": "network" every verdict is about one network: write "per": "campaign", or "infer": "repeat".',
    ],
    [{ infer: 'networks' }, '/infer should be "network" or "repeat", but it is "networks".'],
    [{ profiles: [7] }, '/profiles/0 should be text of 1 to 400 characters or an object, but it is 7.'],
    [{ profiles: [{ profile: 'constant', kbps: [1, 2] }] }, '/profiles/0/count should be '],
    [
      { profiles: ['dvl', { profile: 'dvl', count: 3 }] },
      '/profiles/1/profile: Nothing can be drawn from "dvl"; known: address-change, address-change-gap, constant, dvl-like, mtu-black-hole, mtu-drop, nat-rebinding, switch-wifi-cellular, tcp-limiter, udp-block-temporary, udp-limiter, udp-limiter-queueing, udp-limiter-temporary.',
    ],
    [
      { profiles: [{ profile: 'udp-limiter', kbps: [64, 1000], count: 3 }] },
      '/profiles/0/kbps: The profile udp-limiter has no parameter kbps; it has limitKbps, pathKbps.',
    ],
    [
      { profiles: [{ profile: 'udp-limiter', colour: 3, count: 3 }] },
      '/profiles/0/colour is not a field of a campaign.',
    ],
    [
      { profiles: [{ profile: 'udp-limiter', limitKbps: [2, 1000], count: 3 }] },
      '/profiles/0/limitKbps: limitKbps should be from 8 to 100000, but it is 2.',
    ],
    [
      { profiles: [{ profile: 'udp-limiter', limitKbps: [900, 100], count: 3 }] },
      '/profiles/0/limitKbps: A range goes from a smaller to a larger value, but this one goes from 900 to 100.',
    ],
    [
      { profiles: [{ profile: 'constant', kbps: 3000, count: 2 }] },
      '/profiles/0: Nothing is drawn: give a parameter a range, as in "kbps": [5000, 10000].',
    ],
    [
      { profiles: [{ profile: 'constant', kbps: [100, 102], count: 9 }] },
      '/profiles/0: These ranges have fewer than 9 different networks.',
    ],
    [
      {
        profiles: [
          { profile: 'constant', kbps: [100, 900], count: 9 },
          { profile: 'constant', kbps: [100, 900], count: 9 },
        ],
      },
      '/profiles/1: {"profile":"constant","kbps":[100,900],"count":9} is listed twice.',
    ],
    [
      { profiles: [{ profile: 'constant', kbps: [100, 90_000], count: 1000 }], repeats: 20 },
      '/repeats: The campaign has ',
    ],
    [{ beside: ['alone'] }, '/beside: This field needs the instrumented origin: '],
    [
      { origin: 'instrumented', beside: ['alone', 'tcp-cubic'] },
      '/beside: What runs beside the viewer shares an emulated link, and loopback is none: fill in "profiles", or leave out "beside".',
    ],
    [
      { origin: 'instrumented', profiles: ['dvl'], beside: ['alone', 'udp-cubic'] },
      '/beside/1: Unknown flows "udp-cubic": write alone, or ',
    ],
    [
      { origin: 'instrumented', profiles: ['dvl'], beside: ['tcp-cubic:from=72'], seconds: 72 },
      '/beside/0: "tcp-cubic:from=72" has flows that begin after the end of the session at 72 s.',
    ],
    [
      { origin: 'instrumented', profiles: ['dvl'], beside: ['alone', 'alone'] },
      '/beside/1: "alone" is listed twice.',
    ],
    [
      { origin: 'instrumented', profiles: ['dvl'], beside: ['tcp-cubic'], compare: 'beside' },
      '/beside: The loads beside the viewer, "alone" among them, are compared: name at least two.',
    ],
    [{ split: [1, 13] }, '/split/1 should be a whole number from 1 to 12, but it is 13.'],
    [{ split: [6, 6] }, '/split/1: 6 is listed twice.'],
    [{ split: [6], compare: 'split' }, '/split: The counts of ranges are compared: name at least two.'],
    [
      { split: [1, 6], compare: 'split', control: '1' },
      '/control: The control "1" is not one of the split: split-1, split-6.',
    ],
    [
      { split: [1, 6], profiles: ['dvl'], steering: ['browser'] },
      '/split: A segment in several ranges cannot continue on another pathway: leave out "split" or "steering".',
    ],
    [
      { split: [1, 6], contents: ['demo', 'live:low-latency'] },
      '/contents/1: Low-latency segments are loaded in pieces while they are made, not in ranges: leave out "split", or this content.',
    ],
    [
      { ends: ['never', 'requests-1'], origin: 'instrumented', profiles: ['dvl'] },
      '/ends/1: "requests-1" is no end of connections: "never", or "requests-N" (2 to 1000), "seconds-N" or "idle-N" (1 to 300).',
    ],
    [
      {
        ends: ['idle-10', 'seconds-30'],
        origin: 'instrumented',
        profiles: ['dvl'],
        contents: ['padded:envivio'],
        seconds: 3601,
      },
      '/ends/1: The origin does "seconds-30" in sessions of at most 3600 s.',
    ],
    [
      { hosts: ['one', 'audio-2'], profiles: ['dvl'], contents: ['padded:envivio'] },
      '/contents/0: This stream has no sound for a host of its own: add ":audio=32" to it, or leave out "audio-2".',
    ],
    [
      { hosts: ['one', 'audio-3'], profiles: ['dvl'] },
      '/hosts/1: "audio-3" is no spread over hosts: "one", "audio-2", or "segment-N" or "representation-N" (2 to 4).',
    ],
    [
      { hosts: ['segment-2'], profiles: ['dvl'], contents: ['demo', 'live'] },
      '/contents/1: Only padded streams and the demo can be spread over hosts: leave out "hosts", or this content.',
    ],
    [
      { hosts: ['segment-2'], profiles: ['dvl'], steering: ['browser'] },
      '/hosts: What is spread over hosts is neither steered nor a transfer: leave out "hosts", or "steering" and "transfers".',
    ],
    [
      { origin: 'instrumented', profiles: ['dvl'], beside: ['player:rule=magic'] },
      '/beside/0: Unknown rule "magic"; known: dashjs-bola.',
    ],
    [{ alpha: 0 }, '/alpha should be a number from 1e-9 to 0.5, but it is 0.'],
  ])('%j', (changes, sentence) => expect(errorOf(changes)).toContain(sentence));

  it.each([
    ['a live stream of any length', { contents: ['live'], seconds: 80_000 }],
    ['a warm browser without a link, whatever the lead-in', { browserProfile: 'warm', leadInSeconds: 0 }],
    [
      'sound from a host of its own',
      { hosts: ['audio-2'], profiles: ['dvl'], contents: ['demo', 'padded:envivio:audio=32'] },
    ],
    ['a cold one with a short lead-in', { browserProfile: 'cold', profiles: ['dvl'], leadInSeconds: 0 }],
  ])('%s is right', (_, changes) => expect(errorOf(changes)).toBe('no error'));

  it.each([
    { profiles: ['dvl', 'trace:some/where.log'] },
    { infer: 'network', profiles: ['dvl', 'trace:some/where.log'] },
    { infer: 'network', profiles: [{ profile: 'constant', kbps: [100, 900], rttMs: 50, count: 2 }] },
    { infer: 'repeat', profiles: ['dvl'], per: 'network' },
    { seconds: 72 },
    {
      seconds: 3600,
      contents: ['padded:envivio', 'padded:tables/film.json:segment=2', 'https://cdn.example/a.mpd?x=1'],
    },
    { contents: ['demo', 'https://cdn.example/a.mpd?x=1'] },
    { control: 'h2' },
    { blocks: 2, repeats: 2 },
    { origin: 'caddy' },
    { aaLabels: ['a', 'b'], compare: 'aaLabels', transports: ['h2'] },
    { aaSessions: true },
    { origin: 'instrumented', controllers: ['reno', 'tcp=cubic:quic=bbr'], initialWindowPackets: 32 },
    { origin: 'instrumented', controllers: ['reno', 'bbr'], compare: 'controllers', control: 'bbr' },
    { split: [1, 6, 12], compare: 'split', control: 'split-1' },
    {
      origin: 'instrumented',
      profiles: ['dvl'],
      compare: 'beside',
      control: 'alone',
      beside: ['alone', 'tcp-cubic:flows=4+quic-cubic-x6:from=10:until=60', 'player:rule=bola+player'],
    },
  ])('nothing with %j', (changes) => expect(errorOf(changes)).toBe('no error'));
});

test.each<[string, Record<string, unknown>, string]>([
  ['a name', { name: 'a\nb' }, 'a\\nb'],
  ['a rule', { rules: ['magic\r\nmore'] }, 'magic\\u000d\\nmore'],
  ['a profile', { profiles: ['dvl\nwifi'] }, 'dvl\\nwifi'],
  ['a content', { contents: ['de\nmo'] }, 'de\\nmo'],
  ['a preset', { preset: 'x\n\u2028y' }, 'x\\n\\u2028y'],
  ['a metric', { primary: 'join\ntime' }, 'join\\ntime'],
  ['a control', { control: 'h2\n' }, 'h2\\n'],
  ['a field', { 'se\nconds': 1 }, 'se\\nconds'],
])('line breaks in %s stay within one line of the error', (_, changes, shown) => {
  const everything = { ...known, faultOfRule: (text: string) => `Unknown rule "${text}".` };
  const text = JSON.stringify({ ...startingFile, ...changes });
  const result = readCampaign(text, { name: 'c.json', known: 'rules' in changes ? everything : known });
  expect(result.ok ? 'no error' : result.error).toContain(shown);
  expect(result.ok ? '' : result.error).not.toMatch(/[\p{Cc}\u2028]/u);
});
