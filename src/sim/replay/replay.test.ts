import { describe, expect, it } from 'vitest';
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import type { Rule } from '../../abr/rule.ts';
import type { DecisionEvent, RuleInUseEvent, RuleInputEvent } from '../../telemetry/event.ts';
import { exampleDecision, exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import { checkSession } from '../../telemetry/schema/readSession.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { replay } from './replay.ts';

/** Lists its inputs and the question; its rung is the number of downloads it received, up to 2. */
const diary: Rule<readonly string[]> = {
  id: 'diary',
  label: 'Diary',
  paper: 'none: made for this test',
  parameters: {},
  start: ({ mediaType, live, seed, ladder, segmentMs }) => [
    `${mediaType} ${live ? 'live' : 'vod'} seed ${seed} ${ladder.length} x ${segmentMs}`,
  ],
  observe: (state, event) => [...state, event.kind],
  decide: (state, moment) => ({
    rung: Math.min(2, state.filter((each) => each === 'download').length),
    because: `${state.join(', ')}; segment ${moment.segment}, left ${moment.segmentsLeft}`,
    values: { inputs: state.length },
  }),
};

const ladder = [300, 750, 1200].map((bitrateKbps) => ({ bitrateKbps, width: null, height: null }));
const input = (id: string, atMs: number, event: RuleInputEvent['input']): RuleInputEvent => ({
  kind: 'rule-input',
  id,
  atMs,
  missing: {},
  mediaType: 'video',
  input: event,
});
const ladderInput = (id: string, atMs: number): RuleInputEvent =>
  input(id, atMs, { kind: 'ladder', atMs, ladder, segmentMs: 4000 });
const downloadInputAt = (id: string, atMs: number): RuleInputEvent =>
  input(id, atMs, {
    kind: 'download',
    mediaType: 'video',
    segment: 0,
    rung: 0,
    bitrateKbps: 300,
    sizeBytes: 100_000,
    startMs: atMs - 100,
    firstByteMs: null,
    lastByteMs: atMs,
    protocol: 'h3',
    connectionReused: true,
    aborted: false,
  });
const decision = (id: string, atMs: number, over: Partial<DecisionEvent> = {}): DecisionEvent =>
  exampleDecision({ id, atMs, rule: 'diary', rung: 0, requestId: null, ...over });
const ruleUsed = (id: string, atMs: number, over: Partial<RuleInUseEvent> = {}): RuleInUseEvent => ({
  kind: 'rule',
  id,
  atMs,
  rule: 'diary',
  parameters: {},
  missing: {},
  ...over,
});
const logOf = (...events: SessionEvent[]): SessionLog => ({ ...exampleLog({ segments: 0 }), events });
const because = (log: SessionLog): string[] => replay(log, diary).decisions.map((each) => each.because);

describe('replaying the inputs of a rule', () => {
  it('asks where the decision was made, though it was written after further inputs', () => {
    const log = logOf(
      ruleUsed('u1', 0),
      ladderInput('t1', 100),
      downloadInputAt('t2', 300),
      decision('d1', 100, { inputId: 't1', rung: 0 }),
      decision('d2', 300, { inputId: 't2', rung: 1 }),
    );
    const { decisions, identical, derived } = replay(log, diary);
    expect(decisions.map(({ id, rung, agrees, input }) => [id, rung, agrees, input])).toEqual([
      ['d1', 0, true, 'recorded'],
      ['d2', 1, true, 'recorded'],
    ]);
    expect([identical, derived]).toEqual([2, 0]);
    expect(decisions[1]).toMatchObject({ bitrateKbps: 750, recordedRung: 1, values: { inputs: 3 } });
  });

  it('goes by the time where the log does not name the last input; a pause arrives with the question', () => {
    const pause = input('t2', 500, { kind: 'idle', atMs: 200, durationMs: 250 });
    const log = logOf(
      ladderInput('t1', 100),
      pause,
      downloadInputAt('t3', 600),
      decision('d1', 100),
      decision('d2', 450),
      decision('d3', 600),
    );
    expect(replay(log, diary).decisions.map(({ values }) => values['inputs'])).toEqual([2, 3, 4]);
  });

  it('starts a new rule runner when another rule takes over, with the seed and stream type of that moment', () => {
    const log = logOf(
      { ...exampleLog().events.find(({ kind }) => kind === 'manifest')!, type: 'dynamic' } as SessionEvent,
      ruleUsed('u1', 0, { seed: 7 }),
      ladderInput('t1', 100),
      downloadInputAt('t2', 200),
      decision('d1', 210, { inputId: 't2' }),
      ruleUsed('u2', 300),
      // Decided under the first rule, written under the second.
      decision('d2', 290, { inputId: 't2' }),
      ladderInput('t3', 400),
      decision('d3', 400, { inputId: 't3' }),
    );
    expect(because(log).map((each) => each.split(';')[0])).toEqual([
      'video live seed 7 3 x 4000, ladder, download',
      'video live seed 7 3 x 4000, ladder, download',
      'video live seed 1 3 x 4000, ladder',
    ]);
  });

  it('says so where the log has no ladder, and goes on', () => {
    const log = logOf(downloadInputAt('t1', 100), decision('d1', 200), ladderInput('t2', 300));
    expect(replay(log, diary).decisions).toMatchObject([
      {
        rung: null,
        agrees: false,
        fault: 'The log does not say what there was to choose from at this decision.',
      },
    ]);
  });
});

describe('a rule that fails in a replay', () => {
  const log = logOf(
    ladderInput('t1', 100),
    decision('d1', 100, { inputId: 't1', rung: 1 }),
    downloadInputAt('t2', 200),
    decision('d2', 210, { inputId: 't2' }),
  );
  const failing = (over: Partial<Rule<readonly string[]>>): Rule => ({ ...diary, ...over }) as Rule;

  it('has its sentence at the decision, with what the player would have done, and the replay goes on', () => {
    const odd = failing({
      decide: (state) => {
        if ((state as string[]).includes('download')) return { rung: 1, because: 'Fine.' };
        throw new Error('boom');
      },
    });
    expect(replay(log, odd).decisions).toMatchObject([
      {
        rung: 1,
        because: 'The rule failed (boom), so playback stays on level 2.',
        fault: 'The rule diary failed: boom.',
        agrees: true,
      },
      { rung: 1, because: 'Fine.', fault: null },
    ]);
  });

  it('is a fault too when it answers what is no rung', () => {
    const outside = failing({ decide: () => ({ rung: 3, because: 'Up.' }) });
    expect(replay(log, outside).decisions[0]?.fault).toBe(
      'The rule diary failed: it returned the index 3, but the levels have the indices 0 to 2.',
    );
  });

  it('that throws at an event receives the next one', () => {
    const picky = failing({
      observe: () => {
        throw new Error('no thanks');
      },
    });
    const { decisions, faults } = replay(log, picky);
    expect(faults).toEqual(['The rule diary failed: no thanks.']);
    expect(decisions.map(({ fault }) => fault)).toEqual([null, null]);
  });

  it('and that cannot start fails at each decision', () => {
    const early = failing({
      start: () => {
        throw new Error('no weights');
      },
    });
    expect(replay(log, early).decisions.map(({ fault }) => fault)).toEqual([
      'The rule diary failed: no weights.',
      'The rule diary failed: no weights.',
    ]);
  });
});

describe('replaying a session of dash.js’ own rules', () => {
  /** As dash.js leaves it: its own rules receive no segment number. */
  const dashLog = (options: Parameters<typeof exampleLog>[0]): SessionLog => {
    const log = exampleLog(options);
    const unnumbered = (event: SessionEvent): SessionEvent =>
      event.kind === 'decision'
        ? { ...event, moment: { ...event.moment, segment: null, segmentsLeft: null } }
        : event;
    return { ...log, events: log.events.map(unnumbered) };
  };

  it('gives the rule what one of ours would have received, and says that it was derived', () => {
    const { decisions, derived } = replay(dashLog({ segments: 3 }), diary);
    expect(derived).toBe(3);
    expect(decisions.map((each) => each.because)).toEqual([
      'video vod seed 1 3 x 2000, ladder; segment 0, left 30',
      'video vod seed 1 3 x 2000, ladder, download, idle; segment 1, left 30',
      'video vod seed 1 3 x 2000, ladder, download, idle, download, idle; segment 2, left 30',
    ]);
    expect(decisions.map(({ agrees, recordedRule }) => [agrees, recordedRule])).toEqual([
      [false, 'ThroughputRule'],
      [true, 'ThroughputRule'],
      [false, 'ThroughputRule'],
    ]);
  });

  it('reports stalls when they end, seeks when they begin, and audio to both', () => {
    const extra: SessionEvent[] = [
      { kind: 'stall', id: 's1', atMs: 2000, playheadMs: 0, durationMs: 500, missing: {} },
      { kind: 'seek', id: 'k1', atMs: 2050, fromMs: 0, toMs: 9000, waitMs: 10, missing: {} },
      exampleRequest({ id: 'r9', mediaType: 'audio', atMs: 2060, endMs: 2090, lastByteMs: 2090 }),
    ];
    const [, second, third] = because(dashLog({ segments: 3, extra }));
    expect(second).toBe(
      'video vod seed 1 3 x 2000, ladder, download, seek, download, idle; segment 1, left 30',
    );
    expect(third).toContain('download, idle, download, stall, idle;');
  });

  it('knows from a rule that took over only what was lately', () => {
    const log = dashLog({ segments: 60 });
    const at = log.events.findIndex(({ id }) => id === 'd56');
    const events = log.events.toSpliced(at, 0, ruleUsed('u1', log.events[at]!.atMs, { rule: 'dynamic' }));
    const { decisions } = replay({ ...log, events }, diary);
    expect(decisions[54]?.values['inputs']).toBe(2 + 54 * 2);
    expect(decisions[55]?.values['inputs']).toBe(2 + 40 + 1);
  });

  it.each(decidableRules.map((rule) => [rule.id, rule] as const))(
    '%s answers every decision of a session that another rule played',
    (_, rule) => {
      const log = dashLog({ segments: 40 });
      expect(checkSession(log).ok).toBe(true);
      const { decisions, faults } = replay(log, rule);
      expect(faults).toEqual([]);
      expect(decisions.map(({ fault }) => fault).filter((fault) => fault !== null)).toEqual([]);
      expect(decisions).toHaveLength(40);
    },
  );
});
