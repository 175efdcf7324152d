import type { Rule } from '../../abr/rule.ts';
import type { Draft, EventOf } from '../../telemetry/event.ts';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import { createRecorder } from '../../telemetry/recorder/recorder.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { seededRandom } from '../../analysis/statistics/random.ts';

/** A recording without an element, whose clock a test sets, and its log as somebody else reads it. */
export interface RecordedSession {
  readonly telemetry: {
    record(draft: Draft): SessionEvent;
    nowMs(): number;
    sessionMs(performanceMs: number): number;
  };
  /** Session time, which is also `performance.now()` here. */
  readonly clock: { nowMs: number };
  readonly events: readonly SessionEvent[];
  log(): SessionLog;
}

export function recordSession(): RecordedSession {
  const clock = { nowMs: 10 };
  const events: SessionEvent[] = [];
  const recorder = createRecorder({ onEvent: (event) => void events.push(event) });
  return {
    clock,
    events,
    telemetry: {
      record: (draft) => recorder.record(draft),
      nowMs: () => clock.nowMs,
      sessionMs: (performanceMs) => performanceMs,
    },
    log() {
      const read = readSession(JSON.stringify({ ...exampleLog({ segments: 0 }), events }));
      if (!read.ok) throw new Error(read.error);
      return read.value;
    },
  };
}

/** Rates of a network, in bytes per ms: the same for the same seed. */
export function drawRates(seed: number): () => number {
  const random = seededRandom(seed);
  return () => 20 + 600 * random() ** 2;
}

const ofKind = <Kind extends 'decision' | 'rule-input' | 'rule'>({ events }: RecordedSession, kind: Kind) =>
  events.filter((event): event is EventOf<Kind> => event.kind === kind);
export const decisionsIn = (session: RecordedSession) => ofKind(session, 'decision');
export const inputsIn = (session: RecordedSession) => ofKind(session, 'rule-input').map(({ input }) => input);

/** A rule that answers the next of these, and the last one from then on. */
export function scripted(...answers: { rung: number; holdUntilBufferMs?: number }[]): Rule {
  let asked = 0;
  return {
    id: 'scripted',
    label: 'Scripted',
    paper: 'none',
    parameters: {},
    start: () => null,
    observe: () => null,
    decide: () => ({ because: 'It is scripted.', ...answers[Math.min(asked++, answers.length - 1)]! }),
  };
}

export const rulesIn = (session: RecordedSession): string[] =>
  ofKind(session, 'rule').map(({ rule }) => rule);
