import { pickedRule } from '../../src/player/rules.ts';
import { splitWeights } from '../../src/abr/ruleText.ts';
import { formatCount } from '../../src/shared/format.ts';

/** A stream whose ladder is known before it is played. */
export interface KnownLadder {
  readonly name: string;
  readonly levels: number;
}

/**
 * Why a rule cannot play what its text says: `fixed` asks for a level that a stream lacks, and would play the highest one
 * instead. One sentence; null: it can. Levels count from 1.
 */
export function levelFault(texts: readonly string[], ladders: readonly KnownLadder[]): string | null {
  for (const text of texts) {
    const level = fixedLevel(text);
    const lacking = ladders.find(({ levels }) => level !== null && level > levels);
    if (lacking)
      return `${text} asks for level ${level}, but ${lacking.name} has ${formatCount(lacking.levels, 'level')}.`;
  }
  return null;
}

function fixedLevel(text: string): number | null {
  const picked = pickedRule(splitWeights(text).spec);
  if (!picked.ok || picked.value.id !== 'fixed') return null;
  const level = picked.value.rule?.parameters['level'];
  return typeof level === 'number' ? level : null;
}
