import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { mediaUrlsByMpd } from './mediaUrls.ts';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function served(mpd: string | null): Promise<string> {
  const server = createServer((_, response) =>
    mpd === null ? response.writeHead(404).end() : response.writeHead(200).end(mpd),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/m.mpd`;
}

const MPD = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT6S"
  minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-live:2011"><BaseURL>https://media.example:9602/a/</BaseURL>
  <Period id="0"><AdaptationSet mimeType="video/mp4">
  <SegmentTemplate timescale="1" duration="2" initialization="$RepresentationID$.mp4" media="$Number$.m4s"/>
  <Representation id="v" bandwidth="300000" codecs="avc1.4d401e" width="640" height="360"/></AdaptationSet></Period></MPD>`;

async function found(mpd: string | null, transport: 'h2' | 'h3-only' = 'h3-only') {
  const lines: string[] = [];
  const address = await served(mpd);
  const cells = [
    { mpd: address, transport },
    { mpd: '/media/demo/manifest.mpd', transport },
  ];
  const urls = await mediaUrlsByMpd(cells, { print: (line) => void lines.push(line) });
  return { address, urls, lines };
}

test('media on another server than their MPD have one address each', async () => {
  const { address, urls, lines } = await found(MPD);
  expect(urls).toEqual({ [address]: ['https://media.example:9602/a/v.mp4'] });
  expect(lines).toEqual([]);
});

test('media beside their MPD have none', async () => {
  const { address, urls } = await found(MPD.replace(/<BaseURL>.*<\/BaseURL>/, ''));
  expect(urls).toEqual({ [address]: [] });
});

test('an MPD that is not there is said where QUIC is to be forced', async () => {
  const { address, urls, lines } = await found(null);
  expect(urls).toEqual({ [address]: [] });
  expect(lines).toEqual([
    `${address}: The server answers 404. If its media are on another server, h3-only does not force QUIC there.`,
  ]);
  expect((await found(null, 'h2')).lines).toEqual([]);
});
