import { describe, expect, it, test } from 'vitest';
import { argumentsIn, firefoxPreferences, formatPreference } from './preferences.ts';
import { modes } from './modes.ts';
import { pick } from '../../../src/shared/registry.ts';

const TARGET = { servers: [{ host: 'a.origin.test', port: 8443 }], ownCertificate: true };
const preferencesOf = (mode: string, changes: Partial<typeof TARGET> = {}) =>
  firefoxPreferences({ flags: pick(modes, mode).flags({ ...TARGET, ...changes }), hostRules: null });

describe('the preferences of a mode', () => {
  it.each([
    ['h1', { 'network.http.http3.enable': false, 'network.http.http2.enabled': false }],
    ['h2', { 'network.http.http3.enable': false }],
    [
      'h3-racing',
      {
        'network.http.http3.enable': true,
        'network.http.http3.disable_when_third_party_roots_found': false,
      },
    ],
    [
      'h3-only',
      {
        'network.http.http3.enable': true,
        'network.http.http3.alt-svc-mapping-for-testing': 'a.origin.test;h3=:8443',
        'network.http.http3.force-use-alt-svc-mapping-for-testing': true,
      },
    ],
  ])('%s', (mode, expected) => {
    const preferences = preferencesOf(mode);
    expect(preferences).toMatchObject(expected);
    // Only of this mode, and none that another mode has beside them.
    const transport = Object.keys(preferences).filter((name) => name.startsWith('network.http.http'));
    expect(transport).toEqual(expect.arrayContaining(Object.keys(expected)));
  });

  it('name every server of the stream', () =>
    expect(
      preferencesOf('h3-only', {
        servers: [...TARGET.servers, { host: 'media.example', port: 443 }],
      }),
    ).toHaveProperty(
      ['network.http.http3.alt-svc-mapping-for-testing'],
      'a.origin.test;h3=:8443,media.example;h3=:443',
    ));

  it('leave the check of roots to the browser where the certificate is a public one', () =>
    expect(preferencesOf('h3-racing', { ownCertificate: false })).not.toHaveProperty([
      'network.http.http3.disable_when_third_party_roots_found',
    ]));
});

test('telemetry, updates, lists of malware, captive portals and prefetching are off in every mode', () => {
  for (const { id } of modes)
    expect(preferencesOf(id)).toMatchObject({
      'toolkit.telemetry.enabled': false,
      'app.update.auto': false,
      'browser.safebrowsing.provider.mozilla.updateURL': '',
      'network.captive-portal-service.enabled': false,
      'network.prefetch-next': false,
    });
});

describe('host rules', () => {
  const addressOf = (hostRules: string | null) =>
    firefoxPreferences({ flags: [], hostRules })['network.dns.forceResolve'];

  it.each([
    ['MAP origin.test 203.0.113.1', '203.0.113.1'],
    ['MAP a.test 203.0.113.1, MAP *.a.test 203.0.113.1', '203.0.113.1'],
    [null, undefined],
  ])('%s', (rules, address) => expect(addressOf(rules)).toBe(address));

  it('none where names are asked of a DNS server, which is reached without a proxy', () => {
    const preferences = firefoxPreferences({ flags: [], hostRules: null, asksDns: true });
    expect(preferences).not.toHaveProperty(['network.dns.forceResolve']);
    expect(preferences['network.proxy.type']).toBe(0);
  });

  it.each([
    ['MAP origin.test 203.0.113.1', 0],
    [null, undefined],
  ])('%s: proxy type %s', (hostRules, type) =>
    expect(firefoxPreferences({ flags: [], hostRules })['network.proxy.type']).toBe(type),
  );

  it('of several addresses are refused in a sentence', () =>
    expect(() => addressOf('MAP a.test 203.0.113.1, MAP b.test 203.0.113.2')).toThrow(
      'Firefox maps all hosts to one address, but the rules have 203.0.113.1, 203.0.113.2.',
    ));
});

test('what is no preference stands on the command line', () => {
  const flags = [formatPreference('a.b', 'c=d'), '--safe-mode', formatPreference('e', 3)];
  expect(argumentsIn(flags)).toEqual(['--safe-mode']);
  expect(firefoxPreferences({ flags, hostRules: null })).toMatchObject({ 'a.b': 'c=d', e: 3 });
});
