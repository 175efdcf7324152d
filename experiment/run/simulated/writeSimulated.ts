import path from 'node:path';
import { simulatedSession, type SimulatedCampaign } from './simulatedSession.ts';
import { abrRules } from '../../../src/abr/registry.ts';
import { ruleFrom } from '../givenWeights.ts';
import { requestedRule } from '../../../node/requestedRule.ts';
import { valueOf } from '../../../src/shared/result.ts';
import { simulatedRule } from './simulatedRule.ts';
import { writeAtomically } from '../../../node/writeAtomically.ts';

/** Some of the sessions; `to` is not included. */
export interface SimulatedJob {
  readonly from: number;
  readonly to: number;
}

/** Plays some sessions and writes their logs. Rejects with one sentence that names the session. */
export async function writeSimulated(
  campaign: SimulatedCampaign,
  { from, to }: SimulatedJob,
): Promise<SimulatedJob> {
  for (const session of campaign.sessions.slice(from, to)) {
    const file = path.join(campaign.logDir, `${session.id}.json`);
    const { rule } = valueOf(
      await requestedRule(ruleFrom(campaign.folder ?? '.', simulatedRule(session.rule)), abrRules),
    );
    writeAtomically(file, `${JSON.stringify(simulatedSession(campaign, session, rule))}\n`);
  }
  return { from, to };
}
