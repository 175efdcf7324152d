import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSource } from './loadSource.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { keepPlan } from '../../runner/keepPlan.ts';
import { keepRegistration } from '../../runner/registration.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { reportHtml } from '../html/reportHtml.ts';
import { reportModel } from '../model/reportModel.ts';
import { reportMarkdown } from '../text/markdown.ts';
import { valueOf } from '../../../src/shared/result.ts';
import { exampleLog } from '../../../src/telemetry/exampleLog.testing.ts';

const plan = valueOf(planCampaign({ ...startingFile, repeats: 1, seeds: [1] }, []));
let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-source-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Sessions of a browser, or of a simulator. */
function play(simulator: string | null = null): void {
  mkdirSync(logDirOf(folder));
  for (const { id, design } of plan.sessions) {
    const log = exampleLog();
    const { simulator: reason, ...missing } = log.environment.missing;
    const environment = {
      ...log.environment,
      simulator,
      missing: simulator === null && reason !== undefined ? { ...missing, simulator: reason } : missing,
    };
    writeFileSync(
      path.join(logDirOf(folder), `${id}.json`),
      JSON.stringify({ ...log, id, design, environment }),
    );
  }
}

describe('a folder is held to what was registered before its first session', () => {
  test('in every form of a report', async () => {
    keepPlan(folder, plan);
    keepRegistration({ outDir: folder, plan }, { claimsOf: () => 'higher' });
    play();
    const same = await loadSource(folder, () => 'higher');
    expect(same.registration).toMatchObject({ isChanged: false });
    expect(same.registration!.sentence).toMatch(/plan, the analysis and the claims are as registered\.$/);
    expect(reportModel(same).warnings.join()).not.toContain('Registered');

    const changed = await loadSource(folder, () => 'lower');
    const model = reportModel(changed);
    const sentence = /^Registered on \S+ with version \S+; the claims have changed since\.$/;
    expect(model.warnings).toContainEqual(expect.stringMatching(sentence));
    for (const text of [reportMarkdown(model), reportHtml(model, { styles: '', logAddress: null })])
      expect(text).toContain('the claims have changed since.');

    const { registration } = await loadSource(folder);
    expect(registration).toMatchObject({ isChanged: false });
    expect(registration!.sentence).toMatch(/; the plan and the analysis are as registered\.$/);
  });

  test('that was begun where the claims of papers were not known has no changed claims', async () => {
    keepPlan(folder, plan);
    keepRegistration({ outDir: folder, plan }, {});
    play();
    const { registration } = await loadSource(folder, () => 'higher');
    expect(registration!.isChanged).toBe(false);
    expect(registration!.sentence).toMatch(/The claims were not registered: nothing shows .*\.$/);
  });

  test('and says so when it was begun without', async () => {
    keepPlan(folder, plan);
    play();
    keepRegistration({ outDir: folder, plan }, {});
    const { registration } = await loadSource(folder);
    expect(registration).toMatchObject({ registered: null, isChanged: false });
    expect(registration!.sentence).toContain('begun before registration existed');
  });

  test('a plan that was changed by hand is named', async () => {
    keepPlan(folder, plan);
    keepRegistration({ outDir: folder, plan }, {});
    play();
    const other = { ...plan, campaign: { ...plan.campaign, margin: 51 } };
    writeFileSync(path.join(folder, 'plan.json'), JSON.stringify(other));
    expect((await loadSource(folder)).registration!.sentence).toMatch(
      /; the plan and the analysis have changed since\.$/,
    );
  });

  test('a registration that cannot be read is a warning, not an error', async () => {
    keepPlan(folder, plan);
    writeFileSync(path.join(folder, 'registration.json'), '{');
    play();
    expect(reportModel(await loadSource(folder)).warnings).toContainEqual(
      expect.stringMatching(/^registration\.json: The registration is not valid JSON/),
    );
  });

  test('sessions of the simulator have no first session', async () => {
    keepPlan(folder, plan);
    play('player');
    expect('registration' in (await loadSource(folder))).toBe(false);
  });
});
