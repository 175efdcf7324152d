import type { CheckedAnswer } from '../../abr/answer.ts';
import type { MediaType, Moment, RuleEvent } from '../../abr/rule.ts';
import { copyInput } from '../../abr/ruleRunners.ts';
import type { DecisionEvent, Draft, EventKind } from '../../telemetry/event.ts';
import { createRecorder } from '../../telemetry/recorder/recorder.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { Track } from '../content.ts';
import type { Scene } from '../model.ts';
import { openingEvents } from './simEvents.ts';
import { simHeader, type Played } from './simHeader.ts';
import { simRequest, type SimFetch } from './simRequest.ts';

/** The log of a session being simulated; both models write through it, and a replay reads what they wrote. */
export interface SimLog {
  record(draft: Draft): void;
  /** An event that a rule received, at the moment it received it. */
  input(mediaType: MediaType, event: RuleEvent, atMs: number): void;
  /** Id of the newest event that a track's rule received; undefined before the first. */
  inputId(mediaType: MediaType): string | undefined;
  /** A choice, and by `requestId` the request it leads to; null when that was never made. */
  decided(decision: SimDecision, requestId: string | null): void;
  reserveId(kind: EventKind): string;
  fetched(fetch: SimFetch, id: string): void;
  finish(endMs: number): SessionLog;
}

export interface SimDecision {
  readonly mediaType: MediaType;
  readonly moment: Moment;
  readonly answer: CheckedAnswer;
  /** Id of the last event that the rule received before the question. */
  readonly inputId: string | undefined;
}

/** Begins a log: what there is to play, who decides, and what the rules know before anything happens. */
export function createSimLog(scene: Scene, { live = false, ...played }: Played & { live?: boolean }): SimLog {
  const { content, rule } = scene;
  const events: SessionEvent[] = [];
  const { record, reserveId } = createRecorder({ onEvent: (event) => void events.push(event) });
  const inputIds = new Map<MediaType, string>();
  const ladderOf = (mediaType: MediaType): Track['ladder'] =>
    (mediaType === 'video' ? content.video : content.audio)?.ladder ?? [];
  for (const draft of openingEvents(scene, live)) record(draft);
  return {
    record: (draft) => void record(draft),
    input(mediaType, event, atMs) {
      const draft = { kind: 'rule-input' as const, atMs, mediaType, input: copyInput(event), missing: {} };
      inputIds.set(mediaType, record(draft).id);
    },
    inputId: (mediaType) => inputIds.get(mediaType),
    decided(decision, requestId) {
      const ladder = ladderOf(decision.mediaType);
      record(decisionDraft(decision, { requestId, ruleId: rule.id, ladder }));
    },
    reserveId,
    fetched: (fetch, id) => void record(simRequest(content, fetch), id),
    finish: (endMs) => ({ ...simHeader(scene, played, endMs), events }),
  };
}

function decisionDraft(
  { mediaType, moment, answer, inputId }: SimDecision,
  { requestId, ruleId, ladder }: { requestId: string | null; ruleId: string; ladder: Track['ladder'] },
): Draft<DecisionEvent> {
  const { rung, because, values, holdUntilBufferMs } = answer;
  const missing: DecisionEvent['missing'] = { estimateKbps: 'not-applicable' };
  if (requestId === null) missing['requestId'] = 'not-applicable';
  if (holdUntilBufferMs === null) missing['holdUntilBufferMs'] = 'not-applicable';
  if (moment.segment === null) missing['segment'] = 'not-supported';
  if (moment.lastRung === null) missing['fromRung'] = 'too-early';
  return {
    kind: 'decision',
    atMs: moment.nowMs,
    missing,
    mediaType,
    requestId,
    segment: moment.segment,
    rule: ruleId,
    fromRung: moment.lastRung,
    rung,
    bitrateKbps: ladder[rung]!.bitrateKbps,
    holdUntilBufferMs,
    because,
    values: { ...values },
    votes: [{ rule: ruleId, rung, because, asked: true }],
    moment: { ...moment },
    ...(inputId !== undefined && { inputId }),
    estimateKbps: null,
    // The simulated clock stands still while a rule decides.
    tookMs: 0,
  };
}
