import { Option, type Command } from 'commander';
import { filesNoted, withFolders, readWholeLog } from '../node/logFiles.ts';
import { noteOldCount, rulesOf } from '../node/rules.ts';
import { mustBeWritable, writeAtomically } from '../node/files.ts';
import { CodedError, EXIT } from '../node/exitCodes.ts';
import type { Shell } from './shell.ts';
import { abrRules } from '../src/abr/registry.ts';
import type { MediaType, Parameters, Rule } from '../src/abr/rule.ts';
import { replay, type Replay, type ReplayedDecision } from '../src/sim/replay/replay.ts';
import { type Choice, replaySteering, type SteeringReplay } from '../src/sim/replay/replaySteering.ts';
import { policyOf, steeringPolicies } from '../src/steering/registry.ts';
import type { SteeringPolicy } from '../src/steering/policy.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';
import { ok, valueOf } from '../src/shared/result.ts';
import { textTable } from '../node/textTable.ts';

interface ReplayOptions {
  readonly rule?: readonly string[];
  readonly steering?: readonly string[];
  readonly media?: MediaType;
  readonly json?: string;
  readonly expectSame: boolean;
}

/** An entry of the file that `--json` names. */
interface ReplayOfFile extends Replay {
  readonly file: string;
  readonly parameters: Parameters;
}

interface SteeringReplayOfFile extends SteeringReplay {
  readonly file: string;
  readonly parameters: Parameters;
}

export function addReplay(program: Command, shell: Shell): void {
  program
    .command('replay')
    .description(
      'show what a rule or a steering policy would have chosen at each decision of a recorded session, and why',
    )
    .argument(
      '<session...>',
      'session logs of the page, "pitwall compare" or "pitwall sim", or folders of them, or campaign folders',
    )
    .addOption(
      new Option(
        '--rule <ids>',
        `comma-separated: ${abrRules.map(({ id }) => id).join(', ')}; or id:name=value`,
      ).argParser(listed),
    )
    .addOption(
      new Option(
        '--steering <ids>',
        `comma-separated: ${steeringPolicies.map(({ id }) => id).join(', ')}; or id:name=value`,
      ).argParser(listed),
    )
    .addOption(new Option('--media <type>', 'only decisions for this media type').choices(['video', 'audio']))
    .option('--json <file>', 'write every decision of every session and rule to this file')
    .option('--expect-same', 'exit with 1 if a level is not the recorded one (for tests)', false)
    .action(async (files: string[], options: ReplayOptions) => {
      shell.exit(await replayFiles(filesNoted(withFolders(files)), options));
    });
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Resolves to the exit code. A file that cannot be read does not keep the others from being replayed. */
async function replayFiles(files: readonly string[], options: ReplayOptions): Promise<number> {
  const { rule: wanted, steering } = options;
  if (wanted === undefined && steering === undefined)
    throw new CodedError(EXIT.usage, 'Name what to replay with: --rule, --steering, or both.');
  noteOldCount(wanted ?? []);
  const rules = wanted === undefined ? ok([]) : await rulesOf(wanted);
  if (!rules.ok) throw new Error(rules.error);
  if (steering?.length === 0)
    throw new Error(`Name at least one policy: ${steeringPolicies.map(({ id }) => id).join(', ')}.`);
  const policies = (steering ?? []).map((text) => valueOf(policyOf(text)));
  await mustBeWritable('--json', options.json);
  const replays: (ReplayOfFile | SteeringReplayOfFile)[] = [];
  let code = 0;
  for (const file of files) {
    const log = await readWholeLog(file);
    if (!log.ok) {
      process.stderr.write(`${file}: ${log.error}\n`);
      code = 1;
      continue;
    }
    for (const rule of rules.value) {
      noteOtherNet(file, log.value, rule);
      const whole = ofMedia(replay(log.value, rule), options.media);
      replays.push({ file, parameters: rule.parameters, ...whole });
      process.stdout.write(formatReplay(file, rule, whole));
      if (options.expectSame && !isSame(file, whole)) code = 1;
    }
    for (const policy of policies) {
      const whole = replaySteering(log.value, policy);
      if (!whole) {
        process.stderr.write(`${file}: no steering policy chose in this session.\n`);
        code = 1;
        continue;
      }
      replays.push({ file, parameters: policy.parameters, ...whole });
      process.stdout.write(formatSteering(file, policy, whole));
      if (options.expectSame && whole.identical < whole.choices.length) {
        const other = whole.choices.length - whole.identical;
        process.stderr.write(
          `${file}: ${policy.id} chooses otherwise at ${other} of ${whole.choices.length} questions.\n`,
        );
        code = 1;
      }
    }
  }
  if (options.json !== undefined) writeAtomically(options.json, `${JSON.stringify(replays, null, 1)}\n`);
  return code;
}

/** Says where what follows is of another net than the recorded decisions. */
function noteOtherNet(file: string, { environment }: SessionLog, rule: Rule): void {
  const [net, other] = [environment.ruleParameters, rule.parameters].map((each) => each?.['weights']);
  if (environment.rule === rule.id && net !== undefined && net !== other)
    process.stderr.write(
      `${file}: recorded with the weights "${net}", replayed with "${other}" (${rule.id}:weights=FILE selects others).\n`,
    );
}

/** One line for each choice of either that changed something, or that differs. */
function formatSteering(
  file: string,
  { id }: SteeringPolicy,
  { choices, identical, faults }: SteeringReplay,
): string {
  const told = choices.filter(({ recorded, replayed, agrees }, index) => {
    const before = choices[index - 1];
    const isChange =
      before?.recorded.pathway !== recorded.pathway || before.replayed.pathway !== replayed.pathway;
    return (
      isChange || recorded.probe !== null || replayed.probe !== null || (!agrees && (before?.agrees ?? true))
    );
  });
  const rows = told.map(({ agrees, atMs, bufferMs, recorded, replayed }) => [
    agrees ? '=' : '≠',
    (atMs / 1000).toFixed(3),
    (bufferMs / 1000).toFixed(1),
    formatChoice(recorded),
    formatChoice(replayed),
  ]);
  const [heading = '', ...lines] = textTable([['', 'time, s', 'buffer, s', 'recorded', id], ...rows]).split(
    '\n',
  );
  const table = [`${heading}  because`, ...lines.map((line, index) => `${line}  ${told[index]?.because}`)];
  const summary = `${identical} of ${choices.length} choices identical; lines are those that change something or differ`;
  return `${file} replayed with ${id}\n${[...table, summary, ...faults].join('\n')}\n\n`;
}

const formatChoice = ({ pathway, probe, rescue }: Choice): string =>
  [
    pathway,
    ...(probe === null ? [] : [`probe ${probe}`]),
    ...(rescue === null ? [] : [`continue ${rescue}`]),
  ].join(', ');

const formatReplay = (file: string, rule: Rule, whole: Replay): string =>
  `${file} replayed with ${rule.id}\n${replayTable(whole)}\n${replaySummary(whole)}\n\n`;

function ofMedia(whole: Replay, media: MediaType | undefined): Replay {
  if (media === undefined) return whole;
  const decisions = whole.decisions.filter(({ mediaType }) => mediaType === media);
  return {
    ...whole,
    decisions,
    identical: decisions.filter(({ agrees }) => agrees).length,
    derived: decisions.filter(({ input }) => input === 'derived').length,
  };
}

/** Says on standard error what is not the same. No decision at all shows nothing, so that is none either. */
function isSame(file: string, { ruleId, decisions, identical }: Replay): boolean {
  if (decisions.length > 0 && identical === decisions.length) return true;
  const other = decisions.length - identical;
  process.stderr.write(
    decisions.length === 0
      ? `${file}: there is no decision to compare.\n`
      : `${file}: ${ruleId} chooses another level at ${other} of ${decisions.length} decisions.\n`,
  );
  return false;
}

/** One line per decision: what was chosen, what the rule would have chosen, and why. Rungs count from 1 for people. */
function replayTable({ ruleId, decisions }: Pick<Replay, 'ruleId' | 'decisions'>): string {
  const head = ['', 'media', 'time, s', 'segment', 'buffer, s', 'recorded', 'kbit/s', ruleId, 'kbit/s'];
  const [heading = '', ...lines] = textTable([head, ...decisions.map(cellsOf)]).split('\n');
  return [`${heading}  because`, ...lines.map((line, index) => `${line}  ${decisions[index]?.because}`)].join(
    '\n',
  );
}

/** Of how many decisions the rung is the recorded one, and what that rests on. */
function replaySummary({ decisions, identical, derived, faults }: Replay): string {
  const lines = [`${identical} of ${decisions.length} decisions identical`];
  if (derived > 0)
    lines.push(
      `${derived} of ${decisions.length} were made by dash.js’ own rules: the input of this rule is derived from the requests, stalls and seeks in the log`,
    );
  const failures = decisions.filter(({ fault }) => fault !== null).length;
  if (failures > 0)
    lines.push(`${failures} of ${decisions.length} have no answer; their lines give the reason`);
  return [...lines, ...faults].join('\n');
}

function cellsOf(decision: ReplayedDecision): string[] {
  return [
    decision.agrees ? '=' : '≠',
    decision.mediaType,
    (decision.atMs / 1000).toFixed(3),
    decision.segment === null ? '–' : String(decision.segment),
    (decision.bufferMs / 1000).toFixed(1),
    formatRung(decision.recordedRung),
    formatRate(decision.recordedBitrateKbps),
    formatRung(decision.rung),
    formatRate(decision.bitrateKbps),
  ];
}

const formatRung = (rung: number | null): string => (rung === null ? '–' : String(rung + 1));
const formatRate = (rateKbps: number | null): string =>
  rateKbps === null ? '–' : String(Math.round(rateKbps));
