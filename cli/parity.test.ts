import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parityPairs, parityTable } from './parity.ts';
import { parityOf } from '../src/analysis/parity.ts';
import { isAaSession } from '../experiment/factors/arms.ts';
import { networksOf } from '../experiment/design/networks.ts';
import { planCampaign } from '../experiment/design/planCampaign.ts';
import { startingFile } from '../experiment/design/startingFile.ts';
import { valueOf } from '../src/shared/result.ts';
import { exampleLog } from '../src/telemetry/exampleLog.testing.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';

const design = { campaign: 'c', pair: 'p', arm: 'bola/h2', order: 0, repeat: 0, seed: 1 };
let [lab, simulated] = ['', ''];
beforeEach(() => {
  [lab, simulated] = [folder(), folder()];
});
afterEach(() => [lab, simulated].forEach((each) => rmSync(each, { recursive: true, force: true })));

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'pitwall-parity-'));
  mkdirSync(path.join(made, 'sessions'));
  return made;
}

function write(into: string, id: string, changes: { cell?: string; flags?: string[] } = {}): void {
  const { cell = 'bola/h2/dvl/demo', flags = [] } = changes;
  const log: SessionLog = { ...exampleLog(), id, design: { ...design, cell } };
  const machine = {
    cores: 2,
    meanBusyPercent: 10,
    worstBusyPercent: 20,
    windowMs: 1000,
    latestTimerMs: 5,
    flags,
  };
  const environment = flags.length > 0 ? { ...log.environment, machine } : log.environment;
  writeFileSync(path.join(into, 'sessions', `${id}.json`), JSON.stringify({ ...log, environment }));
}

test('joins sessions by id; what only one folder has, and what the machine held up, does not count', async () => {
  for (const id of ['a', 'b', 'c', 'd'])
    write(lab, id, id === 'b' ? { flags: ['The machine was busy.'] } : {});
  for (const id of ['a', 'b', 'c']) write(simulated, id, id === 'c' ? { cell: 'bola/h2/dl/demo' } : {});
  writeFileSync(path.join(simulated, 'plan.json'), '{}');
  for (const end of ['partial', 'netlog']) writeFileSync(path.join(lab, 'sessions', `a.${end}.json`), '{}');
  const { pairs, leftOut } = await parityPairs(lab, path.join(simulated, 'sessions'));
  expect(pairs.map(({ cell }) => cell)).toEqual(['bola/h2/dvl/demo']);
  expect(leftOut).toEqual([
    `1 of the sessions in ${lab} are not in the other folder.`,
    'b: Invalidated by host overload: The machine was busy.',
    'c: The two logs belong to different cells of a campaign.',
  ]);
});

test('folders that have nothing in common, are not there, or hold something else', async () => {
  write(lab, 'a');
  write(simulated, 'b');
  await expect(parityPairs(lab, simulated)).rejects.toThrow(/ have no session in common\. /);
  await expect(parityPairs(lab, '/nowhere/at/all')).rejects.toThrow(/There is no such file or folder/);
  writeFileSync(path.join(simulated, 'sessions', 'a.json'), '{"schema":');
  await expect(parityPairs(lab, simulated)).rejects.toThrow(/a\.json: /);
});

test('the table marks gaps and shows what is not known as such', () => {
  const figures = { bitrateKbps: 1000, rebufferPerMinuteS: 0, joinMs: null, switches: 2, requests: 9 };
  const apart = { ...figures, bitrateKbps: 1060, rebufferPerMinuteS: 1.5 };
  const text = parityTable(parityOf([{ cell: 'a', lab: figures, simulated: apart }]), 400);
  expect(text.split('\n')[1]!.split(/ {2,}/)).toEqual(
    'a|1|1000|1060|+6.0|0.00|1.50|+1.50|–|–|2.0|2.0|bitrate, stalls'.split('|'),
  );
});

test('sessions that play an arm again are cells, but no arm to compare with others', async () => {
  const campaign = { ...startingFile, profiles: ['dvl'], repeats: 1, seeds: [1], aaSessions: true };
  const plan = valueOf(planCampaign(campaign, networksOf(campaign)));
  writeFileSync(path.join(lab, 'plan.json'), JSON.stringify(plan));
  for (const folderOf of [lab, simulated])
    for (const { id, design: planned } of plan.sessions)
      writeFileSync(
        path.join(folderOf, 'sessions', `${id}.json`),
        JSON.stringify({ ...exampleLog(), id, design: planned }),
      );
  const { pairs } = await parityPairs(lab, simulated);
  expect(pairs).toHaveLength(5);
  const again = pairs.filter(({ factors }) => factors === undefined);
  expect(again.map(({ cell }) => cell)).toEqual(
    plan.sessions.filter(isAaSession).map(({ design: each }) => each.cell),
  );
});
