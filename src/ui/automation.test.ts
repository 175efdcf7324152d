import { expect, test } from 'vitest';
import { expose, type Automation } from './automation.ts';

const own = { session: () => Promise.resolve('own') } as unknown as Automation;
const foreign = (): Promise<string> => Promise.resolve('foreign');
expose(own);

/** Code in strict mode, as modules are, throws; other code goes on, without an effect. */
const tryTo = (change: () => void): void => {
  try {
    change();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
  }
};

test.each<[string, () => void]>([
  ['another method', () => void (globalThis.pitwall!.session = foreign)],
  ['another object', () => void (globalThis.pitwall = { ...own, session: foreign })],
  [
    'a getter',
    () => void Object.defineProperty(globalThis, 'pitwall', { get: () => ({ session: foreign }) }),
  ],
  ['a getter of the method', () => void Object.defineProperty(own, 'session', { get: () => foreign })],
  [
    'no object, then another',
    () => {
      Reflect.deleteProperty(globalThis, 'pitwall');
      globalThis.pitwall = { ...own, session: foreign };
    },
  ],
  ['a prototype', () => void Object.setPrototypeOf(own, { session: foreign })],
])('a script of the page cannot put %s in the place of what the lab asks', async (_, change) => {
  tryTo(change);
  expect(await globalThis.pitwall!.session()).toBe('own');
});
