import { byId } from '../byId.ts';
import { element } from '../element.ts';
import type { ShownSession, View } from '../session/shownSession.ts';

/** Diagnostics in words: what happened, what it cost, what to do, and a way to the moment. */
export function diagnosticsPanel(_goTo: (atMs: number) => void): View {
  const list = byId('diag', HTMLUListElement);
  let session: ShownSession | null = null;
  const update = (): void => {
    const text = session
      ? 'Nothing to report so far.'
      : 'Faults are told here in words: what happened, what it cost, what to do.';
    list.replaceChildren(element('li', { class: 'empty-note' }, text));
  };
  update();
  return {
    show(next) {
      session = next;
      update();
    },
    update() {},
  };
}
