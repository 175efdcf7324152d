import type { MediaPlayerClass } from 'dashjs';
import type { Answer, MediaType, Moment, Rule, RuleEvent, SizesEvent } from '../../abr/rule.ts';
import { createPauses, createRecentEvents, type PathwayChange } from '../../abr/ruleInput.ts';
import { createRuleRunner, type RuleRunner } from '../../abr/runner.ts';
import { msFromSeconds } from '../../shared/units.ts';
import { downloadInput } from '../../telemetry/downloadInput.ts';
import type { RuleInputEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { PlayerSetup } from '../player.ts';
import { createSegmentSizes } from '../sizes/createSegmentSizes.ts';
import type { SizesNews } from '../sizes/sizesSource.ts';
import { rungIn, sameLadder, type Offer, type Question } from './dashTerms.ts';

export interface BridgeContext {
  readonly player: MediaPlayerClass;
  readonly telemetry: Telemetry;
  readonly setup: Pick<PlayerSetup, 'seed' | 'sizes' | 'origins'>;
}

/** Rule runners that receive each event when it occurs: downloads, stalls, seeks, pauses, sizes. */
export interface InformedRunners extends Pick<
  RuleRunners,
  'use' | 'usePathway' | 'ask' | 'inputId' | 'clear'
> {
  /** To be called with each question, before its runner is asked. */
  prepare(question: Pick<Question, 'mediaType' | 'choices' | 'moment'>): void;
  dispose(): void;
}

export function createInformedRunners(
  { player, telemetry, setup }: BridgeContext,
  onFault: (thrown: unknown) => void,
): InformedRunners {
  const offered = new Map<MediaType, Question['choices']>();
  const choicesOf = (mediaType: MediaType): Question['choices'] => offered.get(mediaType) ?? [];
  const rungOf = (mediaType: MediaType, id: string | null): number | null => rungIn(choicesOf(mediaType), id);
  const onSizes = ({ mediaType, representationId, ...known }: SizesNews): void => {
    const rung = rungOf(mediaType, representationId);
    if (rung !== null) runners.tell(mediaType, { kind: 'sizes', atMs: telemetry.nowMs(), rung, ...known });
  };
  const sizes = createSegmentSizes({ player, telemetry, setup, onNews: onSizes });
  const runners = createRuleRunners({
    telemetry,
    isLive: () => player.isDynamic(),
    onFault,
    seed: seedOf(setup),
    sizesOf: (mediaType) => sizes.input(mediaType, choicesOf(mediaType)),
  });
  const watch = watchForRules({ player, telemetry, rungOf, onEvent: runners.tellAll });
  return {
    ...runners,
    prepare({ mediaType, choices, moment }) {
      offered.set(mediaType, choices);
      sizes.lookUp({ mediaType, choices, segment: moment.segment });
      const idle = watch.idleBefore(mediaType, moment.nowMs);
      if (idle) runners.tell(mediaType, idle);
    },
    dispose() {
      watch.dispose();
      sizes.dispose();
      runners.clear();
    },
  };
}

/** Returns the seed of our rules' random draws: the same in every session unless the set-up sets another. */
export const seedOf = ({ seed }: Pick<PlayerSetup, 'seed'>): number => seed ?? 1;

/** The active rule, with one runner per media type. Every rule input is written to the log when the rule gets it. */
export interface RuleRunners {
  /** Makes a rule the active one. Its runners start with fresh states and get the latest events. */
  use(rule: Rule): void;
  /**
   * The requests to come go over another pathway. Unless the rule keeps its history, runners start with fresh states and
   * get the latest events, without the downloads of other pathways: what those carried says nothing about this one.
   */
  usePathway(change: PathwayChange): void;
  /** Passes an event to every runner, and keeps it for a rule that takes over later. `pathway`: over which it was measured. */
  tellAll(event: RuleEvent, pathway?: string): void;
  /** Passes an event to the runner of one media type. */
  tell(mediaType: MediaType, event: RuleEvent): void;
  /** Passes a changed offer to the runner, then asks the rule. Throws what the rule throws. */
  ask(mediaType: MediaType, offer: Offer, moment: Moment): Answer;
  /** Id of the newest rule input of a runner; null before the first. */
  inputId(mediaType: MediaType): string | null;
  clear(): void;
}

interface RunningRule {
  readonly runner: RuleRunner;
  offer: Offer;
  inputId: string | null;
}

interface RunnersContext {
  readonly telemetry: Pick<Telemetry, 'record' | 'nowMs'>;
  readonly isLive: () => boolean;
  readonly onFault: (thrown: unknown) => void;
  readonly seed: number;
  /** All that is known now of the sizes of segments. */
  readonly sizesOf: (mediaType: MediaType) => readonly SizesEvent[];
}

export function createRuleRunners(context: RunnersContext): RuleRunners {
  let inCharge: Rule | null = null;
  const runners = new Map<MediaType, RunningRule>();
  const recent = createRecentEvents();
  const tell = (mediaType: MediaType, input: RuleEvent): void => {
    const running = runners.get(mediaType);
    if (!running) return;
    running.inputId = record(context, mediaType, input);
    running.runner.tell(input);
  };
  // A new ladder ends what was known of sizes: its rungs are others.
  const tellOffer = (mediaType: MediaType, offer: Offer): void => {
    tell(mediaType, { kind: 'ladder', atMs: context.telemetry.nowMs(), ...offer });
    for (const sizes of context.sizesOf(mediaType)) tell(mediaType, sizes);
  };
  const begin = (rule: Rule, mediaType: MediaType, offer: Offer): RunningRule => {
    const running = startRule(rule, context, { mediaType, offer });
    runners.set(mediaType, running);
    // The log says what the state was built on: the ladder it started with, then what it had missed.
    tellOffer(mediaType, offer);
    recent.ofPresent().forEach((event) => tell(mediaType, event));
    return running;
  };
  return {
    use(rule) {
      inCharge = rule;
      runners.clear();
    },
    usePathway(change) {
      recent.use(change);
      if (!change.keepsHistory) runners.clear();
    },
    tellAll(event, pathway) {
      if (recent.add(event, pathway)) for (const mediaType of runners.keys()) tell(mediaType, event);
    },
    tell,
    ask(mediaType, offer, moment) {
      if (!inCharge) throw new Error('no rule is active');
      const running = runners.get(mediaType) ?? begin(inCharge, mediaType, offer);
      if (!sameOffer(running.offer, offer)) {
        running.offer = offer;
        tellOffer(mediaType, offer);
      }
      return running.runner.ask(moment);
    },
    inputId: (mediaType) => runners.get(mediaType)?.inputId ?? null,
    clear() {
      inCharge = null;
      runners.clear();
    },
  };
}

function startRule(
  rule: Rule,
  { isLive, seed, onFault }: RunnersContext,
  { mediaType, offer }: { mediaType: MediaType; offer: Offer },
): RunningRule {
  const runner = createRuleRunner(rule, { mediaType, ...offer, live: isLive(), seed }, onFault);
  return { runner, offer, inputId: null };
}

const sameOffer = (one: Offer, other: Offer): boolean =>
  one.segmentMs === other.segmentMs && sameLadder(one.ladder, other.ladder);

/** Returns the event's id. */
function record(
  { telemetry }: Pick<RunnersContext, 'telemetry'>,
  mediaType: MediaType,
  input: RuleEvent,
): string {
  return telemetry.record({
    kind: 'rule-input',
    atMs: telemetry.nowMs(),
    missing: {},
    mediaType,
    input: recorded(input),
  }).id;
}

/** The log's types are mutable, the rule's are not: the log gets its own copy. */
function recorded(input: RuleEvent): RuleInputEvent['input'] {
  if (input.kind === 'ladder') return { ...input, ladder: input.ladder.map((rung) => ({ ...rung })) };
  return input.kind === 'sizes' ? { ...input, sizesBytes: [...input.sizesBytes] } : { ...input };
}

interface RuleWatch {
  /** The pause since the last download of this type, if it is one; the next call counts from here. */
  idleBefore(mediaType: MediaType, nowMs: number): RuleEvent | null;
  dispose(): void;
}

/** Turns what the recording and dash.js report into the events that rules receive. */
function watchForRules({
  player,
  telemetry,
  rungOf,
  onEvent,
}: {
  player: MediaPlayerClass;
  telemetry: Pick<Telemetry, 'subscribe' | 'nowMs'>;
  rungOf: (mediaType: MediaType, representationId: string | null) => number | null;
  onEvent: (event: RuleEvent, pathway?: string) => void;
}): RuleWatch {
  const pauses = createPauses();
  const onRecorded = (event: SessionEvent): void => {
    if (event.kind === 'request' && event.mediaType !== null)
      pauses.busyUntil(event.mediaType, event.lastByteMs ?? event.endMs ?? event.atMs);
    const input = inputOf(event, rungOf);
    if (input) onEvent(input, event.kind === 'request' ? event.pathway : undefined);
  };
  // Not the recorded seek: that one is finished when playback goes on, and the rule decides before.
  const onSeeking = ({ seekTime }: { seekTime?: number }): void => {
    if (typeof seekTime !== 'number' || !Number.isFinite(seekTime)) return;
    onEvent({ kind: 'seek', atMs: telemetry.nowMs(), toMs: msFromSeconds(seekTime) });
  };
  player.on('playbackSeeking', onSeeking);
  const unsubscribe = telemetry.subscribe(onRecorded);
  return {
    idleBefore: pauses.before,
    dispose() {
      player.off('playbackSeeking', onSeeking);
      unsubscribe();
    },
  };
}

function inputOf(event: SessionEvent, rungOf: Parameters<typeof downloadInput>[1]): RuleEvent | null {
  if (event.kind === 'request') return downloadInput(event, rungOf);
  if (event.kind === 'stall' && event.durationMs !== null)
    return { kind: 'stall', atMs: event.atMs, durationMs: event.durationMs };
  return null;
}
