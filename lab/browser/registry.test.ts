import { describe, expect, test } from 'vitest';
import { faultsOf, pick } from '../../src/shared/registry.ts';
import { browsers, labBrowser } from './registry.ts';

const TARGETS = [
  { servers: [{ host: 'cdn.test', port: 8443 }], ownCertificate: true },
  { servers: [{ host: 'cdn.example', port: 443 }], ownCertificate: false },
  {
    servers: [
      { host: 'www.example', port: 443 },
      { host: 'media.example', port: 8443 },
    ],
    ownCertificate: false,
  },
];

test('every browser is listed once, and sessions are played in one of them', () => {
  expect(faultsOf(browsers)).toEqual([]);
  expect(browsers).toContain(labBrowser);
});

describe.each(browsers)('$label', ({ modes }) => {
  test('has modes with a meaning, each once', () => {
    expect(faultsOf(modes)).toEqual([]);
    expect(modes.length).toBeGreaterThan(0);
    for (const { meaning } of modes) expect(meaning).toMatch(/^\S.{10,}/);
  });

  test.each(modes)('$id is a set of flags of its own, whatever the origin', ({ id, flags }) => {
    for (const target of TARGETS) {
      const own = flags(target);
      for (const flag of own) expect(flag).toMatch(/^-{1,2}\w[\w-]*(=\S+)?$/);
      const others = modes.filter((mode) => mode.id !== id).map((mode) => mode.flags(target).join(' '));
      expect(others).not.toContain(own.join(' '));
    }
  });

  test('h3-only names every server of the stream, each with its port', () => {
    const flags = pick(modes, 'h3-only').flags(TARGETS[2]!).join(' ');
    expect(flags).toMatch(/www\.example.*443.*,media\.example.*8443/);
  });
});
