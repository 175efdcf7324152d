import { expect, test } from 'vitest';
import { ruleLook } from '../ruleLook.ts';
import { sessionLooks } from './sessionLooks.ts';

const tones = (sessions: readonly (readonly [string | null, string | null])[]) =>
  sessionLooks(sessions.map(([rule, transport]) => ({ rule, transport }))).map(({ tone, dash }) =>
    `${tone} ${dash.join()}`.trim(),
  );

test('rules that differ have the colours of rules', () =>
  expect(
    tones([
      ['bola', 'h2'],
      ['throughput', 'h3-only'],
    ]),
  ).toEqual([ruleLook('bola').tone, ruleLook('throughput').tone]));

test('transports that differ under one rule have the colours of protocols', () =>
  expect(
    tones([
      ['bola', 'h1'],
      ['bola', 'h2'],
      ['bola', 'h3-only'],
    ]),
  ).toEqual(['protocol-h1', 'protocol-h2', 'protocol-h3']));

test('one colour twice is distinguished by its dash', () =>
  expect(
    tones([
      ['bola', 'h3-racing'],
      ['bola', 'h3-only'],
      ['bola', 'h2'],
    ]),
  ).toEqual(['protocol-h3', 'protocol-h3 6,3', 'protocol-h2']));

test('where nothing differs sessions have accents of their own', () =>
  expect(
    tones([
      ['bola', 'h2'],
      ['bola', 'h2'],
    ]),
  ).toEqual(['session-a', 'session-b']));

test('unknown is no rule and no protocol', () =>
  expect(
    tones([
      [null, 'h2'],
      ['bola', 'h2'],
    ])[0],
  ).toBe('ink-3'));

test('twenty sessions have the letters A to T', () => {
  const looks = sessionLooks(Array.from({ length: 20 }, () => ({ rule: 'bola', transport: 'h2' })));
  expect([looks[0]!.letter, looks[19]!.letter]).toEqual(['A', 'T']);
});
