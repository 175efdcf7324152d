import type { MediaPlayerClass } from 'dashjs';
import type { MediaType, RuleEvent } from '../../abr/rule.ts';
import { createPauses } from '../../abr/ruleInput.ts';
import { copyInput, createRuleRunners, type RuleRunners } from '../../abr/ruleRunners.ts';
import { msFromSeconds } from '../../shared/units.ts';
import { downloadInput } from '../../telemetry/downloadInput.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { PlayerSetup } from '../player.ts';
import { createSegmentSizes } from '../sizes/createSegmentSizes.ts';
import type { SizesNews } from '../sizes/sizesSource.ts';
import { rungIn, type Question } from './dashTerms.ts';

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
    nowMs: telemetry.nowMs,
    record: (mediaType, input) => record(telemetry, mediaType, input),
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

/** Writes a rule input to the log; returns the event's id. */
function record(
  telemetry: Pick<Telemetry, 'record' | 'nowMs'>,
  mediaType: MediaType,
  input: RuleEvent,
): string {
  return telemetry.record({
    kind: 'rule-input',
    atMs: telemetry.nowMs(),
    missing: {},
    mediaType,
    input: copyInput(input),
  }).id;
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
