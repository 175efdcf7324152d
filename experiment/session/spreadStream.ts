import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hostsOf } from '../factors/hosts.ts';
import { spreadMpd } from '../../lab/content/spreadMpd.ts';
import { mountedFile } from './originEvidence.ts';
import type { CompareCell, ComparePlan } from './plan.ts';

/** A stream whose media come from several names of one origin. */
export interface SpreadStream {
  /** The folder of its MPD, for the origin. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Path of its MPD on the origin. */
  readonly mpd: string;
  /** A file of each further name. */
  readonly mediaUrls: readonly string[];
  /** Removes the MPD. */
  stop(): Promise<void>;
}

const PREFIX = '/spread';

/**
 * Writes the MPD of a session whose cell names several hosts; null for one host. The names lie right below that of the origin,
 * which serves them and whose certificate does not have them: so a browser makes connections of its own to each (RFC 9110,
 * section 7.4: a connection is used again for another host only where its certificate covers that host).
 */
export async function spreadStream(
  { mounts }: Pick<ComparePlan, 'mounts'>,
  { mpd, hosts = 'one' }: Pick<CompareCell, 'mpd' | 'hosts'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<SpreadStream | null> {
  const spread = hostsOf(hosts);
  const file = mountedFile(mounts, mpd);
  if (spread === null || spread.count < 2 || file === null) return null;
  const names = Array.from({ length: spread.count - 1 }, (_, index) => `media-${index + 2}.${host}`);
  const baseOf = (name: string): string => `https://${name}:${port}${path.posix.dirname(mpd)}/`;
  const others = names.map(baseOf);
  const text = spreadMpd(await readFile(file, 'utf8'), { by: spread.by, bases: [baseOf(host), ...others] });
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-spread-'));
  await writeFile(path.join(folder, 'manifest.mpd'), text);
  return {
    mounts: { [PREFIX]: folder },
    mpd: `${PREFIX}/manifest.mpd`,
    mediaUrls: others.map((base) => `${base}${path.posix.basename(mpd)}`),
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}
