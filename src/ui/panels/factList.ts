import { element } from '../element.ts';
import type { Fact } from './decisionFacts.ts';

/** Facts as a two-column list; what does not fit is in the title. */
export function factList(facts: readonly Fact[]): HTMLElement {
  const parts = facts.flatMap(([label, value]) => [
    element('dt', {}, label),
    element('dd', { title: value }, value),
  ]);
  return element('dl', { class: 'kv' }, ...parts);
}
