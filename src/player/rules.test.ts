import { describe, expect, it, test } from 'vitest';
import { tunableRule } from '../abr/parameters.ts';
import { abrRules } from '../abr/registry.ts';
import { plainRule } from '../abr/plainRule.testing.ts';
import type { Rule } from '../abr/rule.ts';
import { faultsOf } from '../shared/registry.ts';
import { ok } from '../shared/result.ts';
import { leaveRateTo, streamingSettingsFor } from './bridge/ruleSwitch.ts';
import { formatRule, pickedRule, playerRules, type PickableRule } from './rules.ts';

const shipped = {
  active: {
    throughputRule: true,
    bolaRule: true,
    insufficientBufferRule: true,
    abandonRequestsRule: false,
    l2ARule: false,
    loLPRule: false,
  },
  hybridSwitchBufferTime: 12,
  catchupMode: 'liveCatchupModeStep',
  catchupEnabled: null,
};
const streamingFor = (id: string, playing: boolean) =>
  streamingSettingsFor(
    playerRules.find((rule) => rule.id === id)!,
    shipped,
    playing,
  );
const settingsFor = (id: string, playing: boolean) => streamingFor(id, playing).abr;
const on = (settings: ReturnType<typeof settingsFor>): string[] =>
  Object.entries(settings['rules'] as Record<string, { active: boolean }>)
    .filter(([, { active }]) => active)
    .map(([name]) => name);

describe('the rules that can be picked', () => {
  it('are dash.js’ own, said so in the id, and every one of ours', () => {
    expect(faultsOf(playerRules)).toEqual([]);
    expect(playerRules.map(({ id }) => id)).toEqual([
      'dashjs-dynamic',
      'dashjs-throughput',
      'dashjs-bola',
      'dashjs-l2a',
      'dashjs-lolp',
      ...abrRules.map(({ id }) => id),
    ]);
  });
});

describe('what dash.js runs with a rule in charge', () => {
  it.each([
    { id: 'dashjs-dynamic', playing: false, hybrid: 12, rules: ['throughputRule', 'bolaRule'] },
    { id: 'dashjs-throughput', playing: false, hybrid: 12, rules: ['throughputRule'] },
    { id: 'dashjs-bola', playing: false, hybrid: 12, rules: ['bolaRule'] },
    { id: 'dashjs-dynamic', playing: true, hybrid: 12, rules: ['throughputRule', 'bolaRule'] },
    { id: 'dashjs-throughput', playing: true, hybrid: Infinity, rules: ['throughputRule', 'bolaRule'] },
    { id: 'dashjs-bola', playing: true, hybrid: 0, rules: ['throughputRule', 'bolaRule'] },
  ])('$id, playing $playing: $rules and what helps them', ({ id, playing, hybrid, rules }) => {
    const settings = settingsFor(id, playing);
    expect(on(settings)).toEqual([...rules, 'insufficientBufferRule']);
    expect(settings['hybridSwitchBufferTime']).toBe(hybrid);
  });

  it.each([
    { id: 'dashjs-l2a', rule: 'l2ARule', mode: 'liveCatchupModeDefault' },
    { id: 'dashjs-lolp', rule: 'loLPRule', mode: 'liveCatchupModeLoLP' },
  ])('$id: its rule alone, before and during play, with the catch-up mode $mode', ({ id, rule, mode }) => {
    for (const playing of [false, true]) {
      expect(on(settingsFor(id, playing))).toEqual([rule]);
      expect(streamingFor(id, playing).liveCatchup).toEqual({ mode });
    }
  });

  it('leaves the catch-up mode as the preset has it with all others', () => {
    for (const id of ['dashjs-dynamic', 'throughput'])
      expect(streamingFor(id, true).liveCatchup).toEqual({ mode: 'liveCatchupModeStep' });
  });

  it('is nothing of its own with a rule of ours', () => {
    expect(on(settingsFor('throughput', false))).toEqual([]);
    expect(on(settingsFor('throughput', true))).toEqual([]);
  });
});

test('dash.js’ catch-up is off while a rule sets the playback rate, and is set only where it changes', () => {
  let enabled: boolean | null = null;
  const changes: (boolean | null)[] = [];
  const player = {
    getSettings: () => ({ streaming: { liveCatchup: { enabled } } }),
    updateSettings({ streaming }: { streaming: { liveCatchup: { enabled: boolean | null } } }) {
      ({ enabled } = streaming.liveCatchup);
      changes.push(enabled);
    },
  } as unknown as Parameters<typeof leaveRateTo>[0];
  const sets: Rule = { ...plainRule, setsPlaybackRate: true };
  for (const rule of [plainRule, sets, sets, null, plainRule])
    leaveRateTo(player, rule, { catchupEnabled: null });
  expect(changes).toEqual([false, null]);
});

const tuned: Rule = tunableRule({ rung: 0, careful: true }, (parameters) => ({
  id: 'mine',
  label: 'Mine',
  paper: 'none: made for this test',
  start: () => null,
  observe: (state) => state,
  decide: () => ({ rung: parameters.rung, because: 'Because.' }),
}));
const rules: PickableRule[] = [
  {
    id: 'dashjs-bola',
    label: 'BOLA',
    rule: null,
    builtIns: { kind: 'hybrid', throughputRule: false, bolaRule: true },
  },
  ...[tuned, plainRule].map((rule) => ({ id: rule.id, label: rule.label, rule, builtIns: null })),
];

const parametersOf = (text: string): unknown => {
  const picked = pickedRule(text, rules);
  return picked.ok ? picked.value.rule?.parameters : picked.error;
};

describe('what a rule text means', () => {
  it('is a rule of dash.js, or one of ours with its parameters', () => {
    expect(pickedRule('dashjs-bola', rules)).toEqual(ok(rules[0]));
    expect(parametersOf('mine')).toEqual({ rung: 0, careful: true });
    expect(parametersOf('mine:rung=3')).toEqual({ rung: 3, careful: true });
    expect(parametersOf('mine:careful=false:rung=1')).toEqual({ rung: 1, careful: false });
  });

  it.each([
    ['magic', 'Unknown rule "magic"; known: dashjs-bola, mine, plain.'],
    ['', 'Unknown rule ""; known: dashjs-bola, mine, plain.'],
    [
      'dashjs-bola:gp=5',
      'The rule dashjs-bola is a part of dash.js: its parameters are those of the preset.',
    ],
    ['mine:rungs=3', 'The rule mine has no parameter "rungs"; it has rung, careful.'],
    ['mine:rung=high', 'The parameter rung of mine is a number, not "high".'],
    ['mine:rung', '"rung" in "mine:rung" is no setting: write name=value.'],
    ['plain:a=1', 'The rule plain has no parameters to set.'],
  ])('"%s" is refused: %s', (text, sentence) => expect(parametersOf(text)).toBe(sentence));
});

it.each([
  ['dashjs-bola', { bufferTimeDefaultS: 20 }, 'dashjs-bola'],
  ['fixed', { level: 1 }, 'fixed'],
  ['fixed', { level: 4 }, 'fixed:level=4'],
  ['fixed', null, 'fixed'],
  ['not-there', { a: 1 }, 'not-there'],
])('%s with %j was asked for as %s', (id, parameters, text) => {
  expect(formatRule(id, parameters)).toBe(text);
});

it('leads back to the same parameters', () => {
  const picked = pickedRule(formatRule('fixed', { level: 3 }));
  expect(picked.ok && picked.value.rule?.parameters).toEqual({ level: 3 });
});
