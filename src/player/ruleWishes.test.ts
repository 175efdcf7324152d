import { expect, test } from 'vitest';
import { loadRule, ruleWishes } from './ruleWishes.ts';

/** Rules that are loaded when a test says so. */
function wishing() {
  const used: string[] = [];
  const pending = new Map<string, () => void>();
  const given: (string | null | undefined)[] = [];
  const wishes = ruleWishes(
    { rule: 'neural:qoe=lin', weights: 'w' },
    {
      load(text, weights) {
        given.push(weights);
        return new Promise<string>((resolve) => pending.set(text, () => resolve(text)));
      },
      use: (picked) => void used.push(picked),
    },
  );
  return { ...wishes, used, given, loaded: (text: string) => pending.get(text)!() };
}

test('a rule that loads longer does not come after one that was picked later', async () => {
  const { useRule, loaded, used } = wishing();
  const wishes = [useRule('neural'), useRule('bola')];
  loaded('bola');
  loaded('neural');
  await Promise.all(wishes);
  expect(used).toEqual(['bola']);
});

test('weights of the start stay with their rule', async () => {
  const { useRule, loaded, given } = wishing();
  const wishes = [useRule('neural'), useRule('bola'), useRule('neural:guard=off', null)];
  for (const text of ['neural', 'bola', 'neural:guard=off']) loaded(text);
  await Promise.all(wishes);
  expect(given).toEqual(['w', undefined, null]);
});

test('after the end no rule is used: neither one that loads nor one picked later', async () => {
  const { useRule, loaded, used, end } = wishing();
  const wish = useRule('neural');
  end();
  loaded('neural');
  await wish;
  await expect(useRule('bola')).rejects.toThrow('Playback is over');
  expect(used).toEqual([]);
});

test('a text that names no rule is refused in one sentence', async () => {
  await expect(loadRule('magic')).rejects.toThrow('Unknown rule "magic"');
});
