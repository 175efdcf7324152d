import { expect, it, test } from 'vitest';
import { GateFile, usualGate } from './gateFile.ts';
import { formatReach, gateDesign } from './gateDesign.ts';
import { gateCampaign, readGate, type GateArms } from './readGate.ts';
import { networksOf } from './networks.ts';
import { planCampaign } from './planCampaign.ts';
import { valueOf } from '../../src/shared/result.ts';

const known = {
  faultOfRule: (text: string) => (text === 'magic' ? 'Unknown rule "magic"; known: dashjs-bola.' : null),
  faultOfPreset: (text: string) =>
    ['experiment', 'as-shipped'].includes(text) ? null : `Unknown preset "${text}".`,
  contents: [{ id: 'demo', seconds: 72 }],
  browsers: [],
};
const read = (changes: Record<string, unknown>) =>
  readGate(JSON.stringify({ schema: 'pitwall-gate/1', ...changes }), { name: 'g.json', known });

test('what a file leaves out is as usual', () => {
  expect(read({})).toEqual({ ok: true, value: usualGate });
  expect(read({ minutes: 5 })).toEqual({ ok: true, value: { ...usualGate, minutes: 5 } });
});

test('docs/gate.schema.json is what the schema says', async () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...GateFile };
  await expect(`${JSON.stringify(schema, null, 1)}\n`).toMatchFileSnapshot('../../docs/gate.schema.json');
});

it.each<[Record<string, unknown>, string]>([
  [{ schema: 'pitwall-gate/2' }, '/schema should be "pitwall-gate/1", but it is "pitwall-gate/2".'],
  [{ budget: 5 }, '/budget is not a field of a gate.'],
  [{ rule: 'magic' }, '/rule: Unknown rule "magic"; known: dashjs-bola.'],
  [{ metrics: [] }, '/metrics should be a list of 1 to 10 entries, but it is a list.'],
  [{ metrics: [{ metric: 'bitrate', margin: 1 }] }, '/metrics/0/metric: Unknown metric "bitrate"; known: '],
  [
    { metrics: [{ metric: 'tcp-share', margin: 1 }] },
    '/metrics/0/metric: The metric tcp-share has no better direction',
  ],
  [
    {
      metrics: [
        { metric: 'switches', margin: 1 },
        { metric: 'transfer-time', margin: 1 },
      ],
    },
    '/metrics/1/metric: The metric transfer-time is of transfers, and a gate plays streams; known: ',
  ],
  [
    { metrics: [{ metric: 'mean-bitrate' }] },
    '/metrics/0: Give either "margin", in the unit of the metric, or',
  ],
  [
    { metrics: [{ metric: 'rebuffer-rate', marginPercent: 5 }] },
    '/metrics/0/marginPercent: The metric rebuffer-rate can be 0 or below, so it has no ratio',
  ],
  [
    {
      metrics: [
        { metric: 'switches', margin: 1 },
        { metric: 'switches', margin: 2 },
      ],
    },
    '/metrics/1: switches is listed twice.',
  ],
  [{ profiles: ['dlv'] }, '/profiles/0: Unknown profile "dlv"'],
  [{ contents: ['demo'], seconds: 100 }, '/contents/0: demo is 72 s long, too short for sessions of 100 s.'],
])('%j', (changes, sentence) => {
  const result = read(changes);
  expect(result.ok ? 'no error' : result.error).toContain(`g.json: ${sentence}`);
});

const arms: GateArms = { rules: ['bola', 'fixed:level=1'], compare: 'rules' };
const planOf = (changes: Partial<typeof usualGate>) => {
  const campaign = gateCampaign({ ...usualGate, ...changes }, arms, 1);
  return valueOf(planCampaign(campaign, networksOf(campaign)));
};
const designOf = (changes: Partial<typeof usualGate>, workers: number) =>
  gateDesign({ ...usualGate, ...changes }, planOf(changes), workers);

test('a budget becomes pairs and looks, each with every network', () => {
  // 900 s less 60 for starts, by 2 × (2 + 25 + 5) s: 13 pairs, which are 6 rounds of two networks.
  expect(designOf({ minutes: 15 }, 1)).toEqual({
    ok: true,
    value: { pairs: 12, looks: [4, 8, 12], rounds: 6, pairMs: 64_000 },
  });
  expect(designOf({ minutes: 15 }, 4)).toMatchObject({
    value: { pairs: 52, looks: [12, 24, 36, 48, 52] },
  });
});

test('the usual budget has time for the pairs that rule rare faults out, and a shorter one says that it has not', () => {
  const reachOf = (changes: Partial<typeof usualGate>) =>
    formatReach({ ...usualGate, ...changes }, valueOf(designOf(changes, 1)), 1);
  expect(designOf({}, 1)).toMatchObject({ value: { pairs: 82, looks: [18, 36, 54, 72, 82] } });
  expect(reachOf({})).toEqual([]);
  expect(reachOf({ minutes: 15, rareShare: 0.23 })).toEqual([]);
  expect(reachOf({ minutes: 15 })).toEqual([
    '12 pairs can show a regression, but not that rare faults are absent, so that NEW cannot pass: "rareShare": 0.05 needs 59 pairs (1 h 3 min with 1 at once), and 12 pairs allow "rareShare": 0.221 or more.',
  ]);
});

test('a budget without time for a verdict is one sentence', () => {
  expect(designOf({ minutes: 5 }, 1)).toEqual({
    ok: false,
    error:
      'A budget of 5 min is too small: a verdict needs at least 8 pairs, which take 9 min 32 s with 1 at once.',
  });
});

test('an alpha that no test could reach is one sentence', () => {
  expect(designOf({ alpha: 0.003 }, 1)).toEqual({
    ok: false,
    error: 'An alpha of 0.003 is too small: 4 tests share it, and each needs at least 0.001.',
  });
  expect(designOf({ alpha: 0.004, minutes: 60 }, 1)).toMatchObject({ ok: true });
});

test('pages are a part of arms, and make other sessions', () => {
  const pages = [
    { name: 'base', page: 'dashjs@5.0.3' },
    { name: 'new', page: 'built' },
  ];
  const campaign = gateCampaign(usualGate, { rules: ['dashjs-dynamic'], compare: 'pages', pages }, 1);
  const { sessions } = valueOf(planCampaign(campaign, networksOf(campaign)));
  expect(sessions.map(({ page }) => page).sort()).toEqual(['base', 'base', 'new', 'new']);
  expect(new Set(sessions.map(({ design }) => design.arm))).toEqual(
    new Set(['dashjs-dynamic/h3-racing/base', 'dashjs-dynamic/h3-racing/new']),
  );
});
