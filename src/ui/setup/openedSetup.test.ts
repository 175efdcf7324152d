import { describe, expect, test } from 'vitest';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { setupLink } from './openedSetup.ts';
import { setupFacts } from './setupFacts.ts';
import { linkedSetup } from './sharedLink.ts';

const header = (changes: Partial<SessionHeader['environment']>): SessionHeader => {
  const log = exampleLog();
  return { ...log, environment: { ...log.environment, ...changes } };
};

test('says what was played and how, and leaves out what is unknown', () => {
  const facts = setupFacts(
    header({ mpdUrl: 'https://cdn.example/a.mpd', rule: 'bola', preset: 'experiment' }),
  );
  expect(facts.map(([label]) => label)).toEqual([
    'Stream',
    'ABR rule',
    'Settings',
    'Transport',
    'Recorded',
    'Version',
  ]);
  expect(facts[1]).toEqual(['ABR rule', 'BOLA']);
  const simulated = setupFacts(header({ simulator: 'chunks' }));
  expect(simulated.map(([label]) => label)).not.toContain('Recorded');
});

test('names what a session without a player downloaded', () => {
  const facts = setupFacts(header({ mpdUrl: null, rule: null, transfer: 'objects:mb=2' }));
  expect(facts[0]).toEqual(['Transfer', 'objects:mb=2']);
});

test('names the ranges of a segment, and its link has them', () => {
  const split = header({ mpdUrl: 'https://cdn.example/a.mpd', split: 6 });
  expect(setupFacts(split)).toContainEqual(['Ranges of a segment', '6']);
  expect(linkedSetup(new URL(setupLink(split, 'http://localhost:8080/')).search).split).toBe('6');
  const priority = header({ mpdUrl: 'https://cdn.example/a.mpd', priority: 'audio-first' });
  expect(linkedSetup(new URL(setupLink(priority, 'http://localhost:8080/')).search).split).toBe(
    '1:audio-first',
  );
});

describe('the link', () => {
  const linked = (changes: Partial<SessionHeader['environment']>) =>
    linkedSetup(new URL(setupLink(header(changes), 'http://localhost:8080/?recorded=stall')).search);
  test('sets the same session up, and starts nothing', () =>
    expect(
      linked({
        mpdUrl: 'https://cdn.example/a.mpd',
        rule: 'fixed',
        ruleParameters: { level: 4 },
        preset: 'as-shipped',
      }),
    ).toMatchObject({
      mpd: 'https://cdn.example/a.mpd',
      rule: 'fixed:level=4',
      preset: 'as-shipped',
      autoplay: 'off',
    }));
  test('has pathways and policy', () =>
    expect(
      linked({
        mpdUrl: 'https://cdn.example/a.mpd',
        steering: {
          policy: 'throughput',
          parameters: {},
          pathways: [
            { id: 'main', base: 'https://cdn.example', carries: 'any' },
            { id: 'tcp', base: 'https://tcp.cdn.example', carries: 'tcp' },
          ],
        },
      }),
    ).toMatchObject({ pathways: 'tcp=https://tcp.cdn.example', steering: 'throughput' }));
  test.each([
    ['bba-2', 'hls.js 1.7.4', 'hlsjs'],
    ['shaka-abr', 'shaka-player 5.2.12', 'shaka'],
  ])('has the rule %s of a session with %s', (rule, player, id) =>
    expect(linked({ mpdUrl: 'https://cdn.example/a.m3u8', rule, player })).toMatchObject({
      rule,
      player: id,
    }),
  );
  test('names no server of the lab, which is gone', () =>
    expect(linked({ mpdUrl: 'https://x.origin.test:8443/a.mpd', rule: 'bola' })).toMatchObject({
      mpd: null,
      rule: 'bola',
    }));
});
