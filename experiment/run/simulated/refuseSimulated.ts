import { simulatedRule } from './simulatedRule.ts';
import { splitWeights, ruleOf } from '../../../src/abr/ruleText.ts';
import { abrRules } from '../../../src/abr/registry.ts';
import { isLive } from '../../plan/liveContent.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { traceOfProfile } from '../../../src/network/convertProfile.ts';

/** The preset that the player model's defaults are. */
const MODELLED_PRESET = 'experiment';

/** @throws Error in one sentence, with its place in the campaign file, about what the player model cannot play. */
export function refuseSimulated({ campaign, networks }: CampaignPlan, file: string): void {
  const refuse = (path: string, sentence: string): never => {
    throw new Error(`${file}: ${path}: ${sentence}`);
  };
  if (networks.length === 0)
    refuse('/profiles', 'The simulator needs the rates of an emulated link: name profiles.');
  if (campaign.preset !== MODELLED_PRESET)
    refuse(
      '/preset',
      `The player model supports only the preset ${MODELLED_PRESET}: it does not replace buffered segments or abandon downloads.`,
    );
  campaign.rules.forEach((text, index) => {
    const rule = ruleOf(simulatedRule(splitWeights(text).spec), abrRules);
    if (!rule.ok)
      refuse(`/rules/${index}`, `The rule ${text} runs only inside dash.js and cannot be simulated.`);
  });
  campaign.contents.forEach((content, index) => {
    if (isLive(content)) refuse(`/contents/${index}`, 'The player model does not support live streams.');
  });
  networks.forEach(({ profile }, index) => {
    const trace = traceOfProfile(profile);
    if (!trace.ok) refuse(`/profiles/${index}`, trace.error);
  });
}
