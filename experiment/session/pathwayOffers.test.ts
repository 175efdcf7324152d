import { createServer, type RequestListener, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { makeCertificate, type Certificate } from '../../lab/caddy/certificate.ts';
import { readPathways } from '../../src/player/steering/pathways.ts';
import { checkPathways, faultOf, pathwayOffer, shortcomings } from './pathwayOffers.ts';

const PAGE = 'http://localhost:8080';
const INIT = Buffer.from(Array.from({ length: 700 }, (_, at) => at % 251));
const MPD = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT6S"
  minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-live:2011"><Period id="0"><AdaptationSet mimeType="video/mp4">
  <SegmentTemplate timescale="1" duration="2" startNumber="1" initialization="$RepresentationID$/init.mp4" media="$Number$.m4s"/>
  <Representation id="v" bandwidth="300000" codecs="avc1.4d401e" width="640" height="360"/></AdaptationSet></Period></MPD>`;

const GOOD = { 'access-control-allow-origin': '*', 'timing-allow-origin': '*' };

/** What a server does otherwise than a good one. */
interface Differently {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly hasRanges?: boolean;
}

const answering =
  ({ status = 206, headers = GOOD, body = INIT, hasRanges = true }: Differently): RequestListener =>
  ({ url = '', headers: asked }, response) => {
    if (url.endsWith('.mpd')) return void response.writeHead(200, GOOD).end(MPD);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(asked.range ?? '') ?? [];
    if (status >= 300) response.writeHead(status, headers).end();
    else if (hasRanges) response.writeHead(206, headers).end(body.subarray(Number(first), Number(last) + 1));
    else response.writeHead(200, headers).end(body);
  };

const listening: { close(done: () => void): unknown }[] = [];
const closeAll = (): Promise<void[]> =>
  Promise.all(
    listening.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
afterAll(closeAll);

async function served(differently: Differently = {}): Promise<string> {
  const server: Server = createServer(answering(differently));
  listening.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What is printed, and how it ends, for one pathway beside a good server. */
async function checked(differently: Differently, id = 'tcp') {
  const [main, other] = [await served(), await served(differently)];
  const pathways = readPathways([`${id}=${other}`]);
  if (!pathways.ok) throw new Error(pathways.error);
  const lines: string[] = [];
  const asking = { pageOrigin: PAGE, print: (line: string) => void lines.push(line) };
  const end = await checkPathways(`${main}/show/manifest.mpd`, pathways.value, asking).then(
    () => 'usable',
    (error: Error) => error.message,
  );
  const named = (text: string): string =>
    text.replaceAll(main.slice(7), 'MAIN').replaceAll(other.slice(7), 'OTHER');
  return { end: named(end), lines: lines.map(named) };
}

const cellsOf = (line: string): string[] => line.trim().split(/ {2,}/);

describe('before the play', () => {
  it('one table says what each pathway offers', async () => {
    const { end, lines } = await checked({});
    expect(end).toBe('usable');
    expect(lines).toHaveLength(1);
    const [head, ...rows] = lines[0]!.split('\n').slice(1).map(cellsOf);
    expect(head).toEqual(['pathway', 'server', 'status', 'bytes', 'CORS', 'timing', 'ranges', 'protocols']);
    const [main, tcp] = rows;
    expect(main!.slice(0, 3)).toEqual(['main', 'MAIN', '206']);
    expect(tcp!.slice(0, 3)).toEqual(['tcp', 'OTHER', '206']);
    expect(main!.slice(3)).toEqual(tcp!.slice(3));
    expect(tcp!.slice(4)).toEqual(['yes', 'yes', 'yes', 'http/1.1']);
  });

  test.each<[string, Differently, string]>([
    ['an error', { status: 404 }, 'OTHER answers 404.'],
    [
      'other bytes',
      { body: Buffer.from('another video') },
      'OTHER serves other bytes than the server of the MPD.',
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://login.example/' } },
      'OTHER redirects to https://login.example.',
    ],
    [
      'no CORS',
      { headers: { 'timing-allow-origin': '*' } },
      'OTHER does not allow a page to read its files (CORS, Access-Control-Allow-Origin).',
    ],
    [
      'CORS for other pages',
      { headers: { ...GOOD, 'access-control-allow-origin': 'https://www.example' } },
      'OTHER does not allow a page to read its files (CORS, Access-Control-Allow-Origin).',
    ],
  ])('a pathway with %s is named in one sentence', async (_, differently, sentence) => {
    expect((await checked(differently)).end).toBe(`The pathway tcp cannot be used: ${sentence}`);
  });

  it('a server that does not answer is named, too', async () => {
    const gone = await served();
    await closeAll();
    const main = await served();
    const pathways = readPathways([`tcp=${gone}`]);
    if (!pathways.ok) throw new Error(pathways.error);
    const asking = { pageOrigin: PAGE, print: () => undefined };
    await expect(checkPathways(`${main}/a.mpd`, pathways.value, asking)).rejects.toThrow(
      /^The pathway tcp cannot be used: 127\.0\.0\.1:\d+ does not answer \(.*ECONNREFUSED.*\)\.$/,
    );
  });

  test.each<[string, Differently, string]>([
    [
      'Timing-Allow-Origin',
      { headers: { 'access-control-allow-origin': PAGE } },
      'The pathway tcp: OTHER sends no Timing-Allow-Origin, so that protocols and times stay unknown.',
    ],
    [
      'byte ranges',
      { hasRanges: false },
      'The pathway tcp: OTHER ignores byte ranges, so that slow segments are requested anew.',
    ],
  ])('what works without %s is used, with one sentence', async (_, differently, sentence) => {
    const { end, lines } = await checked(differently);
    expect(end).toBe('usable');
    expect(lines.slice(1)).toEqual([sentence]);
  });

  it('an MPD that cannot be read leaves the pathways unknown, and says so', async () => {
    const lines: string[] = [];
    // Port 9 (discard) is one of those that fetch never asks.
    const asking = { pageOrigin: PAGE, print: (line: string) => void lines.push(line) };
    await checkPathways('http://127.0.0.1:9/a.mpd', [], asking);
    expect(lines).toEqual([
      expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:9\/a\.mpd: The server cannot be reached \(.+\)\. What the pathways offer is not known\.$/,
      ),
    ]);
  });
});

describe('protocols', () => {
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = await makeCertificate();
  });

  async function offerOf(id: 'main' | 'tcp', settings: { allowHTTP1: boolean; altSvc: string | null }) {
    const server = createSecureServer(
      { cert: certificate.certificatePem, key: certificate.privateKeyPem, allowHTTP1: settings.allowHTTP1 },
      (asked, response) => {
        response.writeHead(200, { ...GOOD, ...(settings.altSvc !== null && { 'alt-svc': settings.altSvc }) });
        response.end(INIT);
      },
    );
    listening.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}/init.mp4`;
    const asking = { pageOrigin: PAGE, ca: certificate.certificatePem };
    return pathwayOffer(
      { id, carries: id === 'tcp' ? 'tcp' : 'any' },
      { ...asking, url: url.replace('localhost', '127.0.0.1'), range: null },
    );
  }

  it('are those that ALPN and Alt-Svc name', async () => {
    const main = await offerOf('main', { allowHTTP1: true, altSvc: 'h2=":443", h3=":443"; ma=86400' });
    expect(main.protocols).toEqual(['http/1.1', 'h2', 'h3']);
    const tcp = await offerOf('tcp', { allowHTTP1: true, altSvc: null });
    expect(tcp.protocols).toEqual(['http/1.1', 'h2']);
    expect(faultOf(tcp, main)).toBeNull();
  });

  it('of a pathway without HTTP/3 have no HTTP/3', async () => {
    const tcp = await offerOf('tcp', { allowHTTP1: true, altSvc: 'h3=":443"' });
    expect(shortcomings(tcp)[0]).toBe(
      `The pathway tcp: ${tcp.server} announces HTTP/3 (Alt-Svc), although this pathway is one without.`,
    );
  });
});
