import type { ClaimsOf } from './campaign/registration.ts';
import type { PlacedPathway } from '../../src/player/steering/pathways.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';

/** What `pitwall compare` was asked for. */
export interface CompareOptions {
  readonly seconds: number;
  readonly rules: readonly string[];
  readonly transports: readonly string[];
  /** Ids of browsers; absent: Chromium alone, which then is not named. */
  readonly browsers?: readonly string[];
  readonly preset: string;
  /** Whether each browser has visited the origin before its session. */
  readonly browserProfile: 'cold' | 'warm';
  readonly mpd?: string;
  /** A file of certificates in PEM that browsers and probes trust beside the public ones. */
  readonly trust?: string;
  /** Servers with the same files, beside that of `mpd`. */
  readonly pathways?: readonly PlacedPathway[];
  /** Policies that steer between them, each a session; absent where nothing is steered. */
  readonly steering?: readonly string[];
  /** In how many ranges at once segments are requested, each a session; absent: whole. */
  readonly split?: readonly number[];
  /** Who serves our own demo; left out: Caddy. */
  readonly origin?: 'caddy' | 'instrumented';
  /** Of the instrumented origin, as `sendersOf` reads it. */
  readonly controller?: string;
  readonly out?: string;
  readonly workers: number;
  readonly shard?: string;
  readonly keepNetlog?: boolean;
  /** Whether DevTools is a second transport source of every race. */
  readonly devtools?: boolean;
  /** The columns of its table. */
  readonly metrics: readonly Metric[];
}

/** What `pitwall compare CAMPAIGN.json` and `pitwall transfer` were asked for; the campaign itself says the rest. */
export interface CampaignOptions {
  /** The campaign file. */
  readonly file: string;
  /** Whether the campaign is one of transfers; absent: it plays streams. */
  readonly downloads?: boolean;
  readonly out?: string;
  readonly workers: number;
  readonly shard?: string;
  readonly keepNetlog?: boolean;
  readonly devtools?: boolean;
  /** The columns of its table. */
  readonly metrics: readonly Metric[];
  readonly dryRun?: boolean;
  /** For `dryRun`: the stated standard deviation of a pair's difference, in the unit of the margin. */
  readonly spread?: number;
  readonly table?: boolean;
  readonly long?: boolean;
  /** Which block is played, from 1; absent: all, one after the other. */
  readonly block?: number;
  /** The pair that is played alone, by its id or its place in the list of pairs; absent: all. */
  readonly pair?: string;
  readonly listPairs?: boolean;
  /** Whether pairs with a session whose last try is invalidated are played once more. */
  readonly again?: boolean;
  /** The claims that are registered; absent: none. */
  readonly claimsOf?: ClaimsOf;
  /** As of `CompareOptions`. */
  readonly trust?: string;
  readonly root: string;
}
