import { expect, test } from 'vitest';
import { fairnessText } from './fairnessText.ts';
import type { CampaignFile } from '../../../src/campaign/campaignFile.ts';
import { startingFile } from '../../../src/campaign/startingFile.ts';

const textOf = (changes: Partial<CampaignFile>): string =>
  fairnessText({ ...startingFile, profiles: ['dvl'], ...changes }).join('\n');
const speaking = { origin: 'speaking' } as const;

test('equal controllers are told apart from those that are not, and what still differs is never hidden', () => {
  const text = textOf({ ...speaking, controllers: ['reno', 'bbr', 'tcp=cubic:quic=cubic-x6'] });
  expect(text).toContain('both send by reno, bbr, from a first window of 10 packets, both paced');
  expect(text).toContain('not like for like: tcp=cubic:quic=cubic-x6, ');
  expect(text).toMatch(/what still differs: .+HyStart.+BBR is version 1/);
});

test('the window and pacing are those that were asked for, or that nobody set', () => {
  expect(textOf({ ...speaking, initialWindowPackets: 32, tcpPacing: false })).toContain(
    'both send by cubic, from a first window of 32 packets, QUIC paced, TCP only under bbr',
  );
  expect(textOf({ ...speaking, profiles: [] })).toContain("TCP's is that of the machine's routes");
});

test('Caddy over links has its own text, on loopback none', () => {
  expect(textOf({})).toContain('quic-go in Caddy');
  expect(textOf({ profiles: [] })).toBe('');
});
