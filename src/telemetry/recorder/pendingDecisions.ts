import type { DecisionEvent, Draft } from '../event.ts';

export type DecisionDraft = Omit<Draft<DecisionEvent>, 'requestId' | 'missing'> & {
  missing?: DecisionEvent['missing'];
};

type MediaType = DecisionEvent['mediaType'];

/** Decisions that wait for the media request they lead to. */
export interface PendingDecisions {
  decide(draft: DecisionDraft): void;
  /**
   * Takes a decision of a player that asks its rules again and again until there is something to request (dash.js at the live
   * edge: up to 100 times a second). An answer that equals the waiting one takes its place.
   */
  decideAgain(draft: DecisionDraft): void;
  /**
   * Takes a sent media request: the waiting decision of its type led to it. Returns false when none was waiting. `id` is null
   * where nobody knows it yet: a recording without a player learns of a request when it has ended.
   */
  link(mediaType: MediaType, request: SentRequest): boolean;
  /** Lets go what waits, of one type or of all: a seek, a newer decision or the end came first. */
  release(mediaType?: MediaType): void;
}

interface SentRequest {
  readonly id: string | null;
  readonly segment: number | null;
}

export function createPendingDecisions(record: (draft: Draft<DecisionEvent>) => void): PendingDecisions {
  const waiting = new Map<MediaType, DecisionDraft>();
  const settle = (mediaType: MediaType, request: SentRequest | null): boolean => {
    const draft = waiting.get(mediaType);
    if (!draft) return false;
    waiting.delete(mediaType);
    record(request ? linked(draft, request) : released(draft));
    return true;
  };
  return {
    decide(draft) {
      settle(draft.mediaType, null);
      waiting.set(draft.mediaType, draft);
    },
    decideAgain(draft) {
      const before = waiting.get(draft.mediaType);
      if (!before || !isSameAnswer(before, draft)) settle(draft.mediaType, null);
      waiting.set(draft.mediaType, draft);
    },
    link: settle,
    release(mediaType) {
      const types: MediaType[] = mediaType ? [mediaType] : [...waiting.keys()];
      for (const each of types) settle(each, null);
    },
  };
}

/** dash.js does not tell its own rules which segment they choose for; the request that follows does. */
function linked(draft: DecisionDraft, { id, segment }: SentRequest): Draft<DecisionEvent> {
  const missing = { ...draft.missing };
  if (id === null) missing['requestId'] = 'not-reported';
  if (draft.segment !== null || segment === null) return { ...draft, requestId: id, missing };
  delete missing['segment'];
  return { ...draft, segment, requestId: id, missing };
}

function released(draft: DecisionDraft): Draft<DecisionEvent> {
  return { ...draft, requestId: null, missing: { ...draft.missing, requestId: 'not-applicable' } };
}

function isSameAnswer(one: DecisionDraft, other: DecisionDraft): boolean {
  return answerIn(one) === answerIn(other);
}

const answerIn = ({ rule, rung, votes }: DecisionDraft): string =>
  JSON.stringify([rule, rung, votes.map((vote) => [vote.rule, vote.rung, vote.asked])]);
