import { controllerMissing, instrumentedMissing } from '../../../lab/origin/instrumentedMissing.ts';
import type { CampaignFile } from '../../plan/campaignFile.ts';
import { sendersOf, USUAL_SENDERS } from '../../plan/sendersOf.ts';

/** @throws Error in one sentence where this machine cannot serve a campaign as its file says */
export function refuseOrigin(
  { origin, controllers }: Pick<CampaignFile, 'origin' | 'controllers'>,
  file: string,
  missingHere = { program: instrumentedMissing, controller: controllerMissing },
): void {
  if (origin !== 'instrumented') return;
  const missing = missingHere.program();
  if (missing !== null)
    throw new Error(
      `${file}: /origin: ${missing}. On this machine use "origin": "caddy" without controllers.`,
    );
  const usual = missingHere.controller(USUAL_SENDERS.tcp);
  if (!controllers && usual !== null) throw new Error(`${file}: /origin: ${usual}.`);
  for (const [index, text] of (controllers ?? []).entries()) {
    const senders = sendersOf(text);
    const fault = senders.ok ? missingHere.controller(senders.value.tcp) : null;
    if (fault !== null) throw new Error(`${file}: /controllers/${index}: ${fault}.`);
  }
}
