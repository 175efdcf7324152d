import { byId, html } from './dom.ts';

/** The one place for failures: what happened and what to do. Returns the functions that write and clear it. */
export function alertBar(): { say(sentence: string): void; clear(): void } {
  const root = byId('alert', HTMLElement);
  const clear = (): void => {
    root.hidden = true;
    root.replaceChildren();
  };
  return {
    say(sentence) {
      const close = html('button', { type: 'button', class: 'btn quiet', id: 'alert-close' }, 'Dismiss');
      close.addEventListener('click', clear);
      root.hidden = false;
      root.replaceChildren(html('p', { id: 'alert-text' }, html('b', {}, 'Problem: '), sentence), close);
    },
    clear,
  };
}

/** Tells a screen reader what changed, politely: it finishes its sentence first. */
export function announce(sentence: string): void {
  byId('announce', HTMLElement).textContent = sentence;
}

/** What a thrown value says to people. */
export const formatThrown = (fault: unknown): string =>
  fault instanceof Error ? fault.message : String(fault);
