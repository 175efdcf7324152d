import { expect, test } from 'vitest';
import type { DecisionEvent, Draft } from '../event.ts';
import { exampleDecision } from '../exampleLog.testing.ts';
import { createPendingDecisions } from './pendingDecisions.ts';

test('a decision is recorded with the request it led to', () => {
  const { decisions, recorded } = pending();
  decisions.decide(decision('video'));
  expect(recorded).toEqual([]);
  expect(decisions.link('video', { id: 'r7', segment: 3 })).toBe(true);
  expect(recorded).toMatchObject([{ requestId: 'r7', segment: 3, missing: {} }]);
  expect(recorded[0]?.missing).not.toHaveProperty('segment');
});

test('a segment that the rule received stays', () => {
  const { decisions, recorded } = pending();
  decisions.decide({ ...decision('video'), segment: 5, missing: {} });
  decisions.link('video', { id: 'r7', segment: 3 });
  expect(recorded[0]?.segment).toBe(5);
});

test('audio and video wait apart', () => {
  const { decisions, recorded } = pending();
  decisions.decide(decision('video'));
  expect(decisions.link('audio', { id: 'r1', segment: 0 })).toBe(false);
  expect(recorded).toEqual([]);
});

test('a newer decision lets the older one go', () => {
  const { decisions, recorded } = pending();
  decisions.decide({ ...decision('video'), because: 'first' });
  decisions.decide({ ...decision('video'), because: 'second' });
  expect(recorded).toMatchObject([
    { because: 'first', requestId: null, missing: { requestId: 'not-applicable' } },
  ]);
  decisions.link('video', { id: 'r2', segment: 1 });
  expect(recorded[1]).toMatchObject({ because: 'second', requestId: 'r2' });
});

test('a seek or the end lets all go, once', () => {
  const { decisions, recorded } = pending();
  decisions.decide(decision('video'));
  decisions.decide(decision('audio'));
  decisions.release();
  decisions.release();
  expect(recorded.map(({ requestId }) => requestId)).toEqual([null, null]);
});

test('the same answer to a question asked again is one decision, the newest', () => {
  const { decisions, recorded } = pending();
  for (const atMs of [1, 2, 3]) decisions.decideAgain({ ...decision('video'), atMs });
  decisions.decideAgain({ ...decision('video'), atMs: 4, rung: 0 });
  decisions.link('video', { id: 'r1', segment: 1 });
  expect(recorded).toMatchObject([
    { atMs: 3, requestId: null },
    { atMs: 4, rung: 0, requestId: 'r1' },
  ]);
});

function pending() {
  const recorded: Draft<DecisionEvent>[] = [];
  return { recorded, decisions: createPendingDecisions((draft) => void recorded.push(draft)) };
}

function decision(mediaType: DecisionEvent['mediaType']) {
  return exampleDecision({ mediaType, segment: null, missing: { segment: 'not-supported' } });
}
