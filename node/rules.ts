import { existsSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { abrRules } from '../src/abr/registry.ts';
import type { Rule } from '../src/abr/rule.ts';
import { failed, ok, valueOf, type Result } from '../src/shared/result.ts';
import { splitWeights, WEIGHTS, ruleOf } from '../src/abr/ruleText.ts';
import {
  splitRuleFile,
  type RuleFile,
  faultOfTrial,
  functionBody,
  ruleOfExports,
} from '../src/abr/ruleFile.ts';
import { readPlainFile, type ReadFile, readText } from './files.ts';
import { formatThrown } from '../src/abr/answer.ts';

/** The rules that texts of the command line ask for. The error is one sentence about the first that is wrong. */
export async function rulesOf(
  texts: readonly string[],
  known: readonly Rule[] = abrRules,
): Promise<Result<Rule[]>> {
  if (texts.length === 0) return failed(`Name at least one rule: ${known.map(({ id }) => id).join(', ')}.`);
  const rules: Rule[] = [];
  for (const text of texts) {
    const requested = await readRequestedRule(text, known);
    if (!requested.ok) return requested;
    rules.push(requested.value.rule);
  }
  return ok(rules);
}

/** A rule that was asked for, as an object and as the texts that it was made of. */
export interface RequestedRule extends RuleText {
  readonly rule: Rule;
}

/**
 * The rule that a text of the command line asks for: an id with any number of `:name=value`, and for a rule that decides
 * with weights `:weights=FILE` as the last; left out, those that come with the rule. In place of the id a file of a rule can
 * stand, `./mine.ts:safety=0.8`: its rule is called by its own id. The error is one sentence.
 */
export function readRequestedRule(
  name: string,
  known: readonly Rule[],
  read?: ReadFile,
): Promise<Result<RequestedRule>> {
  const split = splitRuleFile(name);
  return split ? readOwnRule(split, read) : readRule({ name, ...splitWeights(name) }, known, read);
}

async function readOwnRule(
  { file, settings }: NonNullable<ReturnType<typeof splitRuleFile>>,
  read?: ReadFile,
): Promise<Result<RequestedRule>> {
  const own = await readRuleFile(file, read);
  if (!own.ok) return own;
  const plain = valueOf(ruleOfFile(own.value));
  const spec = `${plain.id}${settings}`;
  const rule = ruleOf(spec, [plain]);
  return rule.ok
    ? ok({ name: spec, spec, weights: null, own: own.value, rule: rule.value })
    : failed(`${file}: ${rule.error}`);
}

/** The rule of a text that was split: `file` has its weights; null: those that come with the rule. The error is one sentence. */
export async function readRule(
  { name, spec, file }: Pick<RequestedRule, 'name' | 'spec'> & { readonly file: string | null },
  known: readonly Rule[],
  read: ReadFile = readPlainFile,
): Promise<Result<RequestedRule>> {
  const reason = playerOnly(spec);
  if (reason !== null) return failed(reason);
  const rule = ruleOf(spec, known);
  if (!rule.ok) return rule;
  if (!rule.value.withWeights)
    return file === null
      ? ok({ name, spec, weights: null, rule: rule.value })
      : failed(`The rule ${rule.value.id} takes no weights.`);
  const able = await withFile(rule.value, file ?? shippedWeights(rule.value), read);
  return able.ok ? ok({ name, spec, ...able.value }) : able;
}

/**
 * Tells rules of files with one id apart by their hashes, `safe-rate@1a2b3c4d`: they may be two versions of one rule. The error
 * is one sentence about two that are the same.
 */
export function nameApart<Asked extends RequestedRule>(rules: readonly Asked[]): Result<Asked[]> {
  const named = rules.map((rule) => {
    const isAlone = !rule.own || rules.every((other) => other === rule || other.name !== rule.name);
    return isAlone
      ? rule
      : { ...rule, name: rule.name.replace(/^[^:]*/, `$&@${rule.own.sha256.slice(0, 8)}`) };
  });
  const again = named.find(({ name }, place) => named.findIndex((other) => other.name === name) < place);
  return again ? failed(`${again.own?.name ?? again.name} is named twice: ${again.name}.`) : ok(named);
}

/** Why a rule of dash.js cannot be asked outside a browser; null for all others. */
function playerOnly(spec: string): string | null {
  const [id = ''] = spec.split(':');
  if (!id.startsWith('dashjs-')) return null;
  const ours = id === 'dashjs-dynamic' ? ' The rule dynamic is our own version of it.' : '';
  return `The rule ${id} is a part of dash.js and decides only in a browser: it cannot be simulated or replayed.${ours}`;
}

async function withFile(
  { id, withWeights }: Rule,
  file: string | null,
  read: ReadFile,
): Promise<Result<Pick<RequestedRule, 'weights' | 'rule'>>> {
  if (!file) return failed(`The rule ${id} needs weights: write ${id}${WEIGHTS}FILE.`);
  const weights = await read(file).catch((error: NodeJS.ErrnoException) => error);
  if (typeof weights !== 'string')
    return failed(`The weights ${file} cannot be read (${weights.code ?? weights.message}).`);
  const able = await withWeights!(weights);
  return able.ok
    ? ok({ weights, rule: able.value })
    : failed(`The weights ${file} cannot be used by ${id}: ${able.error}`);
}

/** A rule in a form that another thread can receive: texts can be sent to a thread, functions cannot. */
export interface RuleText {
  /** Name by which the user asked for the rule; tables and files use it. */
  readonly name: string;
  /** What `ruleOf` reads. */
  readonly spec: string;
  /** What is in its file of weights; null for a rule without. */
  readonly weights: string | null;
  /** The file of a rule that is none of Pitwall's; absent for one of these. */
  readonly own?: RuleFile;
}

/** The rule of texts that `requestedRule` has found to be in order. Rejects when they are not. */
export async function parseRule({ spec, weights, own }: RuleText): Promise<Rule> {
  const rule = ruleOf(spec, own ? [valueOf(ruleOfFile(own))] : abrRules);
  const able = rule.ok && weights !== null ? await rule.value.withWeights!(weights) : rule;
  if (!able.ok) throw new Error(able.error);
  return able.value;
}

/** The file of weights that comes with a rule; null for a rule without. */
export const shippedWeights = ({ shippedWeights: file }: Pick<Rule, 'shippedWeights'>): string | null =>
  file === undefined ? null : path.join(publicFolder(import.meta.dirname), file);

/** `public/` of the checkout that this code lies in, built into one file or not. */
function publicFolder(folder: string): string {
  const found = path.join(folder, 'public');
  const above = path.dirname(folder);
  return existsSync(found) || above === folder ? found : publicFolder(above);
}

/** How long a file and the trial of its rule may take, ms: a thousand times what they need. */
const TRIAL_MS = 2000;

/** Reads a rule file once and tries its rule. The error is one sentence that names the file. */
export async function readRuleFile(file: string, read?: ReadFile): Promise<Result<RuleFile>> {
  const text = await readText(file, read).catch((error: Error) => error);
  if (typeof text !== 'string') return failed(text.message);
  const module = await javaScriptOf(file, text);
  if (!module.ok) return failed(`${file}: ${module.error}`);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const whole = { name: path.basename(file), sha256, module: module.value };
  const fault = faultWithin(whole);
  return fault === null ? ok(whole) : failed(`${file}: ${fault}`);
}

/** Makes the rule of a file that `readRuleFile` has tried. The error is one sentence that does not name the file. */
export function ruleOfFile(file: RuleFile): Result<Rule> {
  const exports: { default?: unknown } = {};
  const body = functionBody(file.module);
  if (!body.ok) return body;
  try {
    const run = vm.compileFunction(body.value, ['exports'], { filename: file.name });
    (run as (given: typeof exports) => void)(exports);
  } catch (thrown) {
    return failed(`It cannot be run: ${formatThrown(thrown)}.`);
  }
  return ruleOfExports(exports.default, file);
}

/** Returns what is wrong with a file and its rule; the limit ends also a loop that never does. */
function faultWithin(file: RuleFile): string | null {
  const tryRule = (): string | null => {
    const rule = ruleOfFile(file);
    return rule.ok ? faultOfTrial(rule.value) : rule.error;
  };
  try {
    return vm.runInNewContext('tryRule()', { tryRule }, { timeout: TRIAL_MS }) as string | null;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
    return `It did not end a trial within ${TRIAL_MS / 1000} s: it may loop for ever.`;
  }
}

/** Removes the types of a TypeScript file; JavaScript stays as it is. */
async function javaScriptOf(file: string, text: string): Promise<Result<string>> {
  if (!/\.m?ts$/.test(file)) return ok(text);
  const { default: ts } = await import('typescript');
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const [fault] = diagnostics;
  if (!fault) return ok(outputText);
  const line = (fault.file?.getLineAndCharacterOfPosition(fault.start ?? 0).line ?? 0) + 1;
  return failed(`Line ${line}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`);
}
