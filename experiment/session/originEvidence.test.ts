import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { contradiction, fromHereOn, mustAgreeWithOrigin } from './originEvidence.ts';
import type { Place } from './place.ts';
import type { CompareCell, ComparePlan } from './plan.ts';
import { levelsOfMpd } from '../simulate/mpd/contentFromMpd.ts';
import { exampleSession, playback, rung } from '../../src/analysis/timeline/example.testing.ts';
import { exampleRequest } from '../../src/telemetry/exampleLog.testing.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-evidence-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HOST = 'a.origin.test:8443';
const MPD = `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT8S" profiles="urn:mpeg:dash:profile:isoff-live:2011">
  <Period><AdaptationSet mimeType="video/mp4" codecs="avc1.64001f">
    <SegmentTemplate media="$RepresentationID$/$Number%02d$.m4s" initialization="$RepresentationID$/init.mp4" duration="2" startNumber="1"/>
    <Representation id="v0" bandwidth="400000" width="320" height="180"/>
    <Representation id="v1" bandwidth="1000000" width="640" height="360"/>
    <Representation id="v2" bandwidth="4000000" width="1280" height="720"/>
  </AdaptationSet></Period>
</MPD>`;
const levels = levelsOfMpd(MPD, 'https://origin.test/media/s/m.mpd');

const fileOf = (level: number, number: number): string => `/media/s/v${level}/0${number}.m4s`;

/** Two segments of the level of 400 kbit/s and two of the level of 1000 kbit/s came, and were shown. */
const FILES = [fileOf(0, 1), fileOf(0, 2), fileOf(1, 3), fileOf(1, 4)];
const BYTES = 100_000;
const sent = FILES.map((file) => ({ uri: `${file}?CMCD=br`, host: HOST, status: 200, sizeBytes: BYTES }));

const segment = (file: string, changes: Partial<RequestEvent> = {}): RequestEvent =>
  exampleRequest({ url: `https://${HOST}${file}?CMCD=x`, receivedBytes: BYTES, ...changes });

const honest = exampleSession([
  playback(500, 'playing'),
  rung(500, 0),
  rung(2000, 2, 'requested'),
  rung(4500, 1),
  ...FILES.map((file) => segment(file)),
  segment(fileOf(2, 4), { outcome: 'aborted', receivedBytes: 5000 }),
  segment('/media/s/m.mpd', { type: 'manifest', receivedBytes: 900 }),
]);

const found = (log: SessionLog, evidence: Partial<Parameters<typeof contradiction>[1]> = {}) =>
  contradiction(log, { sent, levels, hasOtherServers: false, ...evidence });

test('the levels of an MPD have the paths of their segments', () => {
  expect(levels.map(({ bitrateKbps, paths }) => [bitrateKbps, paths.size])).toEqual([
    [400, 4],
    [1000, 4],
    [4000, 4],
  ]);
  expect([...levels[0]!.paths][0]).toBe(fileOf(0, 1));
});

test('an honest log agrees', () => expect(found(honest)).toBeNull());

test.each<[string, SessionLog, Partial<Parameters<typeof contradiction>[1]>]>([
  ['the origin sent more than the page has', honest, { sent: [...sent, ...sent] }],
  [
    'a range of a file comes in parts',
    exampleSession([segment(FILES[0]!), segment(FILES[0]!)]),
    { sent: [sent[0]!, { ...sent[0]!, status: 206 }] },
  ],
  [
    'bytes are counted a bit differently',
    exampleSession([segment(FILES[0]!, { receivedBytes: BYTES + 900 })]),
    {},
  ],
  [
    'a response failed',
    exampleSession([segment('/media/s/none.m4s', { outcome: 'http-error', status: 404 })]),
    {},
  ],
  [
    'a segment came from another server',
    exampleSession([segment('/x', { url: 'https://cdn.test/x' })]),
    { hasOtherServers: true },
  ],
  ['the level came from another server', exampleSession([rung(500, 2)]), { hasOtherServers: true }],
  ['the stream is made while it plays', exampleSession([rung(500, 2)]), { levels: null }],
  ['bytes are not known', exampleSession([segment(FILES[0]!, { receivedBytes: null })]), {}],
  ['the sound has another rate', exampleSession([{ ...rung(500, 2), mediaType: 'audio' } as never]), {}],
])('a log agrees where %s', (_, log, evidence) => expect(found(log, evidence)).toBeNull());

/** A log with its events changed, as a build of a player could. */
const forged = (change: (event: SessionLog['events'][number]) => object): SessionLog => ({
  ...honest,
  events: honest.events.map((event) => ({ ...event, ...change(event) })) as SessionLog['events'],
});

test.each<[string, SessionLog, string]>([
  [
    'bitrates are three times as high',
    forged((event) => ('bitrateKbps' in event ? { bitrateKbps: 3 * (event.bitrateKbps ?? 0) } : {})),
    'it says 1200 kbit/s, and the stream has levels of 400, 1000, 4000 kbit/s',
  ],
  [
    'shown bitrates are above the highest',
    forged(({ kind }) => (kind === 'switch' ? { bitrateKbps: 4100 } : {})),
    'it says 4100 kbit/s',
  ],
  [
    'a bitrate is between two levels',
    forged(({ kind }) => (kind === 'switch' ? { bitrateKbps: 700 } : {})),
    'it says 700 kbit/s',
  ],
  [
    'a bitrate is endless',
    forged(({ kind }) => (kind === 'switch' ? { bitrateKbps: Infinity } : {})),
    'and the stream has levels of',
  ],
  [
    'a bitrate is no number',
    forged(({ kind }) => (kind === 'switch' ? { bitrateKbps: NaN } : {})),
    'and the stream has levels of',
  ],
  [
    'a bitrate is below 0',
    forged(({ kind }) => (kind === 'switch' ? { bitrateKbps: -400 } : {})),
    'and the stream has levels of',
  ],
  [
    'the highest level was shown all the time',
    forged(({ kind }) => (kind === 'switch' ? { bitrateKbps: 4000, toRung: 2 } : {})),
    'it says that 4000 kbit/s were shown, and the origin sent no segment of this level',
  ],
  [
    'segments of a level were never asked for',
    exampleSession([segment(fileOf(2, 3))]),
    `it has 1 responses of ${fileOf(2, 3)}, and the origin sent 0`,
  ],
  [
    'a segment came twice',
    exampleSession([segment(FILES[0]!), segment(FILES[0]!)]),
    `it has 2 responses of ${FILES[0]}, and the origin sent 1`,
  ],
  [
    'segments are larger',
    exampleSession([segment(FILES[0]!, { receivedBytes: 10 * BYTES })]),
    `it has 1,000,000 bytes of ${FILES[0]}, and the origin sent 100,000`,
  ],
  [
    'a segment came from a server that nobody has',
    exampleSession([segment('/x', { url: 'https://cdn.test/x' })]),
    'it has 1 responses of /x, and the origin sent 0',
  ],
  [
    'an aborted one came whole',
    exampleSession([segment(fileOf(2, 4))]),
    `it has 1 responses of ${fileOf(2, 4)}, and the origin sent 0`,
  ],
])('a log is contradicted where %s', (_, log, sentence) => expect(found(log)).toContain(sentence));

test.each<[string, object]>([
  ['failed', { status: 404 }],
  ['was empty', { sizeBytes: 0 }],
  ['was a redirect', { status: 302 }],
  ['was of another file', { uri: '/media/s/v0/09.m4s' }],
])('a response that %s is no segment', (_, change) =>
  expect(found(exampleSession([segment(FILES[0]!)]), { sent: [{ ...sent[0]!, ...change }] })).toContain(
    'the origin sent 0',
  ),
);

const line = ({ uri, host, status, sizeBytes }: (typeof sent)[number]): string =>
  `${JSON.stringify({ ts: 1, duration: 0, size: sizeBytes, status, request: { proto: 'HTTP/2.0', method: 'GET', host, uri, headers: {} }, resp_headers: {} })}\n`;

const cell = { id: 'a', mpd: '/media/s/m.mpd' } as CompareCell;
const plan = { mounts: { '/media': folder, '/media/s': path.join(folder, 's') } } as unknown as ComparePlan;
mkdirSync(path.join(folder, 's'));
writeFileSync(path.join(folder, 's', 'm.mpd'), MPD);

const agree = (log: SessionLog, accessLogs: Place['accessLogs']) =>
  mustAgreeWithOrigin(log, { plan, cell, place: { accessLogs } as Place });

test('of a log of many sessions only what the session caused counts, from its begin on', async () => {
  const file = path.join(folder, 'shared.jsonl');
  const all = sent.map(line).join('');
  // The log has lines of an earlier try, and half a line of another session.
  writeFileSync(file, `${all}${all.slice(0, 50)}`);
  const part = { ...fromHereOn(file), host: 'a.origin.test' };
  appendFileSync(
    file,
    `${all.slice(50, line(sent[0]!).length)}${sent.map((each) => line({ ...each, host: 'b.origin.test:1' })).join('')}`,
  );
  await expect(agree(honest, [part])).rejects.toMatchObject({ failure: 'log-contradicted' });
  appendFileSync(file, all);
  await expect(agree(honest, [part])).resolves.toBeUndefined();
});

test('a line that the origin writes a bit later is waited for', async () => {
  const file = path.join(folder, 'late.jsonl');
  const agreed = agree(honest, [{ file, fromByte: 0, host: null }]);
  setTimeout(() => writeFileSync(file, sent.map(line).join('')), 100);
  await expect(agreed).resolves.toBeUndefined();
});

test('a session of hls.js has the bitrates of the playlist that lies beside the MPD', async () => {
  const variants = [432, 1096, 4128].map(
    (kbps) => `#EXT-X-STREAM-INF:BANDWIDTH=1,AVERAGE-BANDWIDTH=${kbps}000`,
  );
  writeFileSync(path.join(folder, 's', 'manifest.m3u8'), variants.join('\n'));
  const file = path.join(folder, 'hls.jsonl');
  writeFileSync(file, sent.map(line).join(''));
  const agreeBy = (player: 'hlsjs' | 'shaka', bitrateKbps: number) =>
    mustAgreeWithOrigin(exampleSession([{ ...rung(500, 1), bitrateKbps } as never]), {
      plan,
      cell: { ...cell, player },
      place: { accessLogs: [{ file, fromByte: 0, host: null }] } as unknown as Place,
    });
  await expect(agreeBy('hlsjs', 1096)).resolves.toBeUndefined();
  await expect(agreeBy('shaka', 1000)).resolves.toBeUndefined();
  await expect(agreeBy('hlsjs', 1000)).rejects.toThrow('the stream has levels of 432, 1096, 4128 kbit/s');
  // Of this level no segment was sent.
  await expect(agreeBy('hlsjs', 4128)).rejects.toThrow('the origin sent no segment of this level');
});

test('of a live stream that is made from a padded one, bitrates are those of its MPD', async () => {
  writeFileSync(path.join(folder, 's', 'manifest.mpd'), MPD);
  const live = { prefix: '/media/live', folder: path.join(folder, 's'), isPadded: true, isLowLatency: false };
  const agreeLive = (bitrateKbps: number) =>
    mustAgreeWithOrigin(exampleSession([{ ...rung(500, 2), bitrateKbps } as never]), {
      plan,
      cell: { ...cell, mpd: '/media/live/manifest.mpd', live },
      place: { accessLogs: [] } as unknown as Place,
    });
  await expect(agreeLive(4000)).resolves.toBeUndefined();
  await expect(agreeLive(12_000)).rejects.toThrow('the stream has levels of 400, 1000, 4000 kbit/s');
});

test('a stream elsewhere has no log to be held against', async () => {
  await expect(
    agree(
      forged(() => ({})),
      undefined,
    ),
  ).resolves.toBeUndefined();
});
