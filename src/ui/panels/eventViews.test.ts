import { expect, it } from 'vitest';
import { ruleLook } from '../../charts/ruleLook.ts';
import { playerRules } from '../../player/rules.ts';

/** The parts that dash.js' own rules vote with. */
const PARTS = [
  'ThroughputRule',
  'BolaRule',
  'InsufficientBufferRule',
  'SwitchHistoryRule',
  'AbandonRequestsRule',
];

it('each rule that can be picked, and each part of dash.js, has its own three letters', () => {
  const own = playerRules.filter(({ id }) => id !== 'dashjs-throughput' && id !== 'dashjs-bola');
  const ids = [...own.map(({ id }) => id), ...PARTS];
  for (const id of ids) expect(ruleLook(id).code).toMatch(/^[A-Z0-9]{3}$/);
  const sharing = ids.filter((id) =>
    ids.some((other) => other !== id && ruleLook(other).code === ruleLook(id).code),
  );
  expect(sharing).toEqual([]);
});

it('dash.js’ rule and its one part are written alike', () => {
  expect(ruleLook('dashjs-bola')).toEqual(ruleLook('BolaRule'));
  expect(ruleLook('dashjs-throughput')).toEqual(ruleLook('ThroughputRule'));
  expect(ruleLook('dashjs-l2a')).toEqual(ruleLook('L2ARule'));
  expect(ruleLook('dashjs-lolp')).toEqual(ruleLook('LoLPRule'));
});
