import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSummary } from './readSummary.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { sessionFiles } from '../../session/sessionFiles.ts';
import { valueOf } from '../../../src/shared/result.ts';
import { playback } from '../../../src/analysis/timeline/example.testing.ts';
import { exampleLog } from '../../../src/telemetry/exampleLog.testing.ts';

const logDir = mkdtempSync(path.join(tmpdir(), 'pitwall-summary-'));
afterAll(() => rmSync(logDir, { recursive: true, force: true }));
const [session, other] = valueOf(planCampaign({ ...startingFile, repeats: 1, seeds: [1] }, [])).sessions;

test('a session has the reasons of its failed tries, and what the last of them measured', () => {
  const files = sessionFiles(logDir, session!.id);
  const lines = ['guard-tripped', 'link-ended'].map((failure) =>
    JSON.stringify({ atUnixMs: 1, failure, message: 'x' }),
  );
  writeFileSync(files.failures, `${lines.join('\n')}\n{"atUnixMs":1,"fail`);
  const states = [playback(100, 'play-requested'), playback(700, 'playing')];
  const partial = exampleLog({ extra: states.map((state, index) => ({ ...state, id: `play${index}` })) });
  writeFileSync(files.partial, JSON.stringify(partial));
  const place = { logDir, primary: 'join-time' };
  const { outcome, summary } = readSummary(place, session!);
  expect(outcome).toMatchObject({
    state: 'laboratory',
    why: 'x',
    failedTries: ['guard-tripped', 'link-ended'],
    discarded: 600,
  });
  expect(summary).toBeNull();
  writeFileSync(files.partial, '{"schema');
  expect(readSummary(place, session!).outcome.discarded).toBeNull();
  expect(readSummary(place, other!).outcome).toMatchObject({ failedTries: [], discarded: null });
});
