import { expect, it, test } from 'vitest';
import { proxyVariableFor } from './environmentProxy.ts';

const PROXY = 'http://10.0.0.1:3128';

test.each<[Record<string, string>, string | null]>([
  [{}, null],
  [{ https_proxy: '' }, null],
  [{ https_proxy: PROXY }, 'https_proxy'],
  [{ HTTPS_PROXY: PROXY }, 'HTTPS_PROXY'],
  [{ http_proxy: PROXY }, null],
  [{ ALL_PROXY: PROXY }, 'ALL_PROXY'],
  [{ https_proxy: PROXY, no_proxy: 'localhost,127.0.0.1' }, 'https_proxy'],
  [{ https_proxy: PROXY, no_proxy: 'localhost, .example' }, null],
  [{ https_proxy: PROXY, NO_PROXY: '*.example:443' }, null],
  [{ https_proxy: PROXY, no_proxy: '*' }, null],
])('%j', (environment, variable) =>
  expect(proxyVariableFor('https://cdn.example/a.mpd', environment)).toBe(variable),
);

it.each(['https://localhost:8443/', 'https://a.localhost/', 'https://127.0.0.1/', 'https://[::1]:8443/'])(
  '%s is reached without a proxy',
  (url) => expect(proxyVariableFor(url, { https_proxy: PROXY })).toBeNull(),
);
