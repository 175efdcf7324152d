import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepPlan } from './keepPlan.ts';
import { hashesOf, keepRegistration, readRegistrations } from './registration.ts';
import { logDirOf } from '../../node/logFiles.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import type { Registered } from '../report/registered.ts';
import { valueOf } from '../../src/shared/result.ts';
import { PITWALL_VERSION } from '../../src/telemetry/schema/versions.ts';

let outDir = '';
beforeEach(() => void (outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-registered-'))));
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

const planOf = (changes: Partial<CampaignFile> = {}): CampaignPlan =>
  valueOf(planCampaign({ ...startingFile, ...changes }, []));
const plan = planOf();
const file = (): string => path.join(outDir, 'registration.json');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('a campaign is registered', () => {
  test('before its first session, once, with hashes of what it is judged by', () => {
    keepPlan(outDir, plan);
    keepRegistration({ outDir, plan }, { claimsOf: () => 'claims' });
    const [registered] = valueOf(readRegistrations(outDir)) as [Registered];
    expect(registered).toMatchObject({
      schema: 'pitwall-registration/1',
      pitwallVersion: PITWALL_VERSION,
      planSha256: sha256(readFileSync(path.join(outDir, 'plan.json'), 'utf8')),
      claimsSha256: sha256('claims'),
    });
    expect(Math.abs(Date.parse(registered.registeredAt) - Date.now())).toBeLessThan(60_000);
    const text = readFileSync(file(), 'utf8');
    keepRegistration({ outDir, plan }, { claimsOf: () => 'other claims' });
    expect(readFileSync(file(), 'utf8')).toBe(text);
    expect(hashesOf(outDir, plan, () => 'other claims')).not.toMatchObject({
      claimsSha256: registered.claimsSha256,
    });
  });

  test('not when sessions were played without, nor when tries of them failed', () => {
    keepPlan(outDir, plan);
    mkdirSync(logDirOf(outDir));
    writeFileSync(path.join(logDirOf(outDir), `${plan.sessions[0]!.id}.failures.jsonl`), '');
    keepRegistration({ outDir, plan }, {});
    expect(existsSync(file())).toBe(false);
    expect(readRegistrations(outDir)).toEqual({ ok: true, value: [] });
  });

  test('by each part in a file of its own, so that their folders can be put together', () => {
    keepPlan(outDir, plan);
    for (const part of ['2/2', '1/2', 'pair-3']) keepRegistration({ outDir, plan }, { part });
    expect(readdirSync(outDir).sort()).toEqual([
      ...['plan.json', 'registration-1-of-2.json', 'registration-2-of-2.json', 'registration-pair-3.json'],
    ]);
    const times = valueOf(readRegistrations(outDir)).map(({ registeredAt }) => registeredAt);
    expect(times).toEqual(times.toSorted());
    expect(times).toHaveLength(3);
  });

  test.each<[string, Partial<CampaignFile>, boolean]>([
    ['another primary metric', { primary: 'mean-bitrate' }, true],
    ['another margin', { margin: 51 }, true],
    ['another alpha', { alpha: 0.01 }, true],
    ['other comparisons', { control: 'h1' }, true],
    ['another unit of inference', { infer: 'repeat' }, true],
    ['another arm, and so other comparisons', { transports: ['h1', 'h2'] }, true],
    ['more repeats of the same', { repeats: 7 }, false],
  ])('%s: the analysis is another one: %3$s', (_, changes, isOther) => {
    keepPlan(outDir, plan);
    const [was, is] = [plan, planOf(changes)].map((each) => hashesOf(outDir, each).analysisSha256);
    expect(is !== was).toBe(isOther);
  });

  test.each([
    ['cut off', '{"schema":"pitwall-reg', /registration\.json: .* cut off\.$/],
    ['of another version', '{"schema":"pitwall-registration/9"}', /not a registration of this version/],
    ['without a hash', '{"schema":"pitwall-registration/1","registeredAt":"x"}', /not a registration/],
    ['null', 'null', /not a registration/],
  ])('a file that is %s is said in one sentence', (_, text, sentence) => {
    writeFileSync(file(), text);
    const found = readRegistrations(outDir);
    expect(found.ok ? '' : found.error).toMatch(sentence);
  });
});
