import type { Command } from 'commander';
import { idsOf, option, withOptions } from './declareOptions.ts';
import { jsonFile } from './sharedOptions.ts';
import { filesNoted, withFolders, readWholeLog } from '../node/logFiles.ts';
import { printable } from '../node/print.ts';
import { rulesOf } from '../node/rules.ts';
import { mustBeWritable, writeAtomically } from '../node/files.ts';
import { askedValue, usageError } from '../node/exitCodes.ts';
import type { Shell } from './shell.ts';
import { otherParameters } from '../src/abr/parameters.ts';
import { parseRuleText } from '../src/abr/ruleText.ts';
import { failed, type Result } from '../src/shared/result.ts';
import { abrRules } from '../src/abr/registry.ts';
import type { MediaType, Parameters, Rule } from '../src/abr/rule.ts';
import { replay, type Replay, type ReplayedDecision } from '../src/sim/replay/replay.ts';
import {
  type Choice,
  type ReplayedChoice,
  replaySteering,
  type SteeringReplay,
} from '../src/sim/replay/replaySteering.ts';
import { policyOf, steeringPolicies } from '../src/steering/registry.ts';
import type { SteeringPolicy } from '../src/steering/policy.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';
import { textTable } from '../node/textTable.ts';

interface ReplayOptions {
  readonly rule?: readonly string[];
  readonly steering?: readonly string[];
  readonly media?: MediaType;
  readonly json?: string;
  readonly expectSame?: boolean;
}

/** Entry of the file that `--json` names. */
type Entry = ReplayOfFile | SteeringReplayOfFile;

interface ReplayOfFile extends Replay {
  readonly file: string;
  readonly parameters: Parameters;
}

interface SteeringReplayOfFile extends SteeringReplay {
  readonly file: string;
  readonly parameters: Parameters;
}

export function addReplay(program: Command, shell: Shell): void {
  const command = program
    .command('replay')
    .description(
      'show what a rule or a steering policy would have chosen at each decision of a recorded session, and why',
    )
    .argument(
      '<session...>',
      'session logs of the page, "pitwall compare" or "pitwall sim", or folders of them, or campaign folders',
    );
  withOptions(
    command,
    'inputs',
    option(
      '--rule <ids>',
      `comma-separated: ${idsOf(abrRules).join(', ')}; or id:name=value; or a file, ./mine.ts`,
      {
        parse: listed,
      },
    ),
    option(
      '--steering <policies>',
      `comma-separated: ${idsOf(steeringPolicies).join(', ')}; or id:name=value`,
      {
        parse: listed,
      },
    ),
    option('--media <type>', 'only decisions for this media type', { choices: ['video', 'audio'] }),
  );
  withOptions(command, 'output', jsonFile('write every decision of every session and rule to this file'));
  withOptions(
    command,
    'check',
    option('--expect-same', 'exit with 1 if a level is not the recorded one (for tests)'),
  ).action(async (files: string[], options: ReplayOptions) => {
    shell.exit(await replayFiles(filesNoted(withFolders(files)), options));
  });
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Replays files and resolves to the exit code. A file that cannot be read does not keep the others from being replayed. */
async function replayFiles(files: readonly string[], options: ReplayOptions): Promise<number> {
  const { rules, policies } = await readWanted(options, files);
  await mustBeWritable('--json', options.json);
  const replays: Entry[] = [];
  let code = 0;
  for (const file of files) {
    const log = await readWholeLog(file);
    if (!log.ok) {
      say(`${file}: ${log.error}\n`);
      code = 1;
      continue;
    }
    const recorded = { file, log: log.value };
    for (const done of [replayRules(recorded, rules, options), replayPolicies(recorded, policies, options)]) {
      replays.push(...done.replays);
      if (!done.isFine) code = 1;
    }
  }
  if (options.json !== undefined) writeAtomically(options.json, `${JSON.stringify(replays, null, 1)}\n`);
  return code;
}

interface Wanted {
  readonly rules: readonly Rule[];
  readonly policies: readonly SteeringPolicy[];
}

/** Reads the rules and policies that the options name. @throws Error with one sentence if it cannot */
async function readWanted({ rule, steering }: ReplayOptions, files: readonly string[]): Promise<Wanted> {
  if (rule === undefined && steering === undefined)
    throw usageError('Name what to replay with: --rule, --steering, or both.');
  const rules = rule === undefined ? [] : askedValue(await askedRules(rule, files));
  if (steering?.length === 0)
    throw usageError(`Name at least one policy: ${steeringPolicies.map(({ id }) => id).join(', ')}.`);
  return { rules, policies: (steering ?? []).map((text) => askedValue(policyOf(text))) };
}

/** The rules of texts. Of a rule that a file of its own played in a session the error asks for that file. */
async function askedRules(texts: readonly string[], files: readonly string[]): Promise<Result<Rule[]>> {
  const rules = await rulesOf(texts);
  if (rules.ok) return rules;
  for (const file of files) {
    const log = await readWholeLog(file);
    const { rule, ruleParameters } = log.ok ? log.value.environment : { rule: null, ruleParameters: null };
    const [name, sha256] = ['file', 'sha256'].map((each) => String(ruleParameters?.[each] ?? ''));
    if (sha256 !== '' && texts.some((text) => parseRuleText(text).id === rule))
      return failed(
        `The rule ${String(rule)} of ${file} came from a file, ${name} (SHA-256 ${sha256}): write --rule PATH/${name}.`,
      );
  }
  return rules;
}

interface Recorded {
  readonly file: string;
  readonly log: SessionLog;
}

interface Outcome<Replayed extends Entry> {
  readonly replays: readonly Replayed[];
  /** Whether nothing of the replay makes the command fail. */
  readonly isFine: boolean;
}

/** Replays a session with each rule and prints what they choose. */
function replayRules(
  { file, log }: Recorded,
  rules: readonly Rule[],
  { media, expectSame }: ReplayOptions,
): Outcome<ReplayOfFile> {
  const replays: ReplayOfFile[] = [];
  let isFine = true;
  for (const rule of rules) {
    noteOtherNet(file, log, rule);
    noteOtherFile(file, log, rule);
    noteOtherParameters(file, log, rule);
    const whole = ofMedia(replay(log, rule), media);
    replays.push({ file, parameters: rule.parameters, ...whole });
    process.stdout.write(formatReplay(file, rule, whole));
    if (expectSame && !isSame(file, whole)) isFine = false;
  }
  return { replays, isFine };
}

/** Replays a session with each steering policy and prints what they choose. */
function replayPolicies(
  { file, log }: Recorded,
  policies: readonly SteeringPolicy[],
  { expectSame }: ReplayOptions,
): Outcome<SteeringReplayOfFile> {
  const replays: SteeringReplayOfFile[] = [];
  let isFine = true;
  for (const policy of policies) {
    const whole = replaySteering(log, policy);
    if (!whole) {
      say(`${file}: no steering policy chose in this session.\n`);
      isFine = false;
      continue;
    }
    replays.push({ file, parameters: policy.parameters, ...whole });
    process.stdout.write(formatSteering(file, policy, whole));
    if (expectSame && !isSameSteering(file, whole)) isFine = false;
  }
  return { replays, isFine };
}

/** Tells whether a policy chooses as recorded; else says on standard error at how many questions it chooses otherwise. */
function isSameSteering(file: string, { policyId, choices, identical }: SteeringReplay): boolean {
  if (identical === choices.length) return true;
  const other = choices.length - identical;
  say(`${file}: ${policyId} chooses differently at ${other} of ${choices.length} questions.\n`);
  return false;
}

/** Says on standard error where the replay uses another net than the recorded decisions. */
function noteOtherNet(file: string, { environment }: SessionLog, rule: Rule): void {
  const [net, other] = [environment.ruleParameters, rule.parameters].map((each) => each?.['weights']);
  if (environment.rule === rule.id && net !== undefined && net !== other)
    say(
      `${file}: recorded with the weights "${net}", replayed with "${other}" (${rule.id}:weights=FILE selects others).\n`,
    );
}

/** Says on standard error where the replay uses another version of a rule file than the recorded decisions. */
function noteOtherFile(file: string, { environment }: SessionLog, rule: Rule): void {
  const [recorded, now] = [environment.ruleParameters, rule.parameters].map((each) => each?.['sha256']);
  if (environment.rule === rule.id && recorded !== now)
    say(
      `${file}: recorded with ${rule.id} of SHA-256 ${recorded ?? 'unknown'}, replayed with SHA-256 ${now ?? 'unknown'}: the file has changed.\n`,
    );
}

/** Says on standard error where the replay uses other parameters than the recorded decisions. */
function noteOtherParameters(file: string, { environment }: SessionLog, rule: Rule): void {
  if (environment.rule !== rule.id) return;
  const others = otherParameters(environment.ruleParameters, rule);
  if (others.length === 0) return;
  const [recorded, now] = (['recorded', 'now'] as const).map((of) =>
    others.map((each) => `${each.name}=${each[of]}`),
  );
  say(
    `${file}: recorded with ${recorded!.join(', ')}, replayed with ${now!.join(', ')} (${[rule.id, ...recorded!].join(':')} names the recorded values).\n`,
  );
}

/** Formats one line for each choice, recorded or replayed, that changed something or that differs from the other. */
function formatSteering(
  file: string,
  { id }: SteeringPolicy,
  { choices, identical, faults }: SteeringReplay,
): string {
  const shown = choices.filter((choice, index) => isWorthALine(choice, choices[index - 1]));
  const rows = shown.map(({ agrees, atMs, bufferMs, recorded, replayed }) => [
    agrees ? '=' : '≠',
    (atMs / 1000).toFixed(3),
    (bufferMs / 1000).toFixed(1),
    formatChoice(recorded),
    formatChoice(replayed),
  ]);
  const [heading = '', ...lines] = textTable([['', 'time, s', 'buffer, s', 'recorded', id], ...rows]).split(
    '\n',
  );
  const table = [`${heading}  because`, ...lines.map((line, index) => `${line}  ${shown[index]?.because}`)];
  const summary = `${identical} of ${choices.length} choices identical; lines are those that change something or differ`;
  return `${file} replayed with ${id}\n${[...table, summary, ...faults].join('\n')}\n\n`;
}

/** Tells whether the recorded or the replayed choice changed or began something, or the two differ from here on. */
function isWorthALine(
  { recorded, replayed, agrees }: ReplayedChoice,
  before: ReplayedChoice | undefined,
): boolean {
  const isChange =
    before?.recorded.pathway !== recorded.pathway || before.replayed.pathway !== replayed.pathway;
  const isProbe = recorded.probe !== null || replayed.probe !== null;
  return isChange || isProbe || (!agrees && (before?.agrees ?? true));
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

/** Tells whether all decisions are as recorded; else says on standard error what differs. No decisions count as different. */
function isSame(file: string, { ruleId, decisions, identical }: Replay): boolean {
  if (decisions.length > 0 && identical === decisions.length) return true;
  const other = decisions.length - identical;
  say(
    decisions.length === 0
      ? `${file}: there is no decision to compare.\n`
      : `${file}: ${ruleId} chooses another level at ${other} of ${decisions.length} decisions.\n`,
  );
  return false;
}

/** Formats a line per decision: what was chosen, what the rule would have chosen, and why. Rungs count from 1 for people. */
function replayTable({ ruleId, decisions }: Pick<Replay, 'ruleId' | 'decisions'>): string {
  const head = ['', 'media', 'time, s', 'segment', 'buffer, s', 'recorded', 'kbit/s', ruleId, 'kbit/s'];
  const [heading = '', ...lines] = textTable([head, ...decisions.map(cellsOf)]).split('\n');
  return [`${heading}  because`, ...lines.map((line, index) => `${line}  ${decisions[index]?.because}`)].join(
    '\n',
  );
}

/** Says for how many decisions the replayed rung is the recorded one, and what that count rests on. */
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

const say = (text: string): void => void process.stderr.write(printable(text));
