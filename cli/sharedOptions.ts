import { availableParallelism } from 'node:os';
import { InvalidArgumentError, type Command, type Option } from 'commander';
import { idsOf, option, withOptions } from './declareOptions.ts';
import { bitrates } from './options.ts';
import { traceFormats } from '../src/network/traces/registry.ts';
import { qoeModels } from '../src/shared/qoe.ts';

/*
 * Options that several commands have, each declared once. What differs between commands is a part of the text, or whether
 * there is a preset.
 */

/** `--out` for a folder. */
export const outFolder = (text: string, preset?: string): Option => option('--out <dir>', text, { preset });

/** `-o` or `--out` for a file or a folder. */
export const outFile = (text: string, value = 'file'): Option => option(`-o, --out <${value}>`, text);

/** `--json` for a file beside what is printed. */
export const jsonFile = (text: string): Option => option('--json <file>', text);

export const junit = (): Option => option('--junit <file>', 'also write the result as JUnit XML');

/** Reads the budget of a gate in minutes. */
function minutesOf(text: string): number {
  const minutes = Number(text);
  if (minutes > 0 && minutes <= 24 * 60) return minutes;
  throw new InvalidArgumentError('--minutes takes a number above 0, at most 1440.');
}

export const gateFile = (text: string): Option => option('--file <gate.json>', text);

export const gateMinutes = (text: string): Option => option('--minutes <n>', text, { parse: minutesOf });

export const workers = (text: string, preset?: number): Option =>
  option('--workers <n>', text, { min: 1, preset });

export const seed = (text: string): Option => option('--seed <n>', text, { min: 0, preset: 1 });

export const jobs = (text = 'number of worker threads', preset = availableParallelism()): Option =>
  option('--jobs <n>', text, { min: 1, preset });

export const quick = (text: string): Option => option('--quick', text);

export const port = (text: string, preset: number): Option => option('--port <n>', text, { min: 0, preset });

export const dryRun = (text: string): Option => option('--dry-run', text);

export const again = (): Option =>
  option('--again', 'also repeat pairs with a session that was invalidated by host overload');

export const keepNetlog = (): Option =>
  option('--keep-netlog', 'keep the full NetLog of each browser, compressed, beside its session log');

/** `--trust` of every command that may ask somebody's own server. */
export const trust = (who = 'browsers and probes trust'): Option =>
  option(
    '--trust <file>',
    `certificates in PEM that ${who} beside the public ones: that of a server with a private one`,
  );

export const origin = (text: string): Option =>
  option('--origin <name>', text, { choices: ['caddy', 'instrumented'], preset: 'caddy' });

export const ladder = (text: string): Option => option('--ladder <kbps,…>', text, { parse: bitrates });

export const audio = (text: string, min: number): Option => option('--audio <kbps>', text, { min });

/** What plays over what, and how it is scored: of every command that simulates traces. */
export const withScene = (command: Command): Command =>
  withOptions(
    command,
    'inputs',
    option('--traces <path...>', 'trace files, folders of trace files, or profile:ID').makeOptionMandatory(),
    option('--format <id>', 'format of the traces (default: detected)', { choices: idsOf(traceFormats) }),
    option('--video <video>', 'the video: envivio, a folder of size files, a Sabre movie, or an MPD', {
      preset: 'envivio',
    }),
    trust('the request for an MPD trusts'),
    ladder('bitrates in kbit/s of a folder of size files, ascending'),
    option('--segment-ms <ms>', 'segment duration of a folder of size files (default: 4000)', { min: 1 }),
    option('--qoe <id>', 'QoE model of the scores', { choices: idsOf(qoeModels), preset: 'lin' }),
  );
