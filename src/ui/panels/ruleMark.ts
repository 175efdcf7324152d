import { playerRules } from '../../player/rules.ts';
import { element } from '../element.ts';

/** Rules that dash.js runs beside the picked one, by class name (dash.js 5.2.1, streaming/rules/abr). */
const DASHJS_CLASSES: Readonly<Record<string, readonly [code: string, label: string]>> = {
  ThroughputRule: ['THR', 'Throughput'],
  BolaRule: ['BOL', 'BOLA'],
  InsufficientBufferRule: ['INS', 'Insufficient buffer'],
  SwitchHistoryRule: ['HIS', 'Switch history'],
  DroppedFramesRule: ['DRO', 'Dropped frames'],
  AbandonRequestsRule: ['ABA', 'Abandon'],
  L2ARule: ['L2A', 'Learn to adapt (L2A)'],
  LoLPRule: ['LOL', 'Low on latency (LoL+)'],
};

/** Three letters and a name for a rule of the log; an unknown one, from somebody else's log, keeps its own words. */
export function ruleName(rule: string): { readonly code: string; readonly label: string } {
  const ours = playerRules.find(({ id }) => id === rule);
  if (ours) return ours;
  const [code, label] = (Object.hasOwn(DASHJS_CLASSES, rule) && DASHJS_CLASSES[rule]) || [];
  return { code: code ?? rule.slice(0, 3).toUpperCase(), label: label ?? rule };
}

/** The rule's letters as a mark: filled when it won, outlined when it only voted. */
export function ruleMark(rule: string, won: boolean): HTMLElement {
  const { code, label } = ruleName(rule);
  const known = /^[A-Z\d]{3}$/.test(code) ? code.toLowerCase() : '';
  const mark = element('span', { class: `code ${known}${won ? ' won' : ''}`, title: label }, code);
  mark.append(element('span', { class: 'sr' }, won ? ' won' : ' voted'));
  return mark;
}
