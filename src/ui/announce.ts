import { byId } from './byId.ts';

/** Tells a screen reader what changed, politely: it finishes its sentence first. */
export function announce(sentence: string): void {
  byId('announce', HTMLElement).textContent = sentence;
}
