import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunFolder } from './runFolder.ts';
import { writeAtomically } from '../../node/files.ts';
import { logDirOf } from '../../node/logFiles.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { SUFFIX, suffixOf, type Part } from '../session/lock/part.ts';
import { declaredComparisons } from '../verdict/comparisons.ts';
import { REGISTRATION_SCHEMA, type Registered, type RegisteredHashes } from '../report/registered.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import { PITWALL_VERSION } from '../../src/telemetry/schema/versions.ts';

/** Folders of parts are put together: each writes a file of its own. */
const fileOf = (part: Part): string => `registration${suffixOf(part)}.json`;
const FILES = new RegExp(`^registration${SUFFIX.source}\\.json$`);

/** The claims of a paper about a campaign of this name, as one text; null for a campaign of no paper. */
export type ClaimsOf = (campaign: string) => string | null;

/**
 * Writes down, once and before the first session, what a campaign is going to be judged by. A folder that was begun without
 * stays without: a registration that is younger than its sessions registers nothing.
 */
export function keepRegistration(
  { outDir, plan }: Pick<RunFolder, 'outDir' | 'plan'>,
  { claimsOf, part }: { claimsOf?: ClaimsOf | undefined; part?: Part },
): void {
  const file = path.join(outDir, fileOf(part));
  if (existsSync(file) || hasBegun(outDir)) return;
  const registered: Registered = {
    schema: REGISTRATION_SCHEMA,
    registeredAt: new Date().toISOString(),
    pitwallVersion: PITWALL_VERSION,
    ...hashesOf(outDir, plan, claimsOf),
  };
  writeAtomically(file, `${JSON.stringify(registered, null, 1)}\n`);
}

/** Whether a session has left a log, or a try that failed. */
function hasBegun(outDir: string): boolean {
  const folder = logDirOf(outDir);
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** What would be registered now. `outDir` has the plan, whose text counts as it lies there. */
export function hashesOf(outDir: string, plan: CampaignPlan, claimsOf?: ClaimsOf): RegisteredHashes {
  const hashes = {
    planSha256: sha256(readFileSync(path.join(outDir, 'plan.json'), 'utf8')),
    analysisSha256: sha256(analysisText(plan)),
  };
  if (claimsOf === undefined) return hashes;
  const claims = claimsOf(plan.campaign.name);
  return { ...hashes, claimsSha256: claims === null ? null : sha256(claims) };
}

/** Primary metric, margin, significance level, unit of inference and the family of comparisons. */
function analysisText(plan: CampaignPlan): string {
  const { primary, margin, marginPercent, alpha, compare, control, per, infer } = plan.campaign;
  const comparisons = declaredComparisons(plan).map(({ firstArm, secondArm, network }) => [
    ...[firstArm, secondArm, network],
  ]);
  return JSON.stringify([
    ...[primary, margin ?? null, marginPercent ?? null, alpha],
    ...[compare, control ?? null, per, infer ?? null, comparisons],
  ]);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The registrations of a folder, one or that of each part, the earliest first. An error in one sentence where one cannot be read. */
export function readRegistrations(outDir: string): Result<readonly Registered[]> {
  const found: Registered[] = [];
  for (const name of readdirSync(outDir).filter((each) => FILES.test(each))) {
    const read = readRegistration(path.join(outDir, name));
    if (!read.ok) return read;
    found.push(read.value);
  }
  return ok(found.sort((one, other) => (one.registeredAt < other.registeredAt ? -1 : 1)));
}

function readRegistration(file: string): Result<Registered> {
  try {
    const registered = JSON.parse(readFileSync(file, 'utf8')) as Partial<Registered> | null;
    return isRegistered(registered)
      ? ok(registered)
      : failed(
          `${path.basename(file)}: This is not a registration of this version (${REGISTRATION_SCHEMA}).`,
        );
  } catch {
    return failed(`${path.basename(file)}: The registration is not valid JSON, or it is cut off.`);
  }
}

function isRegistered(value: Partial<Registered> | null): value is Registered {
  if (value?.schema !== REGISTRATION_SCHEMA) return false;
  const { registeredAt, pitwallVersion, planSha256, analysisSha256, claimsSha256 } = value;
  const texts = [registeredAt, pitwallVersion, planSha256, analysisSha256];
  return (
    texts.every((text) => typeof text === 'string') &&
    (claimsSha256 === undefined || claimsSha256 === null || typeof claimsSha256 === 'string')
  );
}
