import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttps } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXIT } from '../../node/exitCodes.ts';
import type { BrowserMode } from '../../lab/browser/browser.ts';
import { probeOffers, type ProbeOptions } from '../../lab/browser/chromium/probeOffers.ts';
import { makeCertificate } from '../../lab/caddy/certificate.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { requireTool } from '../../lab/tools.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { misbehave } from '../fixtures/misbehave.ts';
import { expect, test } from '../fixtures/test.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const IS_FULL = process.env.PITWALL_FULL === '1';

const MPD = '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"></MPD>';
const OPEN = { 'Access-Control-Allow-Origin': '*' };
const answering =
  (status: number, body: string, headers: Record<string, string> = OPEN): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/dash+xml', ...headers }).end(body);

const listeners = {
  good: answering(200, MPD),
  'no CORS': answering(200, MPD, {}),
  'a web page': answering(200, '<!DOCTYPE html>\n<html><title>Sign in</title></html>'),
  'no MPD': answering(200, '{"error": "no such video"}'),
  'a missing file': answering(404, 'no'),
  'a busy server': answering(503, 'later'),
  'a closed connection': ({ socket }) => void socket.destroy(),
} satisfies Record<string, RequestListener>;

/** Each server, the mode that is asked, what it answers with and why that is of no use. */
const overHttp: readonly [keyof typeof listeners, readonly string[], RegExp | null][] = [
  ['good', ['http/1.1'], null],
  [
    'no CORS',
    ['http/1.1'],
    /^the server does not let a page read the file: CORS \(Access-Control-Allow-Origin; /,
  ],
  ['a web page', ['http/1.1'], /^what is there is a web page, not an MPD$/],
  ['no MPD', ['http/1.1'], /^the address gives no MPD \(no <MPD> element\)$/],
  ['a missing file', ['http/1.1'], /^the server answers 404$/],
  ['a busy server', ['http/1.1'], /^the server answers 503$/],
  ['a closed connection', [], /^the connection was closed without an answer \(ERR_EMPTY_RESPONSE\)$/],
];

test.describe('what an origin offers names the cause where nothing can be played', () => {
  const modes: BrowserMode['id'][] = IS_FULL ? ['h1', 'h2', 'h3-racing'] : ['h2'];
  const chromiumPath = requireTool('chromium');
  const asked = (url: string, options: Partial<ProbeOptions> = {}) =>
    probeOffers(url, { chromiumPath, modes, ...options });

  test('over http', async ({ origin }) => {
    const found = await Promise.all(
      overHttp.map(async ([name]) => {
        const server = await misbehave(listeners[name]);
        const { offers } = await asked(`${server.url}/a.mpd`, { pageUrl: pageOf(origin) });
        await server.close();
        return offers;
      }),
    );
    for (const [index, [name, protocols, words]] of overHttp.entries())
      for (const offer of found[index]!) {
        expect(offer.protocols, name).toEqual(protocols);
        if (words === null) expect(offer.error, name).toBeNull();
        else expect(offer.error, name).toMatch(words);
      }
  });

  test('over TLS, by name and over QUIC', async ({ origin }) => {
    const certificate = await makeCertificate();
    const server = createHttps(
      { cert: certificate.certificatePem, key: certificate.privateKeyPem },
      listeners.good,
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}/a.mpd`;
    const pageUrl = pageOf(origin);
    const own = { spkiSha256Base64: certificate.spkiSha256Base64, pageUrl };
    const closed = await misbehave(listeners.good);
    await closed.close();
    const first = async (probed: ReturnType<typeof asked>) => (await probed).offers[0]!;
    try {
      const [trusted, untrusted, noUdp, refused, noName] = await Promise.all([
        first(asked(url, own)),
        first(asked(url, { pageUrl })),
        first(asked(url, { ...own, modes: ['h3-only'] })),
        first(asked(`${closed.url}/a.mpd`, { pageUrl })),
        first(asked('https://nobody.invalid/a.mpd', { pageUrl })),
      ]);
      expect(trusted).toMatchObject({ protocols: ['http/1.1'], error: null });
      for (const [offer, words] of [
        [untrusted, /^the server’s certificate is not trusted for localhost \(ERR_CERT_AUTHORITY_INVALID\)$/],
        [
          noUdp,
          /^no answer over QUIC: UDP does not get through, nobody serves HTTP\/3 there, or .*\(ERR_\w+\)$/,
        ],
        [refused, /^refused: nobody listens on localhost:\d+ \(ERR_CONNECTION_REFUSED\)$/],
        [noName, /^the name nobody\.invalid is not found \(ERR_NAME_NOT_RESOLVED\)$/],
      ] as const) {
        expect(offer.protocols).toEqual([]);
        expect(offer.error).toMatch(words);
      }
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

test('sessions without a frame show in each line, in the table and in the exit code', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-unplayable-'));
  const servers = await Promise.all([misbehave(listeners['no CORS']), misbehave(listeners['a web page'])]);
  try {
    const contents = servers.map(({ url }) => `${url}/a.mpd`);
    const campaign = { ...startingFile, name: 'unplayable', transports: ['h1', 'h2'], contents };
    const file = path.join(folder, 'c.json');
    await writeFile(file, JSON.stringify({ ...campaign, repeats: 1, seeds: [1], seconds: 1 }));
    const { code, output } = await pitwall([
      'compare',
      file,
      '--workers',
      '2',
      '--out',
      path.join(folder, 'out'),
    ]);
    expect(code, output).toBe(EXIT.notShown);
    const lines = output.split('\n');
    for (const why of ['The manifest could not be loaded', 'The address gives a web page']) {
      const reported = new RegExp(`^\\d/4 .*: no frame was shown: ${why}.*\\.`);
      expect(lines.filter((line) => reported.test(line))).toHaveLength(2);
      expect(lines.filter((line) => new RegExp(`^ {2}1 × .*: ${why}.*\\.$`).test(line))).toHaveLength(2);
    }
    expect(output).toMatch(/^0 played, 4 without a frame, /m);
    expect(output).toMatch(/^4 sessions showed no frame:$/m);
    const again = await pitwall(['compare', file, '--out', path.join(folder, 'out')]);
    expect(again.output).toMatch(/^4 sessions showed no frame:$/m);
    expect(again.code).toBe(EXIT.done);
  } finally {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Returns a page of the player's own site, from which `pitwall compare` makes its requests. */
const pageOf = ({ httpPort }: Origin): string => `http://localhost:${httpPort}/favicon.svg`;

const pitwall = (args: readonly string[]): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, 'bin', 'pitwall'), ...args],
      { cwd: root },
      (error, out, err) => resolve({ code: error ? error.code : 0, output: out + err }),
    );
  });
