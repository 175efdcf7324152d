import { expect, test } from 'vitest';
import { formatFairness } from './formatPlan.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { startingFile } from '../design/startingFile.ts';

const formatted = (changes: Partial<CampaignFile>): string =>
  formatFairness({
    campaign: { ...startingFile, profiles: ['dvl'], ...changes },
    tlsRecords: changes.tlsRecords ?? 'dynamic',
  }).join('\n');
const instrumented = { origin: 'instrumented' } as const;

test('equal and different controllers are named as such, with every remaining difference', () => {
  const text = formatted({ ...instrumented, controllers: ['reno', 'bbr', 'tcp=cubic:quic=cubic-x6'] });
  expect(text).toContain('both use reno, bbr, initial window of 10 packets, both paced');
  expect(text).toContain('different congestion controllers: tcp=cubic:quic=cubic-x6, ');
  expect(text).toMatch(/remaining differences: .+HyStart.+BBR is version 1/);
});

test('the window and pacing are those that were asked for, or that nobody set', () => {
  expect(formatted({ ...instrumented, initialWindowPackets: 32, tcpPacing: false })).toContain(
    'both use cubic, initial window of 32 packets, QUIC paced, TCP only under bbr',
  );
  expect(formatted({ ...instrumented, profiles: [] })).toContain("TCP uses that of the machine's routes");
});

test('says whether the TLS records delay the first byte, also of plans that did not know of it', () => {
  expect(formatted(instrumented)).toContain('The first byte of one response is alike');
  expect(formatted({ ...instrumented, tlsRecords: '16k' })).toContain('The first byte is not alike');
  const campaign = { ...startingFile, ...instrumented };
  expect(formatFairness({ campaign }).join()).toContain('The first byte is not alike');
});

test('Caddy over links has its own text, on loopback none', () => {
  expect(formatted({})).toContain('quic-go in Caddy');
  expect(formatted({ profiles: [] })).toBe('');
});

test('says what other players than dash.js have of their own', () => {
  expect(formatted({ players: ['dashjs', 'hlsjs'] })).toContain('A bitrate of hls.js is the measured mean');
  expect(formatted({ players: ['dashjs'] })).not.toContain('players');
});
