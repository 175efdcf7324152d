import type { MediaPlayerClass, Representation, RulesContext } from 'dashjs';
import type { MediaType, Moment } from '../abr/rule.ts';
import { byBitrate, ladderOf, segmentMsOf } from './dashLadder.ts';
import { momentOf } from './dashMoment.ts';
import type { Offer } from './ruleRunners.ts';

/** What dash.js asks its rules, in our terms: which of these choices, for this media type, now? */
export interface Question {
  readonly mediaType: MediaType;
  /** One per rung of `offer.ladder`, in its order. */
  readonly choices: readonly Representation[];
  readonly offer: Offer;
  readonly moment: Moment;
}

/** null when there is nothing to choose (text tracks, or no choice left). */
export function questionOf(player: MediaPlayerClass, context: RulesContext, nowMs: number): Question | null {
  const mediaType = context.getMediaType();
  const choices = choicesOf(context);
  if ((mediaType !== 'video' && mediaType !== 'audio') || choices.length === 0) return null;
  const segmentMs = segmentMsOf(choices) ?? 0;
  const lastRung = rungIn(choices, context.getRepresentation()?.id ?? null);
  return {
    mediaType,
    choices,
    offer: { ladder: ladderOf(choices), segmentMs },
    moment: momentOf(player, context, { nowMs, mediaType, segmentMs, lastRung }),
  };
}

/** The rung of a representation; null when it is not among the choices. */
export function rungIn(choices: readonly { readonly id: string }[], id: string | null): number | null {
  const index = choices.findIndex((choice) => choice.id === id);
  return index === -1 ? null : index;
}

function choicesOf(context: RulesContext): Representation[] {
  const abr = context.getAbrController();
  return byBitrate(abr.getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true) ?? []);
}
