import { entryOf } from '../shared/parameters.ts';
import type { Result } from '../shared/result.ts';
import * as policies from './policies/index.ts';
import type { SteeringPolicy } from './policy.ts';

/** Every policy, by id: the order of a module's exports differs between bundlers. */
export const steeringPolicies: readonly SteeringPolicy[] = Object.values(policies).sort((one, other) =>
  one.id < other.id ? -1 : 1,
);

/** The policy that a text asks for, as in a link and in a campaign: `throughput`, `fixed:pathway=tcp`. */
export const policyOf = (text: string): Result<SteeringPolicy> => entryOf('policy', text, steeringPolicies);
