import { describe, expect, it } from 'vitest';
import { abrRules } from '../abr/registry.ts';
import { faultsOf } from '../registry.ts';
import { codeOf } from '../registry.ts';
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
  it('are dash.js’ own and every one of ours, each with its own three letters', () => {
    expect(faultsOf(playerRules)).toEqual([]);
    expect(playerRules.map(({ id }) => id)).toEqual([
      'dynamic',
      'throughput',
      'bola',
      ...abrRules.map(({ id }) => id),
    ]);
    expect(new Set(playerRules.map(({ code }) => code)).size).toBe(playerRules.length);
    for (const { code } of playerRules) expect(code).toMatch(/^[A-Z0-9]{3}$/);
  });

  it.each([
    ['pitwall-throughput', 'PTH'],
    ['mpc', 'MPC'],
    ['bba-0', 'BB0'],
    ['robust-mpc', 'RMP'],
    ['sara', 'SAR'],
  ])('%s is %s', (id, code) => expect(codeOf(id)).toBe(code));
});

describe('what dash.js runs with a rule in charge', () => {
  it.each([
    { id: 'dynamic', playing: false, hybrid: 12, rules: ['throughputRule', 'bolaRule'] },
    { id: 'throughput', playing: false, hybrid: 12, rules: ['throughputRule'] },
    { id: 'bola', playing: false, hybrid: 12, rules: ['bolaRule'] },
    { id: 'dynamic', playing: true, hybrid: 12, rules: ['throughputRule', 'bolaRule'] },
    { id: 'throughput', playing: true, hybrid: Infinity, rules: ['throughputRule', 'bolaRule'] },
    { id: 'bola', playing: true, hybrid: 0, rules: ['throughputRule', 'bolaRule'] },
  ])('$id, playing $playing: $rules and what helps them', ({ id, playing, hybrid, rules }) => {
    const settings = settingsFor(id, playing);
    expect(on(settings)).toEqual([...rules, 'insufficientBufferRule']);
    expect(settings['hybridSwitchBufferTime']).toBe(hybrid);
  });

  it('is nothing of its own with a rule of ours', () => {
    expect(on(settingsFor('pitwall-throughput', false))).toEqual([]);
    expect(on(settingsFor('pitwall-throughput', true))).toEqual([]);
  });
});
