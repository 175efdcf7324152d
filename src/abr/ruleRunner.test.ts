import { describe, expect, it } from 'vitest';
import type { Rule, RuleContext, RuleEvent } from './rule.ts';
import { createRuleRunner, type RuleRunner } from './ruleRunner.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from './testMoments.ts';

/** Answers with the kinds of the events so far, and what it can look up of segment 0; throws on `throwsOn`. */
const spy = (throwsOn: string | null = null): Rule => ({
  id: 'spy',
  label: 'Spy',
  paper: 'none, a rule of this test',
  parameters: {},
  start(context) {
    if (throwsOn === 'start') throw new Error('cannot start');
    return { context, kinds: [] };
  },
  observe(state, event) {
    const { context, kinds } = state as { context: RuleContext; kinds: string[] };
    if (event.kind === throwsOn) throw new Error(`cannot digest ${event.kind}`);
    const known = `${event.kind}:${context.sizeBytes(0, 0)}/${context.sizesFrom()}`;
    return { context, kinds: [...kinds, known] };
  },
  decide(state) {
    if (throwsOn === 'decide') throw new Error('cannot decide');
    return { rung: 0, because: (state as { kinds: string[] }).kinds.join(' ') };
  },
});

const sizes: RuleEvent = {
  kind: 'sizes',
  atMs: 0,
  from: 'head',
  rung: 0,
  firstSegment: 0,
  sizesBytes: [42],
};
const ladder: RuleEvent = { kind: 'ladder', atMs: 0, ladder: ladderOf(300), segmentMs: 2000 };

function running(throwsOn: string | null = null): { runner: RuleRunner; faults: string[] } {
  const faults: string[] = [];
  const onFault = (fault: unknown): void => void faults.push((fault as Error).message);
  return { runner: createRuleRunner(spy(throwsOn), contextOf(ladderOf(300)), onFault), faults };
}
const input = ({ runner }: { runner: RuleRunner }, ...events: RuleEvent[]): unknown => {
  for (const event of events) runner.tell(event);
  return runner.ask(momentOf()).because;
};

describe('a rule at work', () => {
  it('is asked before it receives an event', () => {
    expect(input(running())).toBe('');
  });

  it('looks up sizes before it receives their event, and none before it receives a new ladder', () => {
    expect(input(running(), downloadOf(1), sizes, ladder, sizes)).toBe(
      'download:null/null sizes:42/head ladder:null/null sizes:42/head',
    );
  });

  it('keeps its state when it cannot digest an event, reports it once, and goes on', () => {
    const at = running('stall');
    const stall: RuleEvent = { kind: 'stall', atMs: 0, durationMs: 1 };
    expect(input(at, downloadOf(1), stall, downloadOf(1))).toBe('download:null/null download:null/null');
    expect(at.faults).toEqual(['cannot digest stall']);
  });

  it('does not lose sizes over a rule that cannot digest them', () => {
    const at = running('sizes');
    expect(input(at, sizes, downloadOf(1))).toBe('download:42/head');
    expect(at.faults).toEqual(['cannot digest sizes']);
  });

  it('reports a start that throws on an event, and throws it when asked', () => {
    const at = running('start');
    at.runner.tell(downloadOf(1));
    expect(at.faults).toEqual(['cannot start']);
    expect(() => at.runner.ask(momentOf())).toThrow('cannot start');
  });

  it('throws what a decision throws, and stays usable', () => {
    const at = running('decide');
    expect(() => at.runner.ask(momentOf())).toThrow('cannot decide');
    at.runner.tell(downloadOf(1));
    expect(at.faults).toEqual([]);
  });
});
