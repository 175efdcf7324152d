import type { Entry } from '../shared/registry.ts';
import type { Profile } from './profile.ts';

/**
 * Describes networks of one kind that differ in parameters. A campaign draws networks from it, so that its verdict can be
 * about such networks instead of about one of them.
 */
export interface ProfileFamily<Parameter extends string = string> extends Entry {
  /** In the order in which names of networks have them. */
  readonly parameters: readonly FamilyParameter<Parameter>[];
  /**
   * The parameter that a campaign may replace by `paths`: other profiles, or recorded traces, each the path of one network
   * in turn. Absent: the family has no other paths.
   */
  readonly pathParameter?: Parameter;
  /** The network with these values: of each parameter as many as its `count`, in its unit; and on this path, if given. */
  profile(values: Readonly<Record<Parameter, readonly number[]>>, path?: NetworkPath): Profile;
}

/** What a network is without its limits. */
export type NetworkPath = Pick<Profile, 'steps' | 'repeat' | 'queue'>;

/** A number of a network that can be drawn from a range. */
export interface FamilyParameter<Name extends string = string> {
  /** As a campaign file names it; it ends with its unit, as in `limitKbps`. */
  readonly id: Name;
  /** In names of networks, as in `udp-limiter-limit-312`. Empty: the name has the value alone. */
  readonly word: string;
  /** Limits of a range, in the parameter's unit. */
  readonly min: number;
  readonly max: number;
  /**
   * `log`: drawn values are uniform in their logarithm, so that doubling the rate is as likely at 64 kbit/s as at
   * 500 kbit/s. `linear`: uniform.
   */
  readonly scale: 'log' | 'linear';
  /** Drawn values are whole multiples of it, so that a name holds the exact value. */
  readonly step: number;
  /** Value where a campaign does not name the parameter. */
  readonly usual: number;
  /** Values of one network: 1, or one for each of its steps. */
  readonly count: number;
}
