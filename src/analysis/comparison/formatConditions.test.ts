import { expect, test } from 'vitest';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { formatConditions, formatPairConditions } from './formatConditions.ts';
import { pairsOf } from './pairs.ts';

const header = (changes: Partial<SessionHeader['environment']> = {}): SessionHeader => {
  const { environment, ...rest } = exampleLog();
  return { ...rest, environment: { ...environment, ...changes } };
};

test('what is compared, and that the rest is alike', () =>
  expect(formatConditions([header(), header({ transport: 'h2' })])).toEqual({
    sentence: 'They differ by transport. The same for all: content, origin, settings and player.',
    differ: false,
  }));

test('what is not alike is said first: it may be the reason of any difference', () => {
  const { sentence, differ } = formatConditions([
    header(),
    header({ rule: 'bola', browser: 'Chromium 150' }),
  ]);
  expect(differ).toBe(true);
  expect(sentence).toMatch(
    /^They differ by rule\. Besides, they differ in: browser\. Any difference below may come from that\./,
  );
});

test('another transfer is not the same', () =>
  expect(
    formatConditions([header({ transfer: 'objects:mb=1' }), header({ transfer: 'objects:mb=2' })]).sentence,
  ).toMatch(/^They differ by transfer\./));

test('parameters make a rule another one', () =>
  expect(formatConditions([header(), header({ ruleParameters: { gp: 5 } })]).sentence).toMatch(
    /^They differ by rule\./,
  ));

test('another steering policy, or the same with other parameters, is what is compared', () => {
  const steered = (policy: string, parameters = {}) =>
    header({ steering: { policy, parameters, pathways: [] } });
  for (const other of [steered('browser'), steered('throughput', { graceMs: 5 }), header()])
    expect(formatConditions([steered('throughput'), other])).toEqual({
      sentence: 'They differ by steering. The same for all: content, origin, settings and player.',
      differ: false,
    });
  expect(formatConditions([steered('browser'), steered('browser')]).sentence).toMatch(/^Rule and transport/);
});

test('a port of its own makes no other content, another host is another origin', () => {
  const at = (mpdUrl: string) => header({ mpdUrl });
  const alike = formatConditions([at('https://a.test:8443/x.mpd'), at('https://a.test:9000/x.mpd')]);
  expect(alike).toMatchObject({ differ: false });
  const other = formatConditions([at('https://a.test/x.mpd'), at('https://b.test/x.mpd')]);
  expect(other.sentence).toContain('Besides, they differ in: origin.');
});

const paired = (pair: string, changes: Partial<SessionHeader['environment']> = {}): SessionHeader => ({
  ...header(changes),
  design: { campaign: 'c', cell: 'c', pair, arm: changes.transport ?? 'h3', order: 0, repeat: 0, seed: 1 },
});
const ofPairs = (headers: SessionHeader[]) => formatPairConditions(headers, pairsOf(headers, 0));

test('of several pairs, what differs between them is no reason for a difference within one', () => {
  const pair = (link: string) => [
    paired(`${link}/a`, { link, transport: 'h2' }),
    paired(`${link}/a`, { link }),
  ];
  expect(ofPairs([...pair('wifi'), ...pair('lte')])).toEqual({
    sentence:
      '2 pairs; differences are within a pair. They differ by transport. The same for all: content, origin, network, seed, settings and player.',
    differ: false,
  });
});

test('a pair whose sessions are not alike besides is named', () => {
  const { sentence, differ } = ofPairs([
    ...[paired('wifi/a', { transport: 'h2' }), paired('wifi/a', { browser: 'Chromium 150' })],
    ...[paired('lte/a', { transport: 'h2' }), paired('lte/a')],
  ]);
  expect(differ).toBe(true);
  expect(sentence).toContain('In wifi: they differ by transport. Besides, they differ in: browser.');
  expect(sentence).toContain('In lte: they differ by transport. The same');
});

test('sessions that are of no common pair are not compared', () =>
  expect(ofPairs([paired('wifi/a'), paired('lte/a')])).toEqual({
    sentence: 'No two of these sessions are of the same pair, so none are compared.',
    differ: true,
  }));

test('a session without a partner is counted apart', () => {
  const { sentence } = ofPairs([paired('wifi/a', { transport: 'h2' }), paired('wifi/a'), paired('lte/a')]);
  expect(sentence).toMatch(/^1 pair; differences are within a pair\. They differ by transport\./);
  expect(sentence).toMatch(/ 1 session has no partner here\.$/);
});

test('the viewer in the address of a paced stream is no other content, the pace is', () => {
  const at = (path: string) =>
    header({ mpdUrl: `http://localhost:8080/paced/${path}/media/demo/manifest.mpd` });
  expect(formatConditions([at('slow/k3'), at('slow/x9')]).differ).toBe(false);
  expect(formatConditions([at('slow/k3'), at('outage/k3')]).sentence).toContain(
    'Besides, they differ in: content.',
  );
});
