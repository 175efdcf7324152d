import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { campaignFiles } from './campaignFiles.ts';
import { runPapers, type RunPapersOptions } from './runPapers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const elsewhere = mkdtempSync(path.join(tmpdir(), 'pitwall-papers-'));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

const said: string[] = [];
const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
afterEach(() => {
  vi.unstubAllEnvs();
  said.splice(0);
});
afterAll(() => spy.mockRestore());

const run = (changes: Partial<RunPapersOptions>): Promise<number> =>
  runPapers({
    names: [],
    full: false,
    workers: 5,
    out: path.join(elsewhere, 'runs'),
    root,
    dryRun: true,
    aggregate: false,
    again: false,
    keepNetlog: false,
    ...changes,
  });

describe('before anything is played', () => {
  test('says of all in turn, or of those named, how much it is', async () => {
    expect(await run({})).toBe(0);
    expect(said.join('')).toMatch(
      /^ {2}2024-racing-dvl: 30 sessions, 31 min\n[^]*\n300 sessions, 3 h 50 min with 5 pairs at once/,
    );
    said.splice(0);
    expect(await run({ names: ['2024-racing-limiter'], full: true })).toBe(0);
    expect(said.join('')).toMatch(/^ {2}2024-racing-limiter-full: 114 sessions, 6 h 52 min\n114 sessions, /);
  });

  test('refuses a name that is none', async () => {
    await expect(run({ names: ['2024-racing'] })).rejects.toThrow(
      'unknown id "2024-racing"; known: 2024-racing-dvl, ',
    );
  });

  test('refuses where traces are missing, also of a later one', async () => {
    const names = ['2024-racing-dvl', '2020-letter-figs-2-5'];
    vi.stubEnv('PITWALL_TRACES', path.join(elsewhere, 'no-traces'));
    mkdirSync(path.join(elsewhere, 'campaigns'));
    for (const id of names)
      cpSync(campaignFiles(root, { id }).scaled, campaignFiles(elsewhere, { id }).scaled);
    await expect(run({ names, root: elsewhere, dryRun: false })).rejects.toThrow(
      /2020-letter-figs-2-5\.json: \/profiles: trace:hsdpa: 5 traces of this set of 142/,
    );
  });
});
