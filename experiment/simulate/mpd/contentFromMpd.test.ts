import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentFromMpd, filesByServer, firstFileOf } from './contentFromMpd.ts';
import { makeCertificate } from '../../../lab/caddy/certificate.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-mpd-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Buffer): string {
  const at = path.join(folder, name);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, content);
  return at;
}

const mpd = (sets: string, type = 'static'): string =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="${type}" mediaPresentationDuration="PT6S"
    minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-live:2011"><Period id="0">${sets}</Period></MPD>`;

const video = (id: string, kbps: number, more = ''): string =>
  `<Representation id="${id}" bandwidth="${kbps * 1000}" codecs="avc1.4d401e" width="640" height="360">${more}</Representation>`;

const TEMPLATE =
  '<SegmentTemplate timescale="1" duration="2" startNumber="1" initialization="$RepresentationID$/init.mp4" media="$RepresentationID$/$Number$.m4s"/>';
const videoSet = (...representations: string[]): string =>
  `<AdaptationSet mimeType="video/mp4">${representations.join('')}</AdaptationSet>`;

const read = (name: string) => contentFromMpd(pathToFileURL(path.join(folder, name)).href, name);
const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: Error) => error.message,
  );

/** A sidx of version 0 with segments of 2 s (ISO/IEC 14496-12 §8.16.3). */
function sidx(...sizesBytes: number[]): Buffer {
  const words = [0, 1, 1000, 0, 0, sizesBytes.length];
  for (const size of sizesBytes) words.push(size, 2000, 0x90000000);
  const bytes = Buffer.alloc(8 + 4 * words.length);
  bytes.writeUInt32BE(bytes.length);
  bytes.write('sidx', 4, 'latin1');
  words.forEach((word, index) => bytes.writeUInt32BE(word, 8 + 4 * index));
  return bytes;
}

beforeAll(() => {
  for (const [rung, sizes] of [
    ['low', [100, 110, 120]],
    ['high', [300, 310, 320]],
    ['sound', [10, 11, 12]],
  ] as const) {
    sizes.forEach((size, index) => file(`${rung}/${index + 1}.m4s`, Buffer.alloc(size)));
    file(`${rung}/init.mp4`, Buffer.alloc(sizes[0] / 10));
  }
});

describe('an MPD', () => {
  const audio = `<AdaptationSet mimeType="audio/mp4" lang="en">${TEMPLATE}<Representation id="sound" bandwidth="64000" codecs="mp4a.40.2"/></AdaptationSet>`;

  it('of segments in files of their own: their sizes, ascending rungs, audio beside', async () => {
    const text = mpd(videoSet(TEMPLATE, video('high', 800), video('low', 200)) + audio);
    file('template.mpd', text);
    expect(await read('template.mpd')).toEqual({
      manifestBytes: text.length,
      name: 'template.mpd',
      video: {
        ladder: [
          { bitrateKbps: 200, width: 640, height: 360 },
          { bitrateKbps: 800, width: 640, height: 360 },
        ],
        segmentMs: 2000,
        segments: 3,
        sizesBytes: [
          [100, 110, 120],
          [300, 310, 320],
        ],
        initBytes: [10, 30],
      },
      audio: {
        ladder: [{ bitrateKbps: 64, width: null, height: null }],
        segmentMs: 2000,
        segments: 3,
        sizesBytes: [[10, 11, 12]],
        initBytes: [1],
      },
    });
  });

  it('that names a side file of sizes: how long that is', async () => {
    const property = '<SupplementalProperty schemeIdUri="urn:pitwall:sizes:2026" value="sizes.json"/>';
    file('sizes.json', Buffer.alloc(77));
    file('sized.mpd', mpd(videoSet(TEMPLATE, video('low', 200))).replace('<Period', `${property}<Period`));
    expect((await read('sized.mpd')).sizesFileBytes).toBe(77);
  });

  it('of byte ranges with an index: the sizes in the index', async () => {
    const index = sidx(501, 502, 503);
    file('one.mp4', Buffer.concat([Buffer.alloc(40), index, Buffer.alloc(1506)]));
    const range = `${40}-${40 + index.length - 1}`;
    const base = `<BaseURL>one.mp4</BaseURL><SegmentBase indexRange="${range}"><Initialization range="0-39"/></SegmentBase>`;
    file('base.mpd', mpd(videoSet(video('one', 200, base))));
    expect((await read('base.mpd')).video).toMatchObject({
      segmentMs: 2000,
      sizesBytes: [[501, 502, 503]],
      initBytes: [40],
    });
  });

  it('of one file cut by a list: the ranges of the list', async () => {
    const list =
      '<BaseURL>one.mp4</BaseURL><SegmentList timescale="1" duration="2"><SegmentURL mediaRange="0-99"/><SegmentURL mediaRange="100-249"/><SegmentURL mediaRange="250-250"/></SegmentList>';
    file('list.mpd', mpd(videoSet(video('one', 200, list))));
    expect((await read('list.mpd')).video).toMatchObject({ sizesBytes: [[100, 150, 1]], initBytes: null });
  });

  it('with two codecs: the ladder of the first', async () => {
    const other = video('high', 300).replace('avc1', 'hvc1');
    file('codecs.mpd', mpd(videoSet(TEMPLATE, video('low', 200), other)));
    expect((await read('codecs.mpd')).video.ladder.map(({ bitrateKbps }) => bitrateKbps)).toEqual([200]);
  });

  it.each([
    ['hello', /^x\.mpd: The MPD cannot be read \(/],
    [
      mpd(videoSet(TEMPLATE, video('low', 200)), 'dynamic'),
      /^x\.mpd: It is a live stream; the simulator needs a static MPD\.$/,
    ],
    [mpd(audio), /^x\.mpd: It has no video\.$/],
    [mpd(videoSet(TEMPLATE, video('gone', 200))), /gone.*: There is no such file or folder\.$/],
    [
      mpd(videoSet(TEMPLATE, video('low', 200), video('high', 200))),
      /^x\.mpd: The ladder must rise, but 200 follows 200/,
    ],
    [
      mpd(
        videoSet(
          video(
            'low',
            200,
            '<SegmentTemplate timescale="1" initialization="low/init.mp4" media="low/$Number$.m4s"><SegmentTimeline><S t="0" d="1"/><S d="4"/><S d="1"/></SegmentTimeline></SegmentTemplate>',
          ),
        ),
      ),
      /^x\.mpd: Segment 0 lasts 1000 ms, the mean is 2500 ms; the simulator needs segments of equal length\.$/,
    ],
    [
      mpd(
        videoSet(
          video(
            'low',
            200,
            '<BaseURL>low/3.m4s</BaseURL><SegmentBase indexRange="0-99"><Initialization range="0-9"/></SegmentBase>',
          ),
        ),
      ),
      /low\/3\.m4s: The index in bytes 0–99 cannot be read: Box at byte 0 claims/,
    ],
  ])('%#: is refused in a sentence', async (text, sentence) => {
    file('x.mpd', text);
    expect(await errorOf(read('x.mpd'))).toMatch(sentence);
  });

  it('names the rung and the segment of an empty file', async () => {
    file('hole/init.mp4', 'x');
    for (const number of [1, 2, 3]) file(`hole/${number}.m4s`, number === 2 ? '' : 'xx');
    file('hole.mpd', mpd(videoSet(TEMPLATE, video('hole', 200))));
    expect(await errorOf(read('hole.mpd'))).toBe(
      'hole.mpd: The level of 200 kbit/s has a size of 0 bytes for segment 1; it must be a whole number above 0.',
    );
  });
});

describe('an MPD on a server', () => {
  let server: Server;
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      try {
        const body = readFileSync(path.join(folder, request.url!));
        response.writeHead(200, { 'content-length': body.length }).end(request.method === 'HEAD' ? '' : body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());
  const url = (name: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;

  it('is asked for the sizes by HEAD', async () => {
    const content = await contentFromMpd(url('template.mpd'), 'served');
    expect(content.video).toEqual((await read('template.mpd')).video);
    expect(asked).toContain('HEAD /high/3.m4s');
    expect(asked.filter((line) => line.startsWith('GET'))).toEqual(['GET /template.mpd']);
  });

  it('is asked for the index, also when it knows no ranges', async () =>
    expect((await contentFromMpd(url('base.mpd'), 'served')).video.sizesBytes).toEqual([[501, 502, 503]]));

  it('says what the server answers, and when there is none', async () => {
    expect(await errorOf(contentFromMpd(url('gone.mpd'), 'x'))).toMatch(
      /gone\.mpd: The server answers 404\.$/,
    );
    expect(await errorOf(contentFromMpd('http://127.0.0.1:1/a.mpd', 'x'))).toMatch(
      /a\.mpd: The server cannot be reached \(/,
    );
  });
});

describe('a server with a certificate of its own', () => {
  let stop = (): void => {};
  let url = '';
  let pem = '';
  beforeAll(async () => {
    const { privateKeyPem: key, certificatePem: cert } = await makeCertificate();
    pem = cert;
    const server = createSecureServer({ key, cert }, ({ url: asked = '', method }, response) => {
      const body = readFileSync(path.join(folder, asked));
      response.writeHead(200, { 'content-length': body.length }).end(method === 'HEAD' ? '' : body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stop = () => void server.close();
  });
  afterAll(() => stop());

  it.each(['template.mpd', 'base.mpd'])('is asked about %s where that is trusted', async (name) => {
    const content = await contentFromMpd(`${url}/${name}`, 'served', { pem });
    expect(content.video).toEqual((await read(name)).video);
  });

  it('is not trusted otherwise, and the sentence names what would', async () =>
    expect(await errorOf(contentFromMpd(`${url}/template.mpd`, 'x'))).toMatch(
      /cannot be reached \(its certificate is not trusted: .*--trust FILE\.pem trusts it\)\.$/,
    ));
});

describe('the first file of a stream', () => {
  const first = (sets: string) => firstFileOf(mpd(sets), 'https://cdn.example/show/a.mpd');

  it('is the init segment of its first video', () =>
    expect(first(videoSet(video('v', 300, TEMPLATE)))).toEqual({
      url: 'https://cdn.example/show/v/init.mp4',
      range: null,
    }));

  it('is a part of a file where the MPD says so', () =>
    expect(
      first(
        videoSet(
          video(
            'v',
            300,
            '<BaseURL>v.mp4</BaseURL><SegmentList duration="2"><Initialization range="10-109"/><SegmentURL mediaRange="110-200"/></SegmentList>',
          ),
        ),
      ),
    ).toEqual({ url: 'https://cdn.example/show/v.mp4', range: { offset: 10, length: 100 } }));

  it('is none where there is neither video nor audio', () =>
    expect(() => first('')).toThrow('https://cdn.example/show/a.mpd: '));
});

describe('a file on each server of a stream', () => {
  const files = (sets: string) => filesByServer(mpd(sets), 'https://www.example/show/a.mpd');
  const on = (...bases: readonly string[]) =>
    videoSet(video('v', 300, `${bases.map((base) => `<BaseURL ${base}</BaseURL>`).join('')}${TEMPLATE}`));

  it('is on the server of the MPD where it names no other', () =>
    expect(files(videoSet(video('v', 300, TEMPLATE)))).toEqual(['https://www.example/show/v/init.mp4']));

  it('is on every server that a BaseURL names, but not on one without HTTP/3', () =>
    expect(
      files(
        on(
          '>https://a.example/',
          '>https://b.example:8443/x/',
          'serviceLocation="tcp-1">https://tcp.example/',
        ),
      ),
    ).toEqual(['https://a.example/v/init.mp4', 'https://b.example:8443/x/v/init.mp4']));
});
