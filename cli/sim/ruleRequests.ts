import { readFile } from 'node:fs/promises';
import { ruleFrom, type RuleRequest } from './ruleRequest.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { ruleOf } from '../../src/abr/ruleOf.ts';
import { sentenceOf } from '../sentenceOf.ts';

const WEIGHTS = /^weights=/;

/**
 * The rules of a comma-separated text, each once. `weights=FILE` is read here; a rule that plans for a QoE and was not
 * told which gets the one that is asked of the run. @throws Error in one sentence
 */
export async function ruleRequests(text: string, qoeId: string): Promise<RuleRequest[]> {
  const names = [...new Set(text.split(',').map((each) => each.trim()))].filter((each) => each !== '');
  if (names.length === 0)
    throw new Error(`Name at least one rule: ${abrRules.map(({ id }) => id).join(', ')}.`);
  return Promise.all(names.map((name) => ruleRequest(name, qoeId)));
}

async function ruleRequest(name: string, qoeId: string): Promise<RuleRequest> {
  const parts = name.split(':');
  const file = parts.find((part) => WEIGHTS.test(part))?.replace(WEIGHTS, '');
  const spec = parts.filter((part) => !WEIGHTS.test(part)).join(':');
  const plain = ruleOf(spec, abrRules);
  if (!plain.ok) throw new Error(plain.error);
  const followsRun = 'qoe' in plain.value.parameters && !parts.some((part) => part.startsWith('qoe='));
  const request: RuleRequest = {
    name,
    spec: followsRun ? `${spec}:qoe=${qoeId}` : spec,
    weights: file === undefined ? null : await weightsOf(file),
  };
  const rule = ruleFrom(request);
  if (!rule.ok) throw new Error(rule.error);
  return request;
}

const weightsOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(sentenceOf(file, error));
  });
