import type { Parameters } from '../abr/rule.ts';
import { playerRules } from './rules.ts';

/**
 * The text that means a recorded rule: its id, and for one of ours the parameters that differ from those it comes with.
 * An id or a name that this version does not have is kept: using it then says so. The name of a net is no setting.
 */
export function formatRule(id: string, parameters: Parameters | null): string {
  const rule = playerRules.find((each) => each.id === id)?.rule;
  if (!rule?.tuned || !parameters) return id;
  const settings = Object.entries(parameters)
    .filter(([name, value]) => rule.parameters[name] !== value && !(rule.withWeights && name === 'weights'))
    .map(([name, value]) => `${name}=${value}`);
  return [id, ...settings].join(':');
}
