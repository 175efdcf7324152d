import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readKnownSessions } from './readKnownSessions.ts';
import { networksOf } from '../../design/networks.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { keepPlan } from '../../runner/keepPlan.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { valueOf } from '../../../src/shared/result.ts';
import { exampleLog } from '../../../src/telemetry/exampleLog.testing.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-known-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function table(name: string, lines: readonly string[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\r\n`).join(''));
  return file;
}

const HEAD = 'session,rule,transport,controllers,A/A,network,state,"throughput, kbit/s",switches';

describe('a table', () => {
  test('gives its finished sessions: no A/A sessions, and a household as one network', async () => {
    const file = table('t.csv', [
      HEAD,
      'a,bola,h2,cubic,,fcc-trace-12-http-a,finished,1500.5,3',
      'b,bola,h3-only,cubic,,fcc-trace-12-http-b,finished,,0',
      'c,bola,h2,cubic,A/A,wifi,finished,1,1',
      'd,bola,h2,cubic,,wifi,invalidated by host overload,1,1',
    ]);
    const { sessions, notes } = await readKnownSessions([file]);
    expect(notes).toEqual([]);
    expect(sessions.map(({ id, arm, network, machine }) => [id, arm, network, machine])).toEqual([
      ['a', 'bola/h2/cubic', 'household 12', null],
      ['b', 'bola/h3-only/cubic', 'household 12', null],
    ]);
    expect(sessions.map(({ values }) => [values['throughput'], values['switches']])).toEqual([
      [1500.5, 3],
      [null, 0],
    ]);
    expect(sessions[0]!.values['join-time']).toBeNull();
  });

  test('without a column, or that is no CSV, is refused in a sentence; so is a session that is there twice', async () => {
    const lacking = table('lacking.csv', ['session,rule,network', 'a,bola,wifi']);
    await expect(readKnownSessions([lacking])).rejects.toThrow(/lacking\.csv: It has no column "state"; /);
    const broken = table('broken.csv', [HEAD, 'a,"bo']);
    await expect(readKnownSessions([broken])).rejects.toThrow(/broken\.csv, character \d+: It is no CSV/);
    const one = table('one.csv', [HEAD, 'a,bola,h2,cubic,,wifi,finished,1,1']);
    const other = table('other.csv', [HEAD, 'a,bola,h2,cubic,,wifi,finished,1,1']);
    await expect(readKnownSessions([one, other])).rejects.toThrow(/other\.csv: Session a is in .*one\.csv/);
    await expect(readKnownSessions([path.join(folder, 'gone.csv')])).rejects.toThrow(/There is no such file/);
  });
});

describe('a folder', () => {
  function play(profiles: readonly string[], id: string | undefined): void {
    const campaign = { ...startingFile, profiles: [...profiles], repeats: 1, seeds: [1] };
    const plan = valueOf(planCampaign(campaign, networksOf(campaign)));
    keepPlan(folder, plan);
    mkdirSync(logDirOf(folder));
    const machine = { cores: 2, meanBusyPercent: 1, worstBusyPercent: 2, windowMs: 1000, latestTimerMs: 5 };
    for (const { id: name, design } of plan.sessions) {
      const log = exampleLog();
      const environment = { ...log.environment, machine: { ...machine, ...(id && { id }), flags: [] } };
      writeFileSync(
        path.join(logDirOf(folder), `${name}.json`),
        JSON.stringify({ ...log, id: name, design, environment }),
      );
    }
  }

  test('gives its sessions with network, machine and the place of their logs', async () => {
    play(['dvl', 'wifi'], '0a1b2c3d');
    const { sessions } = await readKnownSessions([folder]);
    expect(sessions).toHaveLength(8);
    expect(new Set(sessions.map(({ network }) => network))).toEqual(new Set(['dvl', 'wifi']));
    expect(new Set(sessions.map(({ machine }) => machine))).toEqual(new Set(['0a1b2c3d']));
    expect(sessions[0]!.logFile).toBe(path.join(logDirOf(folder), `${sessions[0]!.id}.json`));
  });

  test('without emulated links has no network to leave out', async () => {
    play([], undefined);
    expect(await readKnownSessions([folder])).toEqual({
      sessions: [],
      notes: [`${folder}: 4 sessions without an emulated link left out.`],
    });
  });
});
