import { describe, expect, it } from 'vitest';
import { formatFarProxies } from './farProxy.ts';
import type { CompareCell } from './plan.ts';

type Cell = Pick<CompareCell, 'mpd' | 'transport'>;
const cell = (transport: Cell['transport'], mpd = 'https://cdn.example/a.mpd'): Cell => ({ mpd, transport });
const proxied = { https_proxy: 'http://10.0.0.1:3128' };

describe('a proxy of the environment', () => {
  it('is named once for each server elsewhere', () =>
    expect(
      formatFarProxies(
        [cell('h1'), cell('h2'), cell('h3-racing'), cell('h2', 'https://b.example/b.mpd')],
        proxied,
      ),
    ).toEqual([
      'https_proxy is set: browsers reach cdn.example through this proxy, over TCP. HTTP/3 cannot be measured through it.',
      'https_proxy is set: browsers reach b.example through this proxy, over TCP. HTTP/3 cannot be measured through it.',
    ]));

  it('does not concern our own origins', () =>
    expect(formatFarProxies([cell('h3-only', '/media/demo/manifest.mpd')], proxied)).toEqual([]));

  it('does not concern who has none', () => expect(formatFarProxies([cell('h3-only')], {})).toEqual([]));

  it('refuses sessions over h3 alone', () =>
    expect(() => formatFarProxies([cell('h2'), cell('h3-only')], proxied)).toThrow(
      /^https_proxy is set: browsers reach cdn\.example through this proxy, over TCP, so h3-only cannot be played\./,
    ));
});
