import type { Entry } from '../../src/shared/registry.ts';

/** A paper and what of it this lab can play. One file each in `claims/`. */
export interface Paper extends Entry {
  /** Campaigns in the order of the paper's tables and figures. The id of the paper names its page: research/papers/ID.md. */
  readonly campaigns: readonly PaperCampaign[];
  /** Every table and figure, in the paper's order, with what plays it here. One file each in `parts/`. */
  readonly parts: readonly PaperPart[];
}

/** A table or figure of a paper, or several that the same thing plays. */
export interface PaperPart {
  /** Name of the part as the paper numbers it: `Table 5`, `Figs. 12 and 13`. */
  readonly part: string;
  /** What the part shows, in our words. */
  readonly shows: string;
  readonly by: PlayedBy;
  /** How rules, transports, networks or counts of what is played differ from the paper; absent where none of them does. */
  readonly differs?: string;
  /** What has to vary over the sessions for the part to show anything. */
  readonly quantity?: Quantity;
  /** Present for a part that gives conditions and no result: it has no quantity. */
  readonly isInput?: true;
  readonly note?: string;
}

/** A metric of sessions, by its id; only those of `transport` where it is present. */
export interface Quantity {
  readonly metric: string;
  readonly transport?: string;
}

/**
 * What plays a part: campaigns of the paper, by id; or a command line, with the file of its results if they are committed; or
 * what is not built yet; or why nothing can play it.
 */
type PlayedBy =
  | { readonly campaigns: readonly string[] }
  | { readonly command: string; readonly results?: string }
  | { readonly missing: string }
  | { readonly reason: string };

/** A table or figure of a paper; the id names its campaigns: campaigns/ID.json, and campaigns/ID.full.json at full length. */
export interface PaperCampaign extends Entry {
  /** Place among the scaled campaigns that are played when none is named; null: only when it is named. */
  readonly place: number | null;
  /** Ids of the metrics in the table of its means: those that the paper gives. */
  readonly metrics: readonly string[];
  readonly claims: readonly Claim[];
  /** Ids of earlier campaigns of the paper whose comparisons this one plays again, on other networks or beside A/A sessions. */
  readonly playsAgain?: readonly string[];
}

/** What a paper says of a comparison that the campaign declares. */
export interface Claim {
  /** The id of a metric. */
  readonly metric: string;
  /** First arm, as the campaign declares it. Differences are the first less the second. */
  readonly first: string;
  readonly second: string;
  /** What both arms have in common, as in `Comparison.within`. */
  readonly within: string;
  /** Network of the comparison; null: all networks together. */
  readonly network: string | null;
  /** Expectation of the first arm's value beside the second's. */
  readonly expects: 'higher' | 'lower' | 'no difference';
  /** The paper's numbers, with table, figure or section. */
  readonly says: string;
  /** The paper's difference, first less second in the metric's unit, where it gives one. */
  readonly size?: number;
  /** The paper's difference in % of the second arm's mean. A claim has at most one size, none if it expects no difference. */
  readonly sizePercent?: number;
  /** Present where our lab decides the direction, whatever a paper found: why. */
  readonly cannotFail?: string;
  /** Present where we changed the expectation after we had seen the results; `before` is what it was until then. */
  readonly setAfterData?: { readonly before: Claim['expects'] };
}
