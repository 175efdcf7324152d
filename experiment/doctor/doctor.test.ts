import { createSocket } from 'node:dgram';
import { rm } from 'node:fs/promises';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  certificateOf,
  copyExaminedStream,
  type ExaminedStream,
  gathering,
  sentencesOf,
} from '../../e2e/fixtures/examinedStream.ts';
import { caddy, type Planted, startPlantedServer } from '../../e2e/fixtures/plantedServers.ts';
import { sampled } from '../../e2e/fixtures/sampled.ts';
import { makeCertificate, type Certificate } from '../../lab/caddy/certificate.ts';
import { freePort } from '../../lab/caddy/ports.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';
import { requireTool, tools } from '../../lab/tools.ts';
import { diagnose, type Diagnosis } from '../../src/doctor/diagnose.ts';
import { corsOnceFix } from '../../src/doctor/fixes.ts';
import { filePlants, liveStream, manifestPlants, openTimeline } from './filePlants.testing.ts';
import { gatherEvidence, type Gathering } from './gatherEvidence.ts';
import { crossOriginPlants, http3Plants, type Plant } from './plants.testing.ts';
import { serveFiles, type Change } from './startFiles.testing.ts';

const isFull = process.env['PITWALL_FULL'] === '1';
const plants: readonly Plant[] = [...http3Plants, ...crossOriginPlants, ...filePlants, ...manifestPlants];
/** What the command may take. */
const MAX_MS = 20_000;

let stream: ExaminedStream;
let certificate: Certificate;

beforeAll(async () => {
  stream = await copyExaminedStream();
  certificate = stream.certificate;
});
afterAll(() => rm(stream.folder, { recursive: true, force: true }));

interface Served {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts Caddy as it should be for players, with a change. */
async function startPlanted(planted: Planted & Pick<Partial<Plant>, 'record'>): Promise<Served> {
  const { port, stop } = await startPlantedServer(caddy, stream, planted);
  return { origin: `https://${planted.record ? 'origin.test' : 'localhost'}:${port}`, stop };
}

/** A DNS server that knows 127.0.0.1 and one HTTPS record for every name; where there is no alpn, ::1 instead of the record. */
async function startDns({
  alpn,
  port,
}: NonNullable<Plant['record']>): Promise<{ address: string; stop(): void }> {
  const socket = createSocket('udp4');
  const alpnValue = Buffer.concat(
    alpn.map((id) => Buffer.from(`${String.fromCharCode(id.length)}${id}`, 'latin1')),
  );
  const parameter = (key: number, value: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0, key, 0, value.length]), value]);
  const portValue = port === undefined ? [] : [parameter(3, Buffer.from([port >> 8, port & 0xff]))];
  // Priority 1, the owner as target.
  const https = Buffer.concat([Buffer.from([0, 1, 0]), parameter(1, alpnValue), ...portValue]);
  socket.on('message', (question, { port: asker, address }) => {
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    const [v4, v6] = [Buffer.from([127, 0, 0, 1]), Buffer.from([...Array<number>(15).fill(0), 1])];
    const data =
      new Map<number, Buffer>([[1, v4], alpn.length > 0 ? [65, https] : [28, v6]]).get(type) ?? null;
    const answer = data ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data] : [];
    const head = Buffer.from([question[0]!, question[1]!, 0x81, 0x80, 0, 1, 0, data ? 1 : 0, 0, 0, 0, 0]);
    socket.send(Buffer.concat([head, question.subarray(12, end), ...answer]), asker, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() };
}

async function examine(
  url: string,
  more: Partial<Gathering> = {},
): Promise<Diagnosis & { elapsedMs: number }> {
  const startedMs = performance.now();
  const { evidence, spentBytes } = await gatherEvidence(url, {
    ...gathering(certificate),
    chromiumPath: isFull ? requireTool('chromium') : null,
    ...more,
  });
  expect(spentBytes).toBeLessThanOrEqual(16_000_000);
  return { ...diagnose(evidence), elapsedMs: performance.now() - startedMs };
}

const withBrowser = (): Partial<Gathering> => ({ chromiumPath: requireTool('chromium') });
describe('a healthy server gets no sentence', () => {
  test.each([
    ['Caddy', {}],
    ['Caddy with a live stream', liveStream],
    [
      'Caddy with a live timeline that goes on',
      {
        ...liveStream,
        files: { ...liveStream.files, text: openTimeline('$Number$.m4s') },
        path: '/timeline.mpd',
      },
    ],
    ['Caddy with HLS', { path: '/hls.m3u8' }],
    ['Caddy with a single file', { path: '/video-1/3.m4s' }],
  ] as [string, Partial<Plant>][])('%s', async (_, plant) => {
    const served = await startPlanted(plant);
    try {
      const examined = await examine(`${served.origin}${plant.path ?? '/manifest.mpd'}`, withBrowser());
      expect(sentencesOf(examined)).toEqual([]);
      expect(
        examined.notChecked.filter(({ check }) => check.needs.every((need) => need !== 'stream')),
      ).toEqual([]);
    } finally {
      await served.stop();
    }
  });

  test.skipIf(tools().origin === null && process.env['CI'] !== 'true')(
    'the instrumented origin',
    async () => {
      const origin = await startInstrumentedOrigin({ mounts: { '/media': stream.files } });
      try {
        const pem = await certificateOf(origin.httpsPort);
        const examined = await examine(`${origin.httpsUrl}/media/manifest.mpd`, {
          ...withBrowser(),
          trusted: { pem, spkiSha256Base64: origin.spki },
        });
        // Sessions of the lab must not meet caches: that is so on purpose, and true.
        expect(sentencesOf(examined)).toEqual([
          `uncached-media: localhost:${origin.httpsPort} (media) forbids caches to keep media (Cache-Control: no-store)`,
        ]);
      } finally {
        await origin.stop();
      }
    },
  );
});

describe('a planted fault is found, and nothing else', () => {
  const browserPlants = plants.filter(({ needsBrowser }) => needsBrowser);
  const drawn = [
    ...plants.filter(({ needsBrowser }) => !needsBrowser),
    ...sampled(browserPlants, { count: 2, seed: 3 }),
  ];
  test.each(drawn.map((plant) => [plant.name, plant] as const))('%s', async (_, plant) => {
    const served = await startPlanted(plant);
    const dns = plant.record && (await startDns(plant.record));
    try {
      const examined = await examine(`${served.origin}${plant.path ?? '/manifest.mpd'}`, {
        ...(plant.needsBrowser && withBrowser()),
        ...(dns && { resolver: dns.address }),
      });
      const found = sentencesOf(examined);
      expect([...new Set(examined.findings.map(({ check }) => check.id))].sort(), found.join('\n')).toEqual(
        Object.keys(plant.finds).sort(),
      );
      for (const [id, sentence] of Object.entries(plant.finds))
        expect(found.filter((each) => each.startsWith(`${id}: `)).join('\n')).toMatch(sentence);
      expect(examined.findings.map(({ check }) => check.fix.text).join('\n')).toMatch(plant.fix);
    } finally {
      dns?.stop();
      await served.stop();
    }
  });
});

/** Serves the stream by Node, with TLS as it is given: no h3, and no headers for pages. */
async function startNode(options: ServerOptions, host: string): Promise<Served> {
  const server = createSecureServer(
    {
      cert: certificate.certificatePem,
      key: certificate.privateKeyPem,
      ALPNProtocols: ['http/1.1'],
      ...options,
    },
    serveFiles(stream.files, {}),
  );
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A certificate as it was made then. */
async function certificateAt(unixMs: number): Promise<Certificate> {
  vi.setSystemTime(unixMs);
  try {
    return await makeCertificate();
  } finally {
    vi.useRealTimers();
  }
}

const DAY_MS = 86_400_000;

describe('names, addresses and certificates', () => {
  async function found(
    options: ServerOptions,
    more: { host?: string; listens?: string } & Partial<Gathering> = {},
  ): Promise<string> {
    const { host = 'localhost', listens = 'localhost', ...gathering } = more;
    const served = await startNode(options, listens);
    try {
      const url = `${served.origin.replace('localhost', host)}/manifest.mpd`;
      return sentencesOf(await examine(url, { chromiumPath: null, ...gathering })).join('\n');
    } finally {
      await served.stop();
    }
  }

  test('a certificate that is not trusted', async () => {
    expect(await found({}, { trusted: undefined })).toMatch(
      /^certificate-untrusted: .*DEPTH_ZERO_SELF_SIGNED_CERT/m,
    );
  });

  test.each([
    ['has expired', 100, /^certificate-time: The certificate of localhost:\d+ has expired.*GMT/m],
    ['ends soon', 88, /^certificate-ends: The certificate of localhost:\d+ ends in 1 day$/m],
  ])('a certificate that %s', async (_, days, sentence) => {
    const old = await certificateAt(Date.now() - days * DAY_MS);
    const trusted = { pem: old.certificatePem, spkiSha256Base64: old.spkiSha256Base64 };
    expect(await found({ cert: old.certificatePem, key: old.privateKeyPem }, { trusted })).toMatch(sentence);
  });

  test('a certificate for other names', async () => {
    expect(await found({}, { host: '127.0.0.2', listens: '127.0.0.2' })).toMatch(
      /^certificate-name: .*DNS:localhost/m,
    );
  });

  test('TLS 1.2, and http/1.1 alone', async () => {
    const sentences = await found({ maxVersion: 'TLSv1.2' });
    expect(sentences).toMatch(/^no-tls13: localhost:\d+ uses TLSv1.2/m);
    expect(sentences).toMatch(/^no-h2: localhost:\d+ does not agree to h2 \(ALPN: http\/1.1\)/m);
  });

  test('an address that does not answer', async () => {
    const dns = await startDns({ alpn: [] });
    const sentences = await found({}, { host: 'origin.test', listens: '127.0.0.1', resolver: dns.address });
    dns.stop();
    expect(sentences).toMatch(/^dead-address: origin\.test:\d+ has the address ::1, which does not answer/m);
  });

  test('a resolver that stops to answer says nothing of the server, and is no missing address', async () => {
    const dns = await startDns({ alpn: ['h2'] });
    let isGone = false;
    const served = await startPlanted({
      record: { alpn: ['h2'] },
      files: {
        answer() {
          if (!isGone) dns.stop();
          isGone = true;
          return false;
        },
      },
    });
    const more = { chromiumPath: null, resolver: dns.address };
    const examined = await examine(`${served.origin}/manifest.mpd`, more);
    const nobody = await examine(`${served.origin}/manifest.mpd`, more);
    await served.stop();
    expect(sentencesOf(examined).join('\n')).not.toMatch(/^no-h2/m);
    expect(examined.notChecked.filter(({ check }) => check.id === 'no-h2')[0]?.why).toMatch(
      /the resolver .* does not answer \(/,
    );
    expect(sentencesOf(nobody).join('\n')).toMatch(/^no-answer: .*the resolver .* does not answer \(/m);
  });

  test('a file that redirects is there', async () => {
    const served = await startPlanted({
      files: {
        answer: ({ url = '' }, answer) =>
          !/mpd|copy/.test(url) && !!answer.writeHead(302, { location: `${url}?copy` }).end(),
      },
    });
    const sentences = sentencesOf(await examine(`${served.origin}/manifest.mpd`, { chromiumPath: null }));
    await served.stop();
    expect(sentences.join('\n')).toMatch(/^media-redirect: /m);
    expect(sentences.join('\n')).not.toMatch(/missing-files|wrong-lengths/);
  });

  test('limits of the check are no faults of the server', async () => {
    const served = await startPlanted({});
    const limited = await examine(`${served.origin}/manifest.mpd`, { chromiumPath: null, maxBytes: 300 });
    const late = await examine(`${served.origin}/manifest.mpd`, { chromiumPath: null, withinMs: 1 });
    await served.stop();
    for (const { findings, notChecked } of [limited, late]) {
      expect(findings.filter(({ check }) => check.severity === 'problem')).toEqual([]);
      expect(notChecked.some(({ check }) => check.needs.includes('stream'))).toBe(true);
    }
  });

  test('nobody listens', async () => {
    const url = `https://127.0.0.1:${await freePort(['127.0.0.1'])}/manifest.mpd`;
    const sentences = sentencesOf(await examine(url, { chromiumPath: null }));
    expect(sentences.join('\n')).toMatch(/^no-answer: .*ECONNREFUSED/m);
  });

  test('a server that never answers takes no more than 20 s', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/manifest.mpd`;
    const examined = await examine(url, { chromiumPath: null, withinMs: 16_000 });
    silent.close();
    expect(sentencesOf(examined).join('\n')).toMatch(/^no-answer: .*no answer within 4 s/m);
    expect(examined.elapsedMs).toBeLessThan(MAX_MS);
  });

  test.runIf(isFull)('UDP is blocked, as a known server shows', async () => {
    const known = await startNode({}, 'localhost');
    const served = await startPlanted({
      setting: { protocols: 'h1 h2', set: [{ name: 'Alt-Svc', value: 'h3=":{PORT}"' }] },
    });
    try {
      const more = { ...withBrowser(), knownUrl: `${known.origin}/manifest.mpd` };
      expect(sentencesOf(await examine(`${served.origin}/manifest.mpd`, more))).toEqual([
        'udp-blocked: UDP is blocked here: the known server does not answer over QUIC either',
      ]);
    } finally {
      await served.stop();
      await known.stop();
    }
  });
});

test('the remedy for CORS of another site replaces what the server behind sends', async () => {
  const behind: NonNullable<Change['answer']> = (_, answer) => {
    answer.setHeader('access-control-allow-origin', 'https://other.example');
    return false;
  };
  const corsOf = async (planted: Pick<Planted, 'more' | 'inProxy'>): Promise<string[]> => {
    const setting = { without: [{ name: 'Access-Control-Allow-Origin' }] };
    const served = await startPlanted({ setting, files: { answer: behind }, ...planted });
    const sentences = sentencesOf(await examine(`${served.origin}/manifest.mpd`, { chromiumPath: null }));
    await served.stop();
    return sentences.filter((sentence) => /cors:/.test(sentence)).map((sentence) => sentence.split(':')[0]!);
  };
  const [, header = '', inProxy] = /^(.*), and (\S+ \S+) in reverse_proxy$/.exec(corsOnceFix.by!.Caddy)!;
  expect(await corsOf({})).toContain('other-cors');
  expect(await corsOf({ more: [header] })).toContain('two-cors');
  expect(await corsOf({ more: [header], inProxy: inProxy! })).toEqual([]);
});
