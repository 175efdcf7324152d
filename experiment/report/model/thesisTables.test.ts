import { expect, test } from 'vitest';
import { thesisTables } from './thesisTables.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import type { ReportSource } from '../reportSource.ts';

/** Two rules over two transports; bitrates by arm: 1000, 2000 … kbit/s, the second repeat 500 more. */
function sourceOf(newAddress: boolean, secondRttMs = 128): ReportSource {
  const source = exampleSource(
    { rules: ['bba-2', 'sara'], profiles: ['wifi-lte-5900'], repeats: 2 },
    ({ design }) => {
      const rank = ['bba-2/h2', 'bba-2/h3-only', 'sara/h2', 'sara/h3-only'].indexOf(design.arm) + 1;
      const kbps = 1000 * rank + 500 * design.repeat;
      return { values: { 'mean-bitrate': kbps, 'rebuffer-rate': rank, 'seek-wait': 2000 * rank } };
    },
  );
  const networks = source.plan.networks.map(({ name, profile }) => ({
    name,
    profile: {
      ...profile,
      steps: [...profile.steps, { ...profile.steps[0]!, newAddress, rttMs: secondRttMs }],
    },
  }));
  return { ...source, plan: { ...source.plan, networks } };
}

test('tables 5 to 7: a table a rule, a row a protocol, networks under each metric, in the units of the thesis', () => {
  const [first, second, ...rest] = thesisTables(sourceOf(false));
  expect(rest).toEqual([]);
  expect(first!.columns.map(({ group, label }) => group ?? label)).toEqual([
    'protocol',
    'Avg. playback bitrate (Mbit/s)',
    'Avg. wait after seeking (s)',
    'Rebuffer rate (%)',
  ]);
  expect(first!.rows).toEqual([
    ['h2', 1.25, 2, 1],
    ['h3-only', 2.25, 4, 2],
  ]);
  expect(second!.title).toMatch(/^sara /);
});

test('tables 8 and 9: where the client gets another address, a row for each algorithm and protocol', () => {
  const [, , table] = thesisTables(sourceOf(true));
  expect(table).toMatchObject({
    id: 'thesis-8-9-1',
    rows: [
      ['bba-2', 'h2', 1.25, 1],
      ['bba-2', 'h3-only', 2.25, 2],
      ['sara', 'h2', 3.25, 3],
      ['sara', 'h3-only', 4.25, 4],
    ],
  });
});

test('tables 8 and 9 of a campaign about networks in general are one table of all of them', () => {
  const source = sourceOf(true);
  const { campaign, networks } = source.plan;
  const plan = {
    ...source.plan,
    campaign: { ...campaign, infer: 'network' as const },
    networks: [...networks, { ...networks[0]!, name: 'another' }],
  };
  const sessions = [
    ...source.sessions,
    ...source.sessions.map(({ values, ...each }) => ({
      ...each,
      network: 'another',
      values: { ...values, 'mean-bitrate': values['mean-bitrate']! + 100 },
    })),
  ];
  const [, , table, ...rest] = thesisTables({ ...source, plan, sessions });
  expect(rest).toEqual([]);
  expect(table).toMatchObject({
    id: 'thesis-8-9-1',
    rows: expect.arrayContaining([['bba-2', 'h2', 1.3, 1]]),
  });
  expect(table!.title).toMatch(/^Connection switches, 2 networks /);
});

test('another address alone is no switch of the thesis', () => {
  const rttMs = sourceOf(true).plan.networks[0]!.profile.steps[0]!.rttMs;
  expect(thesisTables(sourceOf(true, rttMs))).toHaveLength(2);
});

test('sessions without a player have none of the tables', () => {
  const source = sourceOf(true);
  const sessions = source.sessions.map((each) => ({ ...each, values: { 'transfer-time': 500 } }));
  expect(thesisTables({ ...source, sessions })).toEqual([]);
});
