import { OWN_RULE } from '../factors/rule.ts';
import { PLAYERS } from '../../src/player/others/createOtherPlayer.ts';
import { pickedRule } from '../../src/player/rules.ts';
import { splitRuleFile } from '../../src/abr/ruleFile.ts';
import { splitWeights, WEIGHTS } from '../../src/abr/ruleText.ts';

/** What is wrong with a rule that a page is to play, in one sentence; null: nothing. A file that it names is not opened. */
export function faultOfRule(text: string): string | null {
  if (splitRuleFile(text) !== null) return null;
  const { spec, file } = splitWeights(text);
  const owner = PLAYERS.find(({ id, ownRule }) => id !== 'dashjs' && ownRule === spec);
  if (owner) return `${spec} is the rule of ${owner.label}: write "${OWN_RULE}", and name the "players".`;
  const picked = pickedRule(spec);
  if (!picked.ok) return picked.error;
  const { id, rule } = picked.value;
  if (file !== null) return rule?.withWeights ? null : `The rule ${id} takes no weights.`;
  return rule?.withWeights && rule.shippedWeights === undefined
    ? `The rule ${id} needs weights: write ${id}${WEIGHTS}FILE.`
    : null;
}

/** Why a player other than dash.js cannot play a rule that dash.js can, in one sentence; null: it can. A file is not opened. */
export function faultInPlayer(text: string, player: string): string | null {
  if (text === OWN_RULE || splitRuleFile(text) !== null) return null;
  const picked = pickedRule(splitWeights(text).spec);
  // What is wrong with a rule in every player is said elsewhere.
  if (!picked.ok) return null;
  const { id, rule } = picked.value;
  const label = PLAYERS.find((each) => each.id === player)?.label ?? player;
  if (rule === null) return `${id} is a part of dash.js, and ${label} has its own: write "${OWN_RULE}".`;
  return rule.setsPlaybackRate || rule.parameters['live'] === 'rate'
    ? `${text} sets the playback rate, which only dash.js lets a rule do: leave it out, or ${player}.`
    : null;
}

/** The id of the rule that a player comes with; undefined: dash.js. */
export const ownRuleOf = (player: string | undefined): string =>
  PLAYERS.find(({ id }) => id === (player ?? 'dashjs'))!.ownRule;
