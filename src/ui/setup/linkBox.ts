import { announce } from '../announce.ts';
import { byId } from '../byId.ts';
import { setText } from '../setText.ts';
import { sharedLink } from './sharedLink.ts';

/** The link to this set-up and the button that copies it. */
export function linkBox(setup: () => Parameters<typeof sharedLink>[1]): { update(): void } {
  const output = byId('share-url', HTMLOutputElement);
  const button = byId('copy-link', HTMLButtonElement);
  button.addEventListener('click', () => {
    void copy(sharedLink(location.href, setup()), output)
      .then((done) => {
        button.textContent = done ? 'Copied' : 'Press Ctrl+C';
        announce(done ? 'Link copied.' : 'The link is selected: copy it with Control and C.');
      })
      .finally(() => setTimeout(() => (button.textContent = 'Copy'), 2000));
  });
  return {
    update() {
      const link = sharedLink(location.href, setup());
      setText(output, link.replace(/^https?:\/\//, ''));
      output.title = link;
    },
  };
}

/** Without a secure context there is no clipboard: then the text is selected for the reader to copy. */
async function copy(text: string, shown: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    shown.textContent = text;
    getSelection()?.selectAllChildren(shown);
    return false;
  }
}
