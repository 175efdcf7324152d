import { kebab } from './contents.ts';
import { hashOf } from './drawnNetworks.ts';

/**
 * Maximum length of the words in an id. With the hash it is below the 63 characters of a DNS label (RFC 1035 §2.3.4): each
 * session is a host of its own.
 */
const LONGEST = 50;

/** Returns the id of what `name` describes: its first words for people, a hash of the whole for the machine. */
export function sessionIdOf(name: string): string {
  const words = kebab(name).slice(0, LONGEST).replace(/-$/, '');
  return `${words}-${hashOf(name).toString(16).padStart(8, '0')}`;
}
