import { existsSync } from 'node:fs';
import { faultInPlayer, faultOfRule } from './faultOfRule.ts';
import { knownBrowsers } from './knownBrowsers.ts';
import type { Known } from '../design/campaignFaults.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { readCampaign } from '../design/readCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { demoRecipe, durationSeconds } from '../../lab/content/ladder.ts';
import { readText, writeAtomically } from '../../node/files.ts';
import { faultOfPreset } from '../../src/player/presets.ts';
import { valueOf } from '../../src/shared/result.ts';

/** What a campaign may name here. */
export const known: Known = {
  faultOfPreset,
  contents: [{ id: 'demo', seconds: durationSeconds(demoRecipe) }],
  browsers: knownBrowsers,
  faultOfRule,
  faultInPlayer,
};

/** Reads a campaign file. @throws Error in one sentence that names file and place */
export const readCampaignFile = async (file: string, may: Known = known): Promise<CampaignFile> =>
  valueOf(readCampaign(await readText(file), { name: file, known: may }));

/** Writes a campaign to begin with. @throws Error in one sentence when the file is there already, or cannot be written */
export function writeStartingFile(file: string): void {
  if (existsSync(file)) throw new Error(`${file}: The file exists. Name another file, or remove it.`);
  writeAtomically(file, `${JSON.stringify(startingFile, null, 2)}\n`);
}
