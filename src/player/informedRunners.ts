import type { MediaPlayerClass } from 'dashjs';
import type { MediaType } from '../abr/rule.ts';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import type { PlayerSetup } from './player.ts';
import { rungIn, type Question } from './question.ts';
import { createRuleRunners, type RuleRunners } from './ruleRunners.ts';
import { seedOf } from './seedOf.ts';
import { createSegmentSizes } from './sizes/createSegmentSizes.ts';
import type { SizesNews } from './sizes/sizesSource.ts';
import { watchForRules } from './watchForRules.ts';

export interface BridgeContext {
  readonly player: MediaPlayerClass;
  readonly telemetry: Telemetry;
  readonly setup: Pick<PlayerSetup, 'seed' | 'sizes' | 'origins'>;
}

/** Rule runners that receive each event when it occurs: downloads, stalls, seeks, pauses, sizes. */
export interface InformedRunners extends Pick<RuleRunners, 'use' | 'ask' | 'inputId' | 'clear'> {
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
