import type { DecisionEvent, Draft } from './event.ts';

export type DecisionDraft = Omit<Draft<DecisionEvent>, 'requestId' | 'missing'> & {
  missing?: DecisionEvent['missing'];
};

type MediaType = DecisionEvent['mediaType'];

/** Decisions that wait for the media request they lead to. */
export interface PendingDecisions {
  decide(draft: DecisionDraft): void;
  /** A media request was sent: the waiting decision of its type led to it. False when none was waiting. */
  link(mediaType: MediaType, request: { id: string; segment: number | null }): boolean;
  /** Lets go what waits, of one type or of all: a seek, a newer decision or the end came first. */
  release(mediaType?: MediaType): void;
}

export function createPendingDecisions(record: (draft: Draft<DecisionEvent>) => void): PendingDecisions {
  const waiting = new Map<MediaType, DecisionDraft>();
  const settle = (mediaType: MediaType, request: { id: string; segment: number | null } | null): boolean => {
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
    link: settle,
    release(mediaType) {
      const types: MediaType[] = mediaType ? [mediaType] : [...waiting.keys()];
      for (const each of types) settle(each, null);
    },
  };
}

/** dash.js does not tell its own rules which segment they choose for; the request that follows does. */
function linked(
  draft: DecisionDraft,
  { id, segment }: { id: string; segment: number | null },
): Draft<DecisionEvent> {
  if (draft.segment !== null || segment === null)
    return { ...draft, requestId: id, missing: { ...draft.missing } };
  const missing = { ...draft.missing };
  delete missing['segment'];
  return { ...draft, segment, requestId: id, missing };
}

function released(draft: DecisionDraft): Draft<DecisionEvent> {
  return { ...draft, requestId: null, missing: { ...draft.missing, requestId: 'not-applicable' } };
}
