import { valueOf } from '../../src/shared/result.ts';
import { notSimulated, traceOfProfile } from '../../src/network/convertProfile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';

/** How a profile is named among paths. */
export const PROFILE = 'profile:';

/** The profile's trace, and what is lost by that, in words. @throws Error in one sentence for an id that nobody knows */
export function profileTrace(given: string): { trace: RateTrace; note: string } {
  const id = given.slice(PROFILE.length);
  const profile = networkProfiles.find((each) => each.id === id);
  if (!profile)
    throw new Error(
      `${given}: Unknown profile; known: ${networkProfiles.map((each) => each.id).join(', ')}.`,
    );
  return {
    trace: valueOf(traceOfProfile(profile)),
    note: `${given} without ${notSimulated(profile).join(', ')}`,
  };
}
