import type { ClaimsOf } from '../experiment/runner/registration.ts';

/** The claims of papers, where `research` is; undefined where that folder was left out: then no claims are registered or compared. */
export const [claimsOf] = Object.values(
  import.meta.glob<ClaimsOf>('../research/replication/papers.ts', { eager: true, import: 'claimsOf' }),
);
