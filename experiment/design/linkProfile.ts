import type { PlannedLink } from './plan.ts';
import type { Profile, ProfileStep, PolicedSpell } from '../../src/network/profile.ts';

/**
 * What a session's link runs: a lead-in in which the network stands still as it is at the pair's phase, then the profile
 * from that phase on.
 *
 *     profile            ├─ step 0 ─┼─ step 1 ─┼─ step 0 ─┼ …
 *     phase                    ^
 *     link     ├── lead-in ────┼ 0 ─┼─ step 1 ─┼─ step 0 ─┼ …
 *              link starts     play requested
 *
 * Written out for `lastingMs` from the play request and ending there as a profile that stays: a lead-in must not come
 * again with every round.
 */
export function linkProfile(
  profile: Profile,
  { phaseMs, leadInMs }: Pick<PlannedLink, 'phaseMs' | 'leadInMs'>,
  lastingMs: number,
): Profile {
  const [first, ...rest] = stepsFrom(profile, phaseMs, lastingMs);
  if (!first) throw new Error(`the profile ${profile.id} has no step that lasts`);
  const leadIn = leadInMs > 0 ? [{ ...first, durationMs: leadInMs }] : [];
  return {
    ...profile,
    steps: [...leadIn, first, ...rest],
    repeat: false,
    ...(profile.udp && { udp: profile.udp.flatMap((spell) => moved(spell, leadInMs, phaseMs)) }),
    ...(profile.tcp && { tcp: profile.tcp.flatMap((spell) => moved(spell, leadInMs, phaseMs)) }),
  };
}

/** The steps of `[phaseMs, phaseMs + lastingMs)`; the last step of a profile that runs once goes on. */
function stepsFrom({ steps, repeat }: Profile, phaseMs: number, lastingMs: number): ProfileStep[] {
  const found: ProfileStep[] = [];
  let atMs = 0;
  for (let index = 0; atMs < phaseMs + lastingMs; index++) {
    const step = steps[repeat ? index % steps.length : index];
    if (!step || (index === steps.length && atMs === 0)) break;
    const fromMs = Math.max(atMs, phaseMs);
    atMs += step.durationMs;
    if (atMs > fromMs) found.push(cut(step, { isBegun: found.length === 0, durationMs: atMs - fromMs }));
  }
  const last = steps.at(-1);
  return found.length > 0 || !last ? found : [cut(last, { isBegun: true, durationMs: lastingMs })];
}

/** A step that the session comes into the midst of gives nobody a new address or port. */
function cut(
  step: ProfileStep,
  { isBegun, durationMs }: { isBegun: boolean; durationMs: number },
): ProfileStep {
  const { newAddress, gapMs, newUdpPorts, ...path } = step;
  return {
    ...path,
    durationMs,
    ...(newAddress && !isBegun && { newAddress, ...(gapMs !== undefined && { gapMs }) }),
    ...(newUdpPorts && !isBegun && { newUdpPorts }),
  };
}

/** Spells count from the start of the profile; what has begun before the lead-in holds from its start. */
function moved(
  { fromMs, untilMs, ...limit }: PolicedSpell,
  leadInMs: number,
  phaseMs: number,
): PolicedSpell[] {
  // A spell that begins with the profile is there in the lead-in too.
  const begin = fromMs <= phaseMs ? 0 : fromMs - phaseMs + leadInMs;
  const end = untilMs === null ? null : untilMs - phaseMs + leadInMs;
  return end !== null && end <= leadInMs ? [] : [{ fromMs: begin, untilMs: end, ...limit }];
}
