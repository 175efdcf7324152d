import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { keepPlan } from '../runner/keepPlan.ts';
import { resolveFile } from './resolve.ts';
import { simulatedSession } from '../runner/simulated/simulatedSession.ts';
import { profileOfFile, readProfileFile } from '../design/profileFile.ts';
import { startingFile } from '../design/startingFile.ts';
import { networkGroups } from '../design/networks.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { valueOf } from '../../src/shared/result.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-profiles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(path.join(folder, 'nets'));

const planOf = async (file: string) => (await resolveFile(file)).plan;
const write = (name: string, value: unknown): string => {
  const file = path.join(folder, name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};
const profile = (downKbps: number, more: Record<string, unknown> = {}) => ({
  schema: 'pitwall-profile/1',
  label: 'A path',
  steps: [{ durationMs: 5000, downKbps, rttMs: 40, gilbertDown: { p: 0.01, r: 0.5 } }],
  ...more,
});
const campaignOf = (profiles: readonly unknown[]): string =>
  write('c.json', { ...startingFile, rules: ['throughput'], transports: ['h2', 'h3-only'], profiles });
beforeEach(() => void write('nets/Bus 12.profile.json', profile(2000)));

describe('a campaign over profiles in files', () => {
  it('has them beside others, named after their files, which lie beside the campaign', async () => {
    write('nets/tram.json', profile(900, { steps: [{ trace: '../tram.log', rttMs: 30 }] }));
    write('tram.log', '0 2\n300 1\n');
    const drawn = { profile: 'udp-limiter', limitKbps: [64, 500], count: 2, paths: ['file:nets/tram.json'] };
    const { campaign, networks } = await planOf(
      campaignOf(['dvl', 'nets/Bus 12.profile.json', 'nets/tram.json', drawn]),
    );
    expect(networks.map(({ name, isFromFile }) => [name, isFromFile])).toEqual([
      ['dvl', undefined],
      ['bus-12', true],
      ['tram', true],
      [expect.stringMatching(/^udp-limiter-limit-\d+-tram$/), true],
      [expect.stringMatching(/^udp-limiter-limit-\d+-tram$/), true],
    ]);
    expect(networkGroups(campaign)).toEqual(new Set(networks.map(({ name }) => name)));
    expect(new Set(networks[2]!.profile.steps.map(({ rttMs }) => rttMs))).toEqual(new Set([30]));
    expect(networks[3]!.profile.steps).toEqual(networks[2]!.profile.steps);
    expect(networks[3]!.profile.udp).toHaveLength(1);
  });

  it('refuses a network that is given twice under other names', async () => {
    const { steps, ...rest } = profile(2000);
    write('nets/reordered.json', { steps, ...rest, label: 'Another label' });
    write('bus.log', '0 2\n300 1\n');
    write('copy.txt', '0 2.0\r\n300 1.0');
    for (const [one, other, names] of [
      ['nets/Bus 12.profile.json', 'nets/reordered.json', ['reordered', 'bus-12']],
      ['trace:bus.log', 'trace:copy.txt', ['copy-txt', 'bus-log']],
    ] as const)
      await expect(planOf(campaignOf(['dvl', one, other]))).rejects.toThrow(
        `c.json: /profiles/2: The network ${names[0]} is the same as ${names[1]}, under another name; a network may be given only once.`,
      );
  });

  it('does not go on with a file that was changed', async () => {
    const file = campaignOf(['nets/Bus 12.profile.json']);
    const outDir = path.join(folder, 'run');
    keepPlan(outDir, await planOf(file));
    keepPlan(outDir, await planOf(file));
    write('nets/Bus 12.profile.json', profile(2001));
    const changed = await planOf(file);
    expect(() => keepPlan(outDir, changed)).toThrow(
      'plan.json: nets/Bus 12.profile.json has changed since this folder was begun, and',
    );
  });

  it('leaves logs that hold the profile whole, as a file', async () => {
    const { networks, sessions } = await planOf(campaignOf(['nets/Bus 12.profile.json']));
    const contents = { demo: { ...envivio, manifestBytes: 3000 } };
    const log = simulatedSession({ networks, contents, seconds: 20, preset: 'experiment' }, sessions[0]!);
    const read = valueOf(readSession(JSON.stringify(log)));
    const file = valueOf(readProfileFile(JSON.stringify(read.environment.profile), 'log'));
    expect(valueOf(profileOfFile(file, { id: 'bus-12' }))).toEqual(networks[0]!.profile);
  });

  it.each<[unknown, string]>([
    ['nets/none.json', 'none.json: There is no such file or folder.'],
    ['trian', 'c.json: /profiles/0: Unknown profile "trian"'],
    ['nets/broken.json', 'broken.json: /steps/0/downKbps should be'],
    ['nets/notrace.json', 'notrace.json: /steps/0/trace: '],
    [
      { profile: 'udp-limiter', limitKbps: [64, 500], count: 2, paths: ['nets/limited.json'] },
      'c.json: /profiles/0: nets/limited.json has limits of its own: name a profile without.',
    ],
  ])('says what is wrong with %j', async (entry, sentence) => {
    write('nets/broken.json', profile(-1));
    write('nets/notrace.json', profile(1, { steps: [{ trace: 'none.log', rttMs: 5 }] }));
    write('nets/limited.json', profile(900, { udp: [{ fromMs: 0, kbps: 64 }] }));
    await expect(planOf(campaignOf([entry]))).rejects.toThrow(sentence);
    await expect(planOf(campaignOf([entry]))).rejects.toThrow('c.json: /profiles/0: ');
  });
});
