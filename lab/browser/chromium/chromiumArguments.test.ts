import { expect, it } from 'vitest';
import type { LaunchOptions } from '../browser.ts';
import { chromiumArguments } from './chromiumArguments.ts';

const argumentsOf = (hostRules: string | null, asksDns = false): string[] => {
  const options: LaunchOptions = {
    executablePath: '',
    flags: [],
    spkiSha256Base64: null,
    hostRules,
    asksDns,
  };
  return chromiumArguments(options);
};

const rulesOf = (hostRules: string | null): string[] => {
  const found = argumentsOf(hostRules).filter((each) => each.startsWith('--host-resolver-rules='));
  // Chromium heeds only the last of two.
  expect(found).toHaveLength(1);
  return found[0]!.split('=')[1]!.split(', ');
};

it('hosts that a browser asks by itself have no address, beside the rules of the session', () => {
  const own = 'MAP origin.test 203.0.113.1';
  expect(rulesOf(own)[0]).toBe(own);
  expect(rulesOf(own)).toContain('MAP update.googleapis.com ~NOTFOUND');
  expect(rulesOf(null)).toEqual(rulesOf(own).slice(1));
});

it('our own origins are reached without a proxy of the environment, others as the environment says', () => {
  expect(argumentsOf('MAP origin.test 203.0.113.1')).toContain('--no-proxy-server');
  expect(argumentsOf(null)).not.toContain('--no-proxy-server');
});

it('a browser that asks DNS waits for HTTPS records, and has no proxy', () => {
  const found = argumentsOf(null, true);
  expect(found).toContain('--no-proxy-server');
  expect(found).toContain(
    '--enable-features=UseDnsHttpsSvcb:UseDnsHttpsSvcbInsecureExtraTimeMax/5000ms/UseDnsHttpsSvcbInsecureExtraTimePercent/0/UseDnsHttpsSvcbInsecureExtraTimeMin/5000ms',
  );
  expect(argumentsOf(null).join()).not.toContain('--enable-features');
});
