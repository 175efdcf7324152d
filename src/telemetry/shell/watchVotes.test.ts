import { expect, test, vi } from 'vitest';
import type { MediaPlayerClass, RulesContext } from 'dashjs';
import { watchVotes } from './watchVotes.ts';

type Extension = (this: { parent: object }) => object;

const context = {} as RulesContext;
const wish = { representation: { id: 'v1', bandwidth: 5e5 }, reason: null };

/** A player, and its rules as dash.js makes them: FactoryMaker keeps the first extension, and merges it. */
function extensible(best: () => object = () => wish) {
  let extension: Extension = () => ({});
  let isExtended = false;
  const player = {
    extend(_name: string, child: Extension) {
      if (!isExtended) extension = child;
      isExtended = true;
    },
  } as unknown as MediaPlayerClass;
  return {
    player,
    makeRules() {
      const parent = {
        getQualitySwitchRules: () => [],
        getBestPossibleSwitchRequest: (_context: RulesContext) => best(),
        shouldAbandonFragment: () => wish,
      };
      return Object.assign(parent, extension.call({ parent }));
    },
  };
}

const listener = () => ({ onQuestion: vi.fn(), onRuleFault: vi.fn() });

test('a recorder that comes after another one of the same player sees the votes', () => {
  const { player, makeRules } = extensible();
  const [first, second] = [listener(), listener()];
  watchVotes(player, first).stop();
  const votes = watchVotes(player, second);
  expect(votes.areSeen()).toBe(false);
  expect(makeRules().getBestPossibleSwitchRequest(context)).toBe(wish);
  expect(votes.areSeen()).toBe(true);
  expect(second.onQuestion).toHaveBeenCalledOnce();
  expect(first.onQuestion).not.toHaveBeenCalled();
});

test('two recorders at once see the same questions, until they stop', () => {
  const { player, makeRules } = extensible();
  const [first, second] = [listener(), listener()];
  const votes = watchVotes(player, first);
  watchVotes(player, second);
  const rules = makeRules();
  rules.shouldAbandonFragment();
  votes.stop();
  rules.getBestPossibleSwitchRequest(context);
  expect(first.onQuestion).toHaveBeenCalledTimes(1);
  expect(second.onQuestion.mock.calls.map(([{ abandons }]) => abandons)).toEqual([true, false]);
});

test('a recorder that fails does not take the answer from dash.js', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { player, makeRules } = extensible();
  const failing = {
    ...listener(),
    onQuestion() {
      throw new Error('broken');
    },
  };
  watchVotes(player, failing);
  expect(makeRules().getBestPossibleSwitchRequest(context)).toBe(wish);
  expect(failing.onRuleFault).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('what a rule throws is seen, and reaches dash.js', () => {
  const fault = new Error('no segment');
  const { player, makeRules } = extensible(() => {
    throw fault;
  });
  const { onQuestion, onRuleFault } = listener();
  watchVotes(player, { onQuestion, onRuleFault });
  expect(() => makeRules().getBestPossibleSwitchRequest(context)).toThrow(fault);
  expect(onRuleFault).toHaveBeenCalledWith(context, fault);
  expect(onQuestion).not.toHaveBeenCalled();
});
