import type { RulesContext } from 'dashjs';
import { audioBeside } from './audioBeside.ts';
import { errorDraft } from '../errorDraft.ts';
import { absent, finiteOr, hasLadder, withReasons, type DecisionEvent, type Vote } from '../event.ts';
import { roundedMs } from '../../shared/units.ts';
import { formatVote, votesValues } from '../recorder/formatVote.ts';
import type { DecisionDraft, PendingDecisions } from '../recorder/pendingDecisions.ts';
import type { DashRepresentation } from './requests/dashRequest.ts';
import type { RequestEntry } from './requests/requestBook.ts';
import { liveLatencyMs, playheadMs, type Surroundings } from './surroundings.ts';
import type { Ladders } from './trackPresentation.ts';
import { watchVotes, type AskedRule, type RuleQuestion } from './watchVotes.ts';

type MediaType = DecisionEvent['mediaType'];

/** Decisions of dash.js' own rules. Those of a rule that calls `telemetry.decide` itself are left to it. */
interface DecisionTracker {
  /** What `telemetry.decide` does. */
  decide(draft: DecisionDraft): void;
  /** A media request is out. */
  onMediaRequest(mediaType: MediaType, request: RequestEntry & { id: string }): void;
  dispose(): void;
}

export function trackDecisions(
  around: Surroundings,
  { decisions, ladders }: { decisions: PendingDecisions; ladders: Ladders },
): DecisionTracker {
  // Somebody records decisions himself: then a question that only custom rules answered is his.
  let reported = false;
  const votes = watchVotes(around.player, {
    onQuestion(question) {
      if (reported && !question.rules.some(({ builtIn }) => builtIn)) return;
      const situation = situationOf(question, ladders);
      if (situation) decisions.decideAgain(draftOf(question, situation, around));
    },
    onRuleFault: (_context, fault) => recordFault(around, fault),
  });
  return {
    decide(draft) {
      reported = true;
      decisions.decideAgain(draft);
    },
    onMediaRequest(mediaType, request) {
      const linked = decisions.link(mediaType, { id: request.id, segment: request.purpose.segment });
      if (linked || votes.areSeen() || reported) return;
      decisions.decide(unseenDecision(mediaType, request, around));
      decisions.link(mediaType, { id: request.id, segment: request.purpose.segment });
    },
    dispose() {
      votes.stop();
      decisions.release();
    },
  };
}

interface Situation {
  readonly mediaType: MediaType;
  readonly current: DashRepresentation | null;
  readonly winner: AskedRule | null;
  /** The winner's wish is held back: dash.js stays. */
  readonly blocked: boolean;
  readonly rungOf: (representation: DashRepresentation | null) => number | null;
}

function situationOf({ context, rules, abandons }: RuleQuestion, ladders: Ladders): Situation | null {
  const mediaType = context.getMediaType();
  const periodId = context.getStreamInfo()?.id;
  if (!hasLadder(mediaType) || !periodId) return null;
  ladders.refresh(mediaType, periodId);
  const current = context.getRepresentation() as unknown as DashRepresentation | null;
  const winner = rules.find(({ won }) => won) ?? null;
  return {
    mediaType,
    current,
    winner,
    blocked: winner !== null && !abandons && isBlocked(context, winner.representation, current),
    rungOf: (to) => to && ladders.rungOf(mediaType, periodId, String(to.id)),
  };
}

function draftOf(question: RuleQuestion, situation: Situation, around: Surroundings): DecisionDraft {
  const { mediaType, current, winner, blocked, rungOf } = situation;
  const chosen = blocked || !winner ? current : winner.representation;
  const fromRung = rungOf(current);
  const nowMs = around.clock.nowMs();
  return {
    kind: 'decision',
    atMs: nowMs,
    mediaType,
    rule: winner?.rule ?? 'none',
    because: formatReason(situation),
    values: winner ? votesValues(winner) : {},
    votes: question.rules.filter(hasSay).map((each) => voteOf(each, rungOf)),
    moment: ruleMoment(question.context, mediaType, { around, lastRung: fromRung, nowMs }),
    tookMs: roundedMs(question.tookMs),
    ...withReasons({
      segment: absent('not-supported'),
      fromRung: fromRung ?? absent('too-early'),
      rung: rungOf(chosen) ?? absent('not-supported'),
      bitrateKbps: kbpsOf(chosen) ?? absent('not-supported'),
      holdUntilBufferMs: holdOf(winner) ?? absent('not-applicable'),
      estimateKbps: finiteOr(around.player.getAverageThroughput(mediaType), 'too-early'),
    }),
  };
}

const kbpsOf = (representation: DashRepresentation | null): number | null =>
  representation && representation.bandwidth / 1000;

/** A custom rule without a wish has stood aside: a delegate of rules that are not in charge. */
const hasSay = ({ builtIn, representation }: AskedRule): boolean => builtIn || representation !== null;

/** After an abandoned download dash.js lets only switches down through for a while (AbrController.checkPlaybackQuality). */
function isBlocked(
  context: RulesContext,
  wished: DashRepresentation | null,
  current: DashRepresentation | null,
): boolean {
  const state = context
    .getAbrController()
    .getAbandonmentStateFor(context.getStreamInfo().id, context.getMediaType() as 'video');
  const up = (wished?.bandwidth ?? 0) > (current?.bandwidth ?? 0);
  return up && String(state) === 'abandonload';
}

function formatReason({ winner, blocked, current, rungOf }: Situation): string {
  const fromRung = rungOf(current);
  const stay = fromRung === null ? 'dash.js stays where it is' : `dash.js stays on level ${fromRung + 1}`;
  if (!winner) return `No rule votes for a change, so ${stay}.`;
  const sentence = voteOf(winner, rungOf).because;
  return blocked ? `${sentence} But a download was just abandoned, so ${stay} for now.` : sentence;
}

function voteOf(
  { rule, asked, representation, reason }: AskedRule,
  rungOf: (representation: DashRepresentation | null) => number | null,
): Vote {
  const rung = rungOf(representation);
  const bitrateKbps = kbpsOf(representation);
  const because = asked
    ? formatVote({ rule, rung, bitrateKbps, reason })
    : 'Not asked: dash.js asks either BOLA or the throughput rule, by the buffer level.';
  return { rule, rung, because, asked };
}

function holdOf(winner: AskedRule | null): number | null {
  const { delay, bufferLevel } = winner?.reason ?? {};
  if (typeof delay !== 'number' || typeof bufferLevel !== 'number' || !(delay > 0)) return null;
  return Math.max(0, (bufferLevel - delay) * 1000);
}

/** Attached after dash.js made its rules: only their outcome is seen. */
function unseenDecision(
  mediaType: MediaType,
  { purpose }: RequestEntry,
  around: Surroundings,
): DecisionDraft {
  const nowMs = around.clock.nowMs();
  return {
    kind: 'decision',
    atMs: nowMs,
    mediaType,
    rule: 'unknown',
    because: 'The recorder was attached after dash.js had made its rules, so their votes were not seen.',
    values: {},
    votes: [],
    moment: ruleMoment(null, mediaType, { around, lastRung: null, nowMs }),
    tookMs: 0,
    ...withReasons({
      segment: finiteOr(purpose.segment, 'not-supported'),
      fromRung: absent('not-supported'),
      rung: finiteOr(purpose.rung, 'not-supported'),
      bitrateKbps: finiteOr(purpose.bitrateKbps, 'not-supported'),
      holdUntilBufferMs: absent('not-supported'),
      estimateKbps: finiteOr(around.player.getAverageThroughput(mediaType), 'too-early'),
    }),
  };
}

function recordFault({ recording, clock }: Surroundings, fault: unknown): void {
  const message = `A rule threw, so dash.js makes no switch: ${String(fault)}`;
  recording.record(errorDraft({ atMs: clock.nowMs(), source: 'rule', code: 'rule-threw', message }));
}

/** What is true when dash.js asks its own rules. It tells them nothing of the segment to come. */
function ruleMoment(
  context: RulesContext | null,
  mediaType: DecisionEvent['mediaType'],
  { around, lastRung, nowMs }: { around: Surroundings; lastRung: number | null; nowMs: number },
): DecisionEvent['moment'] {
  const { player, video } = around;
  const target = context?.getScheduleController().getBufferTarget() ?? NaN;
  return {
    nowMs,
    playheadMs: playheadMs(video),
    bufferMs: msOr(player.getDashMetrics().getCurrentBufferLevel(mediaType), 0),
    bufferTargetMs: msOr(target, player.getSettings().streaming?.buffer?.bufferTimeDefault ?? 0),
    segment: null,
    segmentsLeft: null,
    lastRung,
    liveLatencyMs: liveLatencyMs(player),
    playbackRate: video.playbackRate,
    ...(context && audioBeside(player, context)),
  };
}

/** dash.js says NaN before it knows. */
function msOr(seconds: number, otherwiseSeconds: number): number {
  return Math.round((Number.isFinite(seconds) && seconds >= 0 ? seconds : otherwiseSeconds) * 1000);
}
