import { describe, expect, test } from 'vitest';
import { readCampaign } from '../design/readCampaign.ts';
import { failed, ok, valueOf } from '../../src/shared/result.ts';
import { contentFromSabreMovie } from '../../src/sim/videoFiles.ts';
import { proposeCampaign, type AskedStream } from './proposeCampaign.ts';

const known = { faultOfPreset: () => null, contents: [], browsers: [], faultOfRule: () => null };
const stream: AskedStream = {
  url: 'https://cdn.example:8443/show/manifest.mpd?token=1',
  isLive: false,
  ladderKbps: [300, 1200.5],
  segmentSeconds: 2.002,
  seconds: 120,
  sizes: ok({
    ladder: [300, 1200.5].map((bitrateKbps) => ({ bitrateKbps, width: null, height: null })),
    segmentMs: 2002,
    segments: 2,
    sizesBytes: [
      [70_000, 80_000],
      [300_000, 310_000],
    ],
    initBytes: null,
  }),
};
const WISHES = { place: 'links', minutes: 60, fileName: 'mine' } as const;

describe('over links', () => {
  test('the sizes of the stream are a file beside it, and networks are those where levels matter', () => {
    const { campaign, sizesFile, about } = valueOf(proposeCampaign(stream, WISHES));
    expect(readCampaign(JSON.stringify(campaign), { name: 'c', known })).toMatchObject({ ok: true });
    expect(campaign.profiles).toEqual([
      { profile: 'constant', kbps: [360, 1441], rttMs: [20, 150], count: 25 },
    ]);
    expect(campaign.contents).toEqual(['padded:mine.sizes.json:segment=2']);
    expect(about[0]).toContain('in proportion as segments of 2 s');
    const read = valueOf(contentFromSabreMovie(sizesFile!.text, 'sizes'));
    expect(read.video.sizesBytes).toEqual(stream.sizes.ok && stream.sizes.value.sizesBytes);
  });

  test('a live stream, and one without sizes, is its ladder with the variation of another video', () => {
    const live = { ...stream, isLive: true, sizes: failed('they are not there yet') };
    const { campaign, sizesFile, about } = valueOf(proposeCampaign(live, WISHES));
    expect(sizesFile).toBeNull();
    expect(campaign.contents).toEqual(['live:padded:envivio:segment=2:ladder=300,1201']);
    expect(about[0]).toContain('because they are not there yet');
    expect(readCampaign(JSON.stringify(campaign), { name: 'c', known })).toMatchObject({ ok: true });
  });
});

describe('from the server of the stream', () => {
  test('its address is the content, and sessions are shorter than it', () => {
    const proposal = proposeCampaign({ ...stream, seconds: 24 }, { ...WISHES, place: 'server', minutes: 12 });
    const { campaign, may } = valueOf(proposal);
    expect(campaign).toMatchObject({ contents: [stream.url], profiles: [], seconds: 23, repeats: 12 });
    expect(campaign.name).toBe('ask-server-cdn-example-8443');
    expect(may).toContain('cdn.example:8443');
    expect(readCampaign(JSON.stringify(campaign), { name: 'c', known })).toMatchObject({ ok: true });
  });
});

test('too little time for a verdict, and a stream that is too short, are one sentence', () => {
  expect(proposeCampaign(stream, { ...WISHES, minutes: 13 })).toEqual(
    failed('--minutes 13: A verdict needs 6 pairs, which take 14 min.'),
  );
  expect(proposeCampaign({ ...stream, seconds: 1 }, { ...WISHES, place: 'server' })).toMatchObject({
    error: expect.stringContaining('too short') as string,
  });
});
