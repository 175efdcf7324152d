import { createHash } from 'node:crypto';
import path from 'node:path';
import vm from 'node:vm';
import { readText, type ReadFile } from './files.ts';
import type { Rule } from '../src/abr/rule.ts';
import { faultOfTrial, functionBody, ruleOfExports, type RuleFile } from '../src/abr/ruleFile.ts';
import { formatThrown } from '../src/abr/answer.ts';
import { failed, ok, type Result } from '../src/shared/result.ts';

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
