import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesUnder, hasBundle, readBundle, type Files } from './bundle.ts';
import { ffmpegVersion, runCommand, type Command } from './command.ts';
import { commandsOf, GROUPS, HALF, type Group } from './commands.ts';
import { differences, readRenames } from './compare.ts';
import { isGivenUp, outlineOf, withoutOtherWeights } from './givenUp.ts';
import { inputNames, unpackInputs } from './inputs.ts';

/** A command takes half a second to start: a plain run draws so many, always the same ones. */
const SAMPLE: Readonly<Record<Group, number>> = {
  sim: 1,
  campaign: 0,
  'read-sim': 5,
  'read-campaign': 2,
  'read-old': 2,
  'read-lab': 2,
};
const LIMIT_MS = 300_000;
const code = path.dirname(import.meta.dirname);
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-baseline-'));
const renames = readRenames();
let inputs = '';

beforeAll(() => void (inputs = unpackInputs(folder)), LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: Command): Promise<Files> =>
  runCommand(command, { code, inputs, folder: path.join(folder, 'run') });

/** Draws `count` commands by the hashes of their ids: two lists that differ by one entry give nearly the same commands. */
function drawn(commands: readonly Command[], count: number): readonly Command[] {
  if (process.env['PITWALL_FULL'] === '1') return commands;
  const place = ({ id }: Command): string => createHash('sha256').update(id).digest('hex');
  return [...commands].sort((one, other) => (place(one) < place(other) ? -1 : 1)).slice(0, count);
}

const isDrawn = (group: Group): boolean => SAMPLE[group] > 0 || process.env['PITWALL_FULL'] === '1';
/** Whether this ffmpeg made the recorded streams of the campaigns: another version may write more or fewer first bytes. */
const isSameFfmpeg = readBundle('campaign')['ffmpeg.txt'] === ffmpegVersion(code);

/** Returns what of a command's files must be as recorded: an outline where sessions play another way on purpose, else all. */
function comparable(files: Files, group: Group, { id }: Command): Files {
  if (group === 'sim') return withoutOtherWeights(files);
  return group === 'campaign' && isGivenUp(id) ? outlineOf(files) : files;
}

describe.each(GROUPS.filter((group) => hasBundle(group) && isDrawn(group)))(
  '%s: every number is as it was recorded',
  (group) => {
    const recorded = readBundle(group);
    test
      .skipIf(group === 'campaign' && !isSameFfmpeg)
      .each(drawn(commandsOf(group, inputNames()), SAMPLE[group]))(
      '$id',
      async (command) => {
        const was = filesUnder(recorded, command.id);
        expect(Object.keys(was)).toContain('exit');
        const is = await run(command);
        expect(differences(comparable(was, group, command), comparable(is, group, command), renames)).toEqual(
          [],
        );
      },
      LIMIT_MS,
    );
  },
);

test.skipIf(!isSameFfmpeg)(
  'a campaign that an older version began goes on, and ends as that version ended it',
  async () => {
    const { stderr, exit, ...files } = await run({
      id: 'resumed',
      args: ['compare', `old/made/${HALF}.campaign.json`, '--simulate', '--out', 'out/run'],
      copies: { 'campaign/half': 'out/run' },
    });
    expect({ stderr, exit }).toEqual({ stderr: '', exit: '0' });
    const whole = filesUnder(readBundle('campaign'), `${HALF}/out/run`);
    // The files that failed tries left stay.
    const is = Object.fromEntries(
      Object.entries(filesUnder(files, 'out/run')).filter(
        ([name]) => !/\.(?:partial|failures|race-faults)\./.test(name),
      ),
    );
    expect(Object.keys(is)).toEqual(Object.keys(whole));
    expect(isGivenUp(HALF)).toBe(true);
    expect(differences(outlineOf(whole), outlineOf(is), renames)).toEqual([]);
  },
  LIMIT_MS,
);
