import type { SessionLog } from './schema/sessionLog.ts';

export type TransportMode = NonNullable<SessionLog['environment']['transport']>;

/** The protocols that media can come over in each transport mode, in the order in which a browser comes to them. */
export const MODE_PROTOCOLS: Readonly<Record<TransportMode, readonly ('h1' | 'h2' | 'h3')[]>> = {
  h1: ['h1'],
  h2: ['h2'],
  'h3-racing': ['h2', 'h3'],
  'h3-no-fallback': ['h2', 'h3'],
  'h3-migrating': ['h2', 'h3'],
  'h3-only': ['h3'],
};

/** The protocol that a mode ends at where the origin offers it. */
export const lastProtocolOf = (mode: TransportMode): 'h1' | 'h2' | 'h3' => MODE_PROTOCOLS[mode].at(-1)!;

/** Whether the browser chooses between TCP and QUIC. */
export const isRacing = (mode: TransportMode): boolean => MODE_PROTOCOLS[mode].length > 1;

/** The protocols of a mode that may be of another version or unknown. */
export const protocolsOfMode = (mode: string | null): readonly ('h1' | 'h2' | 'h3')[] =>
  mode !== null && Object.hasOwn(MODE_PROTOCOLS, mode) ? MODE_PROTOCOLS[mode as TransportMode] : [];
