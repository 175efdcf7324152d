import { byId } from '../byId.ts';
import { setText } from '../setText.ts';
import { setTo } from '../setTo.ts';

/** What covers the picture while nothing plays: a sentence, and a big button when a start is possible. */
export function idleScreen(): (sentence: string | null, state?: 'startable' | 'busy' | 'quiet') => void {
  const root = byId('idle', HTMLDivElement);
  const button = byId('big-play', HTMLButtonElement);
  return (sentence, state = 'quiet') => {
    setTo(root, 'hidden', sentence === null);
    root.classList.toggle('busy', state === 'busy');
    setTo(button, 'hidden', state === 'quiet');
    setTo(button, 'disabled', state === 'busy');
    if (sentence !== null) setText(byId('idle-text', HTMLElement), sentence);
  };
}
