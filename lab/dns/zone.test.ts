import { describe, expect, it, test } from 'vitest';
import { answerFrom, faultOfZone, formatRecord, type HostScript, type HttpsRecord } from './zone.ts';

const script = (changes: Partial<HostScript> = {}): HostScript => ({
  host: 'origin.test',
  address: '203.0.113.1',
  port: 8443,
  https: [{ priority: 1, alpn: ['h3', 'h2'] }],
  ...changes,
});

const recordsOf = (zone: readonly HostScript[], name: string, type: string): string[] =>
  answerFrom(zone, { name, type }).records.map(formatRecord);

describe('an answer', () => {
  it.each([
    ['origin.test', 'A', ['203.0.113.1']],
    ['ORIGIN.test.', 'A', ['203.0.113.1']],
    ['media-2.origin.test', 'A', ['203.0.113.1']],
    ['origin.test', 'AAAA', []],
    ['origin.test', 'TXT', []],
    ['_8443._https.origin.test', 'HTTPS', ['1 origin.test. alpn=h3,h2']],
    ['_8443._https.media-2.origin.test', 'HTTPS', ['1 media-2.origin.test. alpn=h3,h2']],
    // The record of another port is no record of this one (RFC 9460, section 9.1).
    ['origin.test', 'HTTPS', []],
    ['_8444._https.origin.test', 'HTTPS', []],
    ['_8443._https.origin.test', 'A', []],
  ])('%s %s', (name, type, records) => {
    expect(recordsOf([script()], name, type)).toEqual(records);
    expect(answerFrom([script()], { name, type }).host).not.toBeNull();
  });

  it.each(['other.test', 'notorigin.test', 'test', ''])('does not know "%s"', (name) =>
    expect(answerFrom([script()], { name, type: 'A' }).host).toBeNull(),
  );

  it('has a record of port 443 at the host itself', () =>
    expect(recordsOf([script({ port: 443 })], 'origin.test', 'HTTPS')).toEqual([
      '1 origin.test. alpn=h3,h2',
    ]));

  it('has an IPv6 address where the script has one', () =>
    expect(recordsOf([script({ address6: '2001:db8::1' })], 'origin.test', 'AAAA')).toEqual(['2001:db8::1']));

  it('waits, or never comes, as the script says of its type', () => {
    const zone = [script({ waitMs: { HTTPS: 300, AAAA: null } })];
    const waitOf = (name: string, type: string): number | null => answerFrom(zone, { name, type }).waitMs;
    expect(waitOf('_8443._https.origin.test', 'HTTPS')).toBe(300);
    expect(waitOf('origin.test', 'AAAA')).toBeNull();
    expect(waitOf('origin.test', 'A')).toBe(0);
  });

  it('with an address goes out after that about records, unless one of them has a wait', () => {
    const isAfter = (changes: Partial<HostScript>, type = 'A'): boolean =>
      answerFrom([script(changes)], { name: 'origin.test', type }).isAfterHttps;
    expect(isAfter({})).toBe(true);
    expect(isAfter({}, 'AAAA')).toBe(false);
    expect(isAfter({ waitMs: { HTTPS: null } })).toBe(false);
    expect(isAfter({ waitMs: { A: 10 } })).toBe(false);
  });
});

/** What a script can say that is wrong about the server. */
test.each<[string, HttpsRecord, string]>([
  ['another target', { priority: 1, target: 'svc.test', alpn: ['h3'] }, '1 svc.test. alpn=h3'],
  [
    'another port',
    { priority: 1, port: 9, noDefaultAlpn: true, alpn: ['h3'] },
    '1 origin.test. alpn=h3 no-default-alpn port=9',
  ],
  ['an address of nobody', { priority: 1, hints: ['192.0.2.9', '::1'] }, '1 origin.test. hint=192.0.2.9,::1'],
  ['an alias of itself', { priority: 0 }, '0 origin.test.'],
])('a record with %s', (_, record, text) =>
  expect(recordsOf([script({ https: [record] })], '_8443._https.origin.test', 'HTTPS')).toEqual([text]),
);

test('a record may be said to be of another host', () => {
  const zone = [script({ https: [{ priority: 1, owner: 'bank.test' }] })];
  const { records } = answerFrom(zone, { name: '_8443._https.origin.test', type: 'HTTPS' });
  expect(records[0]?.owner).toBe('bank.test');
});

test('hosts that are aliases of each other have one record each: nobody goes round', () => {
  const zone = [
    script({ host: 'a.test', https: [{ priority: 0, target: '_8443._https.b.test' }] }),
    script({ host: 'b.test', https: [{ priority: 0, target: '_8443._https.a.test' }] }),
  ];
  expect(recordsOf(zone, '_8443._https.a.test', 'HTTPS')).toEqual(['0 _8443._https.b.test.']);
  expect(recordsOf(zone, '_8443._https.b.test', 'HTTPS')).toEqual(['0 _8443._https.a.test.']);
});

describe('a script that no message can say', () => {
  const of = (record: Partial<HttpsRecord>): Partial<HostScript> => ({ https: [{ priority: 1, ...record }] });
  it.each<[Partial<HostScript>, string]>([
    [{ host: 'a b' }, '"a b" is no host name.'],
    [{ host: `${'a'.repeat(64)}.test` }, `"${'a'.repeat(64)}.test" is no host name.`],
    [{ address: '::1' }, '"::1" of origin.test is no IPv4 address.'],
    [{ address6: 'x' }, '"x" of origin.test is no IPv6 address.'],
    [of({ priority: -1 }), 'The HTTPS record of origin.test has the priority -1: it must be 0 to 65535.'],
    [of({ port: 0 }), 'The HTTPS record of origin.test has the port 0: it must be 1 to 65535.'],
    [of({ target: 'a..b' }), 'The HTTPS record of origin.test names "a..b", which is no host name.'],
    [of({ alpn: [''] }), 'The HTTPS record of origin.test has an ALPN id that is not 1 to 255 bytes long.'],
    [of({ hints: ['x'] }), 'The HTTPS record of origin.test has the hint "x", which is no address.'],
  ])('%#', (changes, sentence) => expect(faultOfZone([script(changes)])).toBe(sentence));

  it('is none of these', () => expect(faultOfZone([script()])).toBeNull());
});
