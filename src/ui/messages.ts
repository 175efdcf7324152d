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

/** Something that was done for the visitor, and what can be done about it. */
interface Notice {
  readonly sentence: string;
  readonly actions: readonly { readonly label: string; readonly run: () => void }[];
}

/** The line below the header that offers a way back; each action, and Dismiss, takes it away. */
export function noticeBar(): { show(notice: Notice): void; clear(): void } {
  const root = byId('notice', HTMLElement);
  const clear = (): void => {
    root.hidden = true;
    root.replaceChildren();
  };
  const button = (label: string, run: () => void): HTMLButtonElement => {
    const made = html('button', { type: 'button', class: 'btn' }, label);
    made.addEventListener('click', () => {
      clear();
      run();
    });
    return made;
  };
  return {
    show({ sentence, actions }) {
      root.hidden = false;
      root.replaceChildren(
        html('p', {}, sentence),
        ...actions.map(({ label, run }) => button(label, run)),
        button('Dismiss', () => undefined),
      );
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
