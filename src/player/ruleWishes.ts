import { parseRuleText } from '../abr/ruleText.ts';
import type { Player, PlayerSetup } from './player.ts';
import { ableRule, type PickableRule } from './rules.ts';

interface Picking<Picked> {
  /** Rejects with one sentence for a text that this player cannot use. */
  load(text: string, weights: string | null | undefined): Promise<Picked>;
  use(picked: Picked): void;
}

/** Rules picked during play. One that takes longer to load comes neither after one picked later nor after the end. */
export function ruleWishes<Picked>(
  setup: Pick<PlayerSetup, 'rule' | 'weights'>,
  { load, use }: Picking<Picked>,
): Pick<Player, 'useRule'> & { end(): void } {
  let newest = 0;
  let isOver = false;
  return {
    async useRule(text, weights) {
      if (isOver) throw new Error('Playback is over: a rule is picked for the next start.');
      const wish = (newest += 1);
      const given = weights === undefined && sameId(text, setup.rule) ? setup.weights : weights;
      const picked = await load(text, given);
      if (wish === newest && !isOver) use(picked);
    },
    end: () => void (isOver = true),
  };
}

/** Weights are those of one rule. */
const sameId = (one: string, other: string): boolean => parseRuleText(one).id === parseRuleText(other).id;

/** Loads the rule that a text means, with its weights. Rejects with one sentence. `rules`: those to choose from. */
export async function loadRule(
  text: string,
  weights: string | null = null,
  rules?: readonly PickableRule[],
): Promise<PickableRule> {
  const picked = await ableRule(text, { weights, shipped: fetchShippedFile }, rules);
  if (!picked.ok) throw new Error(picked.error);
  return picked.value;
}

/** Loads a file that lies beside the page. Rejects with one sentence. */
async function fetchShippedFile(file: string): Promise<string> {
  const response = await fetch(new URL(file, document.baseURI)).catch(() => null);
  if (response?.ok) return await response.text();
  throw new Error(
    `The weights that come with the rule (${file}) could not be loaded: ${response ? `the page’s server answered ${response.status}` : 'no answer'}.`,
  );
}
