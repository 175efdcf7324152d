import { NO_BBR, simulatedProtocol, simulatedRule } from './simulatedSession.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { splitWeights, ruleOf } from '../../../src/abr/ruleText.ts';
import { abrRules } from '../../../src/abr/registry.ts';
import { experimentParameters } from '../../../src/player/presets.ts';
import { sendersOf } from '../../factors/sendersOf.ts';
import { isLive } from '../../design/contents.ts';
import { factorsOf } from '../../factors/arms.ts';
import { rulesIn } from '../../factors/rule.ts';
import { profileIndex } from '../../design/networks.ts';
import { traceOfProfile } from '../../../src/network/convertProfile.ts';
import { isUdpBlocked, isUdpBlockedForEver } from '../../../src/network/udpPath.ts';

/** @throws Error in one sentence, with its place in the campaign file, about what the player model cannot play. */
export function refuseSimulated(
  { campaign, networks, weights = [] }: Pick<CampaignPlan, 'campaign' | 'networks' | 'weights'>,
  file: string,
): void {
  const refuse: Refuse = (path, sentence) => {
    throw new Error(`${file}: ${path}: ${sentence}`);
  };
  if (networks.length === 0)
    refuse('/profiles', 'The simulator needs the rates of an emulated link: fill in "profiles".');
  if (campaign.viewer !== undefined)
    refuse('/viewer', 'The player model has no viewer who seeks, pauses or leaves: play this in the lab.');
  for (const { field, factor, values } of factorsOf(campaign))
    if (factor.notSimulated !== undefined && !factor.isSimulated?.(values))
      refuse(`/${field}`, factor.notSimulated);
  if (experimentParameters(campaign.preset) === null)
    refuse(
      '/preset',
      'The player model supports only the preset experiment: it does not replace buffered segments or abandon downloads.',
    );
  campaign.rules.forEach((entry, index) => {
    for (const text of rulesIn(entry).filter((each) => !weights.some(({ rule }) => rule === each))) {
      const rule = ruleOf(simulatedRule(splitWeights(text).spec), abrRules);
      if (!rule.ok)
        refuse(`/rules/${index}`, `The rule ${text} runs only inside dash.js and cannot be simulated.`);
    }
  });
  campaign.controllers?.forEach((text, index) => {
    const senders = sendersOf(text);
    if (senders.ok && [senders.value.tcp, senders.value.quic].includes('bbr'))
      refuse(`/controllers/${index}`, NO_BBR);
    if (senders.ok && senders.value.maxWindowPackets !== null)
      refuse(`/controllers/${index}`, 'The player model has no largest window: leave out "-max".');
  });
  campaign.contents.forEach((content, index) => {
    if (isLive(content)) refuse(`/contents/${index}`, 'The player model does not support live streams.');
  });
  refuseNetworks({ campaign, networks }, refuse);
}

type Refuse = (path: string, sentence: string) => never;

function refuseNetworks(
  { campaign, networks }: Pick<CampaignPlan, 'campaign' | 'networks'>,
  refuse: Refuse,
): void {
  networks.forEach(({ name, profile }, place) => {
    const at = `/profiles/${profileIndex(campaign, place)}`;
    const trace = traceOfProfile(profile);
    if (!trace.ok) refuse(at, trace.error);
    if (profile.tcp) refuse(at, `${name} limits TCP, which the player model does not have: leave it out.`);
    if (campaign.steering && profile.udp?.some(({ queueMs }) => queueMs !== undefined))
      refuse(
        at,
        `${name} queues UDP before its limit, and with steering the player model has only limits that drop: leave it out.`,
      );
    const isRefused = campaign.steering ? isUdpBlockedForEver : isUdpBlocked;
    if (isRefused(profile) && campaign.transports.some((transport) => simulatedProtocol(transport) === 'h3'))
      refuse(
        at,
        `${name} blocks UDP${campaign.steering ? ' without an end' : ''}, and the player model does not change from h3 to TCP: leave out h3-racing and h3-only.`,
      );
  });
}
