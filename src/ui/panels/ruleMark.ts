import { ruleLook } from '../../charts/ruleLook.ts';
import { element } from '../element.ts';

/** The rule's letters as a mark: filled when it won, outlined when it only voted. */
export function ruleMark(rule: string, won: boolean): HTMLElement {
  const { code, label, tone } = ruleLook(rule);
  const mark = element('span', { class: `code ${tone}${won ? ' won' : ''}`, title: label }, code);
  mark.append(element('span', { class: 'sr' }, won ? ' won' : ' voted'));
  return mark;
}
