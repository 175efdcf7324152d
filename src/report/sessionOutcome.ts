/** What became of a planned session. */
export type SessionState =
  /** It has a whole log of its own. */
  | 'finished'
  /** An outcome: no frame was shown in time. There is no log, so it has no value anywhere. */
  | 'never-started'
  /** An outcome: the player ended with an error. */
  | 'gave-up'
  /** The last try failed, and it was the laboratory's fault. */
  | 'laboratory'
  /** A file lies in the place of its log, and is none. */
  | 'unreadable'
  /** Nobody has played it yet. */
  | 'not-played';

export interface SessionOutcome {
  readonly id: string;
  readonly state: SessionState;
  /** One sentence about what failed; null where nothing did. */
  readonly why: string | null;
  /** Tries that failed, also of a session that has a log now. */
  readonly failedTries: number;
}
