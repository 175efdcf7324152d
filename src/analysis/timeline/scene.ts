import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** What was done to a session from outside: by the link of the lab, and by the viewer's script. A session that is recorded has none of the link's. */
export interface Scene {
  /** What the link did to the path, in order of time. */
  readonly link: readonly LinkMark[];
  /** Whether the viewer followed a script. */
  readonly hasScript: boolean;
}

export interface LinkMark {
  /** Below 0 for what was done before the session. */
  readonly atMs: number;
  /** The end of a limit; null: until the end of the session, or a thing of a moment. */
  readonly toMs: number | null;
  /** A limit of one transport, or what a client gets at this moment. */
  readonly kind: 'udp' | 'tcp' | 'address' | 'udp-ports';
  /** Of a limit, in kbit/s; 0 is a block. null for all else. */
  readonly kbps: number | null;
}

export const NO_SCENE: Scene = { link: [], hasScript: false };

type LinkRun = NonNullable<SessionLog['environment']['linkRun']>;

/** The scene of a session, live or from a file. */
export function sceneOf({ environment, clock }: Pick<SessionLog, 'environment' | 'clock'>): Scene {
  const { linkRun } = environment;
  return {
    link: linkRun ? linkMarks(linkRun, clock.startedAtUnixMs) : [],
    hasScript: environment.viewer !== undefined,
  };
}

function linkMarks(linkRun: LinkRun, zeroUnixMs: number): LinkMark[] {
  const moments = (kind: 'address' | 'udp-ports', changes: readonly { readonly atUnixMs: number }[] = []) =>
    changes.map(({ atUnixMs }): LinkMark => ({ atMs: atUnixMs - zeroUnixMs, toMs: null, kind, kbps: null }));
  return [
    ...limitMarks('udp', linkRun.udpChanges, zeroUnixMs),
    ...limitMarks('tcp', linkRun.tcpChanges ?? [], zeroUnixMs),
    ...moments('address', linkRun.addressChanges),
    ...moments('udp-ports', linkRun.udpPortChanges),
  ].sort((one, other) => one.atMs - other.atMs);
}

/** A limit ends where the next one begins. */
const limitMarks = (kind: 'udp' | 'tcp', changes: LinkRun['udpChanges'], zeroUnixMs: number): LinkMark[] =>
  changes.flatMap(({ atUnixMs, kbps }, index) => {
    if (kbps === null) return [];
    const next = changes[index + 1];
    return [{ atMs: atUnixMs - zeroUnixMs, toMs: next ? next.atUnixMs - zeroUnixMs : null, kind, kbps }];
  });
