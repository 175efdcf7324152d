import type { CompareCell } from './plan.ts';
import { armName } from '../../plan/factorsOf.ts';

/** What a session is called while it is played; Playwright takes each title once in a group, so it names all of an arm. */
export function titleOf({
  rule,
  transport,
  controller,
  design,
}: Pick<CompareCell, 'rule' | 'transport' | 'controller' | 'design'>): string {
  const by = controller === undefined ? '' : ` by ${controller}`;
  const known = armName([rule, transport, ...(controller === undefined ? [] : [controller])]);
  const label = design?.arm.slice(known.length + 1) ?? '';
  return `${rule} over ${transport}${by}${label === '' ? '' : `, label ${label}`}`;
}
