import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { levelsOfMpd } from '../simulate/mpd/contentFromMpd.ts';
import { hostsOf } from '../factors/hosts.ts';
import { spreadMpd, type Spread } from '../../lab/content/spreadMpd.ts';
import { spreadStream } from './spreadStream.ts';

const template = (timescale: number, duration: number): string =>
  `<SegmentTemplate timescale="${timescale}" initialization="$RepresentationID$/init.mp4" media="$RepresentationID$/$Number$.m4s" startNumber="1" duration="${duration}"/>`;
const TEXT = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S">
  <Period id="p0" start="PT0S" duration="PT10S">
    <AdaptationSet id="1" contentType="video" mimeType="video/mp4">
      <Representation id="video-1" bandwidth="80000">
        ${template(10_240, 40_960)}
      </Representation>
      <Representation id="video-2" bandwidth="160000">
        ${template(10_240, 40_960)}
      </Representation>
    </AdaptationSet>
    <AdaptationSet id="2" contentType="audio" mimeType="audio/mp4">
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
      <Representation id="audio-1" bandwidth="32000">
        ${template(48_000, 192_000)}
      </Representation>
    </AdaptationSet>
  </Period>
  <SupplementalProperty schemeIdUri="urn:pitwall:sizes:2026" value="sizes.json"/>
</MPD>`;
const ONE = 'https://a.test:8443/media/x/';
const TWO = 'https://b.a.test:8443/media/x/';
const spread = (by: Spread['by']): string => spreadMpd(TEXT, { by, bases: [ONE, TWO] });
const bases = (text: string): string[] =>
  [...text.matchAll(/<BaseURL>(.*?)<\/BaseURL>/g)].map(([, url]) => url!);

test('representations in turn', () => expect(bases(spread('representation'))).toEqual([ONE, TWO, ONE]));

test('the sound apart', () => expect(bases(spread('audio'))).toEqual([ONE, ONE, TWO]));

test('segments in turn, each once, the last one shorter', () => {
  const text = spread('segment');
  const media = [...text.matchAll(/media="([^"]+)"/g)].map(([, url]) => url);
  expect(media.slice(0, 4)).toEqual([
    'video-1/1.m4s',
    `${TWO}video-1/2.m4s`,
    'video-1/3.m4s',
    'video-2/1.m4s',
  ]);
  expect(bases(text)).toEqual([ONE, ONE, ONE]);
  expect(media).toHaveLength(9);
  expect(text).not.toContain('SegmentTemplate');
});

test('what addresses segments otherwise is no stream of one host by mistake', () => {
  const timeline = TEXT.replace(/duration="192000"\/>/, '><SegmentTimeline/></SegmentTemplate>');
  expect(() => spreadMpd(timeline, { by: 'segment', bases: [ONE, TWO] })).toThrow(
    'of 3 representations, 2 were spread over hosts',
  );
});

test('the file of sizes stays where it is', () =>
  expect(spread('audio')).toContain(`value="${ONE}sizes.json"`));

/** A parser of other people says what a player finds. */
test.each(['segment', 'representation', 'audio'] as const)(
  'levels and their files are those of the stream, by %s',
  (by) =>
    expect(levelsOfMpd(spread(by), `${ONE}manifest.mpd`)).toEqual(levelsOfMpd(TEXT, `${ONE}manifest.mpd`)),
);

test.each(['', 'segment', 'segment-1', 'segment-5', 'audio-3', 'title-2', 'one-2'])(
  '%j is no spread',
  (text) => expect(hostsOf(text)).toBeNull(),
);

test('a session has its MPD in a folder of its own, with names below its host', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-mpd-'));
  writeFileSync(path.join(folder, 'manifest.mpd'), TEXT);
  const plan = { mounts: { '/media/x': folder } };
  const about = { host: 'cell.origin.test', port: 8443 };
  const mpd = '/media/x/manifest.mpd';
  const stream = await spreadStream(plan, { mpd, hosts: 'segment-3' }, about);
  const own = stream!.mounts['/spread']!;
  expect(stream).toMatchObject({
    mpd: '/spread/manifest.mpd',
    mediaUrls: [2, 3].map((n) => `https://media-${n}.cell.origin.test:8443/media/x/manifest.mpd`),
  });
  const hosts = readFileSync(path.join(own, 'manifest.mpd'), 'utf8').match(/https:\/\/[^:/]+/g)!;
  expect(new Set(hosts).size).toBe(3);
  await stream!.stop();
  expect(existsSync(own)).toBe(false);
  for (const one of ['one', undefined])
    expect(await spreadStream(plan, { mpd, ...(one && { hosts: one }) }, about)).toBeNull();
  rmSync(folder, { recursive: true });
});
