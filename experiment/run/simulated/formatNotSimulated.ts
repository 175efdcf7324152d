import { simulatedRule } from './simulatedRule.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { notSimulated } from '../../../src/network/convertProfile.ts';

/** What a simulated campaign leaves out of the lab's, a line each: people compare the two. */
export function formatNotSimulated({ campaign, networks }: CampaignPlan): string {
  const { transports, rules, origin } = campaign;
  const standIns = rules.filter((rule) => simulatedRule(rule) !== rule);
  const lines = [
    ...networks.map(
      ({ name, profile }) => `${name} without ${notSimulated(profile, { hasQueue: true }).join(', ')}`,
    ),
    'transports differ in handshakes, headers and order of bodies; all senders use Reno with the initial window of the lab',
    ...(transports.includes('h3-racing')
      ? ['h3-racing plays as h3 from its first request: no discovery over h2, no races']
      : []),
    ...(origin === 'instrumented'
      ? ['controllers, windows, pacing and 0-RTT of the origin are not simulated']
      : []),
    ...(campaign.browserProfile === 'warm' ? ['every browser is cold: no 0-RTT, no tickets'] : []),
    ...standIns.map((rule) => `${rule} is simulated by the rule ${simulatedRule(rule)}`),
  ];
  return lines.map((line) => `simulated: ${line}`).join('\n');
}
