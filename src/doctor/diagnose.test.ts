import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { readAltSvc } from './answers.ts';
import { PRODUCTS, TOPICS } from './check.ts';
import { diagnose } from './diagnose.ts';
import { NEEDS, type Answer, type Evidence, type FileEvidence, type ServerEvidence } from './evidence.ts';
import { checks } from './registry.ts';
import { SEVERITIES } from '../analysis/diagnostics/finding.ts';
import { faultsOf } from '../shared/registry.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const HEADERS = {
  'content-type': 'application/dash+xml',
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  'alt-svc': 'h3=":443"; ma=86400',
};

const answer = (headers: Answer['headers'] = {}): Answer => ({
  ...{ url: 'https://cdn.example/a.mpd', atUnixMs: NOW_MS, status: 200, headers: { ...HEADERS, ...headers } },
  ...{ readBytes: 100, start: '<MPD', hasEarlyHints: false },
});

const server: ServerEvidence = {
  origin: 'https://cdn.example',
  addresses: [{ address: '192.0.2.1', error: null }],
  records: [],
  tls: {
    ...{ alpn: 'h2', version: 'TLSv1.3', error: null },
    ...{ validFromUnixMs: NOW_MS - 30 * DAY_MS, validToUnixMs: NOW_MS + 60 * DAY_MS },
  },
  visit: { racing: ['h2', 'h3'], racingError: null, quic: 'h3', quicError: null },
};

const file: FileEvidence = {
  ...{ kind: 'manifest', url: 'https://cdn.example/a.mpd', hops: [], whole: answer(), error: null },
  ...{ range: null, again: null, preflight: null, missing: null },
};

const healthy: Evidence = {
  ...{
    url: file.url,
    pageOrigin: 'https://player.example',
    isSecure: true,
    files: [file],
    servers: [server],
  },
  ...{ stream: null, askedAtUnixMs: NOW_MS, unknown: {} },
  browser: { name: 'Chromium 156', undecodable: [], isUdpOpen: null, look: null },
};

const sentences = (evidence: Evidence): string[] =>
  diagnose(evidence).findings.map(({ check, sentence }) => `${check.id}: ${sentence}`);

describe('every check', () => {
  it('has an id of its own', () => expect(faultsOf(checks)).toEqual([]));

  it.each(checks.map((check) => [check.id, check] as const))('%s is whole', (_, check) => {
    const { needs, severity, topic, why, fix } = check;
    expect(NEEDS).toEqual(expect.arrayContaining([...needs]));
    expect(needs.length).toBeGreaterThan(0);
    expect(SEVERITIES).toContain(severity);
    expect(TOPICS).toContain(topic);
    expect(why).toMatch(/^[A-Z].*\.$/);
    expect(fix.text).toMatch(/^(?!.*\.$)./);
    if (fix.by !== null) expect(PRODUCTS.filter((product) => fix.by![product] === '')).toEqual([]);
    expect(check.run(healthy)).toEqual([]);
  });

  it('is explained by a heading of docs/doctor.md', () => {
    const page = readFileSync(new URL('../../docs/doctor.md', import.meta.url), 'utf8');
    const anchors = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(anchors).toEqual([...TOPICS]);
  });

  it('says nothing where nothing is known', () => {
    const files = [{ ...file, whole: null, error: 'refused' }];
    const empty = {
      ...healthy,
      files,
      servers: [{ ...server, addresses: null, records: null, tls: null, visit: null }],
      browser: null,
    };
    expect(sentences(empty)).toEqual(['no-answer: cdn.example (manifest) does not answer (refused)']);
  });

  it('is listed with the reason where its evidence is missing', () => {
    const { findings, notChecked } = diagnose({ ...healthy, unknown: { record: 'no resolver' } });
    expect(findings).toEqual([]);
    expect(notChecked.map(({ check, why }) => `${check.id}: ${why}`)).toEqual([
      'record-port: no resolver',
      'record-alpn: no resolver',
    ]);
  });
});

test('the worst finding comes first', () => {
  const whole = answer({
    'alt-svc': 'h3=":443"; ma=60',
    'timing-allow-origin': '',
    'access-control-allow-origin': '',
  });
  const { findings } = diagnose({ ...healthy, files: [{ ...file, whole }] });
  expect(findings.map(({ check }) => check.severity)).toEqual(['problem', 'warning', 'warning']);
});

// What no server of this machine can have is made by hand.
test.each<[string, Partial<ServerEvidence>, string]>([
  [
    'a chain without intermediates',
    {
      tls: {
        ...server.tls!,
        error: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', sentence: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      },
    },
    'certificate-chain: The certificate of cdn.example does not lead to a public root: intermediates are missing, or its root is private (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
  [
    'a handshake that fails with h2 alone',
    {
      tls: {
        ...{ alpn: null, version: null, validFromUnixMs: null, validToUnixMs: null },
        error: { code: 'ECONNRESET', sentence: 'read ECONNRESET' },
      },
    },
    'no-h2: cdn.example does not agree to h2 (read ECONNRESET)',
  ],
  [
    'a browser that stays with TCP',
    { visit: { racing: ['h2'], racingError: null, quic: 'h3', quicError: null } },
    'h3-not-used: cdn.example announces h3 and answers over QUIC, but the browser uses h2',
  ],
  [
    'a browser that gets no answer, as where h2 fails',
    { visit: { racing: [], racingError: 'ERR_HTTP2_PROTOCOL_ERROR', quic: null, quicError: null } },
    'h3-not-used: cdn.example answers, but the browser uses nothing (ERR_HTTP2_PROTOCOL_ERROR)',
  ],
  [
    'a record for QUIC that nobody answers',
    {
      records: [{ priority: 1, target: '', alpn: ['h3'], port: null }],
      visit: { racing: ['h2'], racingError: null, quic: null, quicError: null },
    },
    'record-alpn: The HTTPS record of cdn.example announces h3, but nobody answers over QUIC, or UDP is blocked here: --known URL tells',
  ],
])('%s', (_, change, sentence) => {
  const files = sentence.startsWith('record') ? [{ ...file, whole: answer({ 'alt-svc': '' }) }] : [file];
  const found = sentences({ ...healthy, files, servers: [{ ...server, ...change }] });
  expect(found).toContain(sentence);
});

test('where UDP is blocked here, no finding rests on QUIC that nobody answers', () => {
  const announcing = { priority: 1, target: '', alpn: ['h3'], port: null };
  const visit = { racing: ['h2'], racingError: null, quic: null, quicError: null };
  const foundWith = (isUdpOpen: boolean, altSvc: string): string[] =>
    sentences({
      ...healthy,
      files: [{ ...file, whole: answer({ 'alt-svc': altSvc }) }],
      servers: [{ ...server, records: [announcing], visit }],
      browser: { ...healthy.browser!, isUdpOpen },
    });
  for (const altSvc of ['', 'h3=":443"', 'h3=":8443"'])
    expect(foundWith(false, altSvc).filter((each) => !/^(udp-blocked|record-port):/.test(each))).toEqual([]);
  expect(foundWith(true, '')).toEqual([
    'record-alpn: The HTTPS record of cdn.example announces h3, but nobody answers over QUIC; UDP is not blocked here',
  ]);
});

test('Alt-Svc is read as RFC 7838 has it', () => {
  expect(readAltSvc('h3=":443"; ma=60, h3-29="other.example:8443"; persist=1')).toEqual([
    { protocol: 'h3', host: '', port: 443, maxAgeSeconds: 60 },
    { protocol: 'h3-29', host: 'other.example', port: 8443, maxAgeSeconds: 86_400 },
  ]);
  expect(readAltSvc('clear')).toEqual([]);
});
