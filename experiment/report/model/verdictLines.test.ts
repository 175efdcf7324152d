import { expect, test } from 'vitest';
import { formatHierarchical, hierarchicalInterval, verdictLines } from './verdictLines.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { pick } from '../../../src/shared/registry.ts';

const profiles = ['a-1000', 'b-2000', 'c-3000', 'd-4000', 'e-5000', 'f-6000'];

/** h3-only is ahead by 100 kbit/s and more, by another amount on each network and in each repeat. */
function lineOf(changes: Partial<CampaignFile>) {
  const source = exampleSource({ profiles, repeats: 3, ...changes }, ({ transport, link, design }) => {
    const ahead = 100 + 10 * profiles.indexOf(link!.network) + 5 * design.repeat;
    return { values: { 'mean-bitrate': 3000 + (transport === 'h3-only' ? ahead : 0) } };
  });
  const metric = pick(metrics, 'mean-bitrate');
  return verdictLines(source, { ...metric, better: 'higher' })[0]!;
}

test('a verdict on networks of several pairs has an interval over both levels beside it', () => {
  const line = lineOf({ infer: 'network' });
  expect(line.sentence).toContain('better in 6 of 6 networks');
  expect(line.sentence).toMatch(
    / With pairs drawn within networks as well, the 95 % interval is \+\d+ to \+\d+ kbit\/s\.$/,
  );
  expect(line.pairs).toMatchObject({ unit: 'network', compared: 18, planned: 18 });
  const [from, to] = line.hierarchicalInterval!;
  // The mean of networks is 130; each end leaves it by some two standard errors of 7 and more.
  expect(from).toBeGreaterThan(108);
  expect(from).toBeLessThan(122);
  expect(to).toBeGreaterThan(138);
  expect(to).toBeLessThan(152);
});

test('no other verdict has one', () => {
  for (const changes of [{}, { infer: 'repeat' }, { infer: 'network', repeats: 1 }] as const) {
    const line = lineOf(changes);
    expect(line.hierarchicalInterval).toBeNull();
    expect(line.sentence).not.toContain('within networks');
  }
  expect(hierarchicalInterval({ byNetwork: null })).toBeNull();
  expect(formatHierarchical(null, 'ms')).toBe('');
});
