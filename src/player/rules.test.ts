import { describe, expect, it } from 'vitest';
import { abrRules } from '../abr/registry.ts';
import { faultsOf } from '../shared/registry.ts';
import { playerRules } from './rules.ts';
import { abrSettingsFor } from './ruleSwitch.ts';

const shipped = {
  active: { throughputRule: true, bolaRule: true, insufficientBufferRule: true, abandonRequestsRule: false },
  hybridSwitchBufferTime: 12,
};
const settingsFor = (id: string, playing: boolean) =>
  abrSettingsFor(
    playerRules.find((rule) => rule.id === id)!,
    shipped,
    playing,
  );
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

  it('is nothing of its own with a rule of ours', () => {
    expect(on(settingsFor('throughput', false))).toEqual([]);
    expect(on(settingsFor('throughput', true))).toEqual([]);
  });
});
