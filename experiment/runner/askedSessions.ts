import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { sessionsToPlay } from '../design/variants.ts';
import { partOf, type Part } from '../session/lock/part.ts';
import { usageError } from '../../node/exitCodes.ts';

/** What of a campaign is to be played; without block, pair and shard all of it. */
interface Asked {
  /** From 1. */
  readonly block?: number;
  /** A pair by its id, or by its place in the list of pairs, from 1. */
  readonly pair?: string;
  /** A part of the sessions, which whoever plays them selects: `1/4`. */
  readonly shard?: string;
  /** The campaign file, for sentences. */
  readonly file: string;
}

/** Sessions that are to be played. */
export interface AskedSessions {
  readonly sessions: readonly PlannedSession[];
  readonly part: Part;
  /** The pair that is played alone, with its name for people; null: there is none. */
  readonly pair: { readonly id: string; readonly name: string } | null;
}

/** The sessions of one of a plan's blocks, of one of its pairs, or all. @throws Error in one sentence that names the file */
export function askedSessions(
  plan: Pick<CampaignPlan, 'campaign' | 'sessions' | 'variants'>,
  { block, pair, shard, file }: Asked,
): AskedSessions {
  const sessions = sessionsToPlay(plan);
  const { blocks } = plan.campaign;
  if (pair !== undefined) {
    const { id, place } = pairNamed({ sessions }, { pair, file });
    return {
      sessions: sessions.filter(({ design }) => design.pair === id),
      part: partOf({ pair: place }),
      pair: { id, name: `pair ${pair}` },
    };
  }
  const all = { sessions, part: partOf({ shard }), pair: null };
  if (block === undefined) return all;
  if (blocks === undefined)
    throw usageError(`--block ${block}: ${file} has no blocks; add "blocks": 2 to it, before it is played.`);
  if (block > blocks) throw usageError(`--block ${block}: ${file} has ${blocks} blocks.`);
  return { ...all, sessions: sessions.filter(({ design }) => design.block === block) };
}

/** The ids of a plan's pairs, in the order in which they are played. */
export const pairsOf = ({ sessions }: Pick<CampaignPlan, 'sessions'>): string[] => [
  ...new Set(sessions.map(({ design }) => design.pair)),
];

/** The pair that a text names, with its place in the list of pairs, from 1. @throws Error in one sentence that names the file */
export function pairNamed(
  plan: Pick<CampaignPlan, 'sessions'>,
  { pair, file }: { readonly pair: string; readonly file: string },
): { readonly id: string; readonly place: number } {
  const pairs = pairsOf(plan);
  const place = /^\d+$/.test(pair) ? Number(pair) : pairs.indexOf(pair) + 1;
  const id = pairs[place - 1];
  if (id === undefined)
    throw usageError(`--pair ${pair}: ${file} has pairs 1 to ${pairs.length}; --list-pairs names them.`);
  return { id, place };
}

/** The list of pairs: place and id, with a tab between them, for whatever starts `--pair` for each line. */
export const formatPairs = (plan: Pick<CampaignPlan, 'sessions' | 'variants'>): string =>
  pairsOf({ sessions: sessionsToPlay(plan) })
    .map((id, index) => `${index + 1}\t${id}`)
    .join('\n');
