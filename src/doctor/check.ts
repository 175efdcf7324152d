import type { Finding as LogFinding } from '../analysis/diagnostics/finding.ts';
import type { Entry } from '../shared/registry.ts';
import type { Evidence, Need } from './evidence.ts';

/** Headings of docs/doctor.md. */
export const TOPICS = ['names-and-certificates', 'http3', 'cross-origin', 'files', 'manifest'] as const;

/** Detects one kind of fault of a stream's servers. It says nothing about evidence that is not there. */
export interface Check extends Entry {
  readonly topic: (typeof TOPICS)[number];
  readonly needs: readonly Need[];
  readonly severity: LogFinding['severity'];
  /** Why it matters to a player, in whole sentences. */
  readonly why: string;
  readonly fix: Fix;
  /** Returns one sentence, without its full stop, for each place with the fault. */
  run(evidence: Evidence): readonly string[];
}

/** Products for which fixes are known, by the name that people use. */
export const PRODUCTS = ['nginx', 'Caddy', 'Apache', 'HAProxy', 'CDNs'] as const;
type Product = (typeof PRODUCTS)[number];

/** A remedy. */
export interface Fix {
  /** What has to be done, in an infinitive without a full stop. */
  readonly text: string;
  /** How, by product; a product that cannot do it says so. Null: no server can do it. */
  readonly by: Readonly<Record<Product, string>> | null;
}
