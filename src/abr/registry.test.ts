import { describe, expect, it } from 'vitest';
import { faultsOf, pick } from '../shared/registry.ts';
import { checkedAnswer } from './answer.ts';
import { decidableRules } from './decidableRules.testing.ts';
import { abrRules } from './registry.ts';
import type { Parameters } from './rule.ts';
import { answersOf, contexts, eventsFor, frozen, stateAfter } from './ruleStories.testing.ts';
import { contextOf, ladderOf, momentOf } from './testMoments.testing.ts';

/** What every rule must satisfy, whatever it is: the contract of `rule.ts` as tests. */

describe('the registry of rules', () => {
  it('has at least one rule and no fault', () => {
    expect(abrRules.length).toBeGreaterThan(0);
    expect(faultsOf(abrRules)).toEqual([]);
  });

  it('says which rules there are when asked for another', () => {
    const known = abrRules.map(({ id }) => id).join(', ');
    expect(() => pick(abrRules, 'no-such-rule')).toThrow(`unknown id "no-such-rule"; known: ${known}`);
  });

  it('is tested whole: no rule stays out for want of weights', () => {
    expect(decidableRules.map(({ id }) => id)).toEqual(abrRules.map(({ id }) => id));
  });
});

describe.each(decidableRules.map((rule) => [rule.id, rule] as const))('the rule %s', (_, rule) => {
  it('names its paper, and its parameters can be logged', () => {
    expect(rule.paper.length).toBeGreaterThan(10);
    expect(JSON.parse(JSON.stringify(rule.parameters))).toEqual(rule.parameters);
  });

  it('answers with a rung of the ladder, a sentence and finite numbers, whatever is unknown', () => {
    for (const context of contexts)
      for (const { rungs, answer } of answersOf(rule, context)) {
        expect(checkedAnswer(answer, rungs)).toMatchObject({ ok: true });
        expect(answer.because).toMatch(/^[A-Z].*\.$/);
        for (const value of Object.values(answer.values ?? {}))
          expect(value === null || Number.isFinite(value)).toBe(true);
      }
  });

  it('gives the same answers to the same story', () => {
    for (const context of contexts) expect(answersOf(rule, context)).toEqual(answersOf(rule, context));
  });

  it('changes neither its state nor its arguments', () => {
    for (const context of contexts) {
      const free = answersOf(rule, context);
      // Module code is strict: writing to a frozen object throws. A typed array cannot be frozen, so states are compared.
      expect(answersOf(rule, frozen({ ...context }), frozen)).toEqual(free);
      let state = rule.start(context);
      for (const event of eventsFor(context)) {
        const before = JSON.stringify(state);
        rule.decide(state, frozen(momentOf()));
        const next = rule.observe(state, frozen(event));
        expect(JSON.stringify(state)).toBe(before);
        state = next;
      }
    }
  });

  it('has a state of plain data', () => {
    for (const context of contexts)
      answersOf(rule, context, (state) => expect(strangersIn(state)).toEqual([]));
  });

  it('has a state that does not grow: after 24 h of 2 s segments it is no larger than after 10 minutes', () => {
    const sizeAfter = (segments: number): number => JSON.stringify(stateAfter(rule, segments)).length;
    expect(sizeAfter(43_200)).toBeLessThanOrEqual(sizeAfter(300) * 1.5);
  });
});

const tunableRules = decidableRules.filter((rule) => rule.tuned);

describe.each(tunableRules.map((rule) => [rule.id, rule] as const))('the tunable rule %s', (_, rule) => {
  it('takes its parameters and no others', () => {
    const [context] = contexts.slice(-1);
    const same = rule.tuned!(rule.parameters);
    expect(same.parameters).toEqual(rule.parameters);
    expect(answersOf(same, context!)).toEqual(answersOf(rule, context!));
    expect(rule.tuned!({})).toMatchObject({ id: rule.id, label: rule.label, parameters: rule.parameters });
    const refusal = messageOf(() => rule.tuned!({ 'no-such-parameter': 1 }));
    expect(refusal).toBe(
      `The rule ${rule.id} has no parameter "no-such-parameter"; it has ${Object.keys(rule.parameters).join(', ')}.`,
    );
  });

  it('refuses a value of another type, in one sentence, and says so again when tuned', () => {
    for (const [name, value] of Object.entries(rule.parameters))
      for (const wrong of [NaN, Infinity, typeof value === 'string' ? 1 : 'much'])
        for (const each of [rule, rule.tuned!({})])
          expect(messageOf(() => each.tuned!({ [name]: wrong } as Parameters))).toContain(
            `The parameter ${name} of ${rule.id} is a ${typeof value}, not `,
          );
  });
});

/** Paths in a state to what JSON does not keep. A runner's lookups may be in it: a new runner brings its own. */
function strangersIn(value: unknown, path = 'state'): string[] {
  if (typeof value === 'function') return /\.(sizeBytes|sizesFrom)$/.test(path) ? [] : [path];
  if (typeof value === 'number' && !Number.isFinite(value)) return [`${path} is ${value}`];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  if (!isPlain(value)) return [`${path} is a ${value.constructor.name}`];
  return Object.entries(value).flatMap(([name, part]) => strangersIn(part, `${path}.${name}`));
}

const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

function messageOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return (error as Error).message;
  }
  return 'it was taken';
}

describe('a rule that misbehaves', () => {
  const bad = { ...abrRules[0]!, start: () => ({ list: new Map(), worst: -Infinity, fine: [1] }) };
  it('would be noticed', () => {
    expect(strangersIn(bad.start())).toEqual(['state.list is a Map', 'state.worst is -Infinity']);
    const context = frozen(contextOf(ladderOf(300)));
    expect(() => (context.ladder as unknown[]).push(1)).toThrow(TypeError);
  });
});
