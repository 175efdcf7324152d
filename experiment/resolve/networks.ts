import path from 'node:path';
import type { CampaignFile } from '../plan/campaignFile.ts';
import { drawNetworks, networkName, refuseLimitedPath } from '../plan/drawnNetworks.ts';
import type { Network } from '../plan/plan.ts';
import { profilePath } from '../plan/profileFile.ts';
import { profileFromFile } from '../simulate/profileFiles.ts';
import { traceFiles } from '../simulate/traceFiles.ts';
import { filesOfTrace, lackingTraces } from '../simulate/traceStore.ts';
import type { ReadFile } from '../../node/files.ts';
import { profileOfTrace } from '../../src/network/convertProfile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { TRACE } from '../../src/network/traceSets/traceSets.ts';
import { pick } from '../../src/shared/registry.ts';

/** Says in sentences which recorded traces of a campaign are not on this machine. */
export function tracesLackingFor({ profiles }: Pick<CampaignFile, 'profiles'>, file: string): string[] {
  const entries = profiles.flatMap((entry) => (typeof entry === 'string' ? entry : (entry.paths ?? [])));
  return lackingTraces(
    entries.filter((entry) => entry.startsWith(TRACE)),
    path.dirname(file),
  );
}

/** How files are found. */
interface Lookup {
  /** Which paths are relative to. */
  readonly folder: string;
  readonly read: ReadFile;
  /** Whether a network whose recorded trace is not on this machine stands still. */
  readonly without: boolean;
}

/**
 * Reads the networks of a campaign, in the order of its profiles. Paths are relative to the folder of `file`.
 *
 * @throws Error in one sentence that names file and place
 */
export async function readNetworks(
  { profiles, seeds }: Pick<CampaignFile, 'profiles' | 'seeds'>,
  file: string,
  how: Omit<Lookup, 'folder'>,
): Promise<Network[]> {
  const lookup = { ...how, folder: path.dirname(file) };
  const networks: Network[] = [];
  for (const [index, profile] of profiles.entries())
    networks.push(
      ...(await networksFor(profile, seeds, lookup).catch((error: Error) => {
        throw new Error(`${file}: /profiles/${index}: ${error.message}`);
      })),
    );
  return networks;
}

/** The networks of one entry of a campaign's profiles. */
async function networksFor(
  given: CampaignFile['profiles'][number],
  seeds: CampaignFile['seeds'],
  lookup: Lookup,
): Promise<Network[]> {
  if (typeof given === 'string') return [await networkFor(given, lookup)];
  const paths = new Map<string, Network>();
  for (const each of given.paths ?? []) {
    const network = await networkFor(each, lookup);
    refuseLimitedPath(each, network.profile);
    paths.set(each, network);
  }
  const isAnyFromFile = [...paths.values()].some(({ isFromFile }) => isFromFile);
  return drawNetworks(given, seeds, (name) => paths.get(name)!.profile).map((network) =>
    isAnyFromFile ? { ...network, isFromFile: true } : network,
  );
}

/** A profile of the registry or of a file, or a recorded trace. */
async function networkFor(given: string, { folder, read, without }: Lookup): Promise<Network> {
  const file = profilePath(given);
  if (file !== null) {
    const profile = await profileFromFile(path.resolve(folder, file), read);
    return { name: profile.id, profile, isFromFile: true };
  }
  if (!given.startsWith(TRACE)) return { name: given, profile: pick(networkProfiles, given) };
  if (without && lackingTraces([given], folder).length > 0)
    return { name: networkName(given), profile: pick(networkProfiles, 'constant-10mbps') };
  const { traces } = await traceFiles(filesOfTrace(given, folder), null, read);
  const [trace, ...others] = traces;
  if (!trace || others.length > 0) throw new Error(`${given}: It is a folder; name one trace file.`);
  const profile = profileOfTrace(trace);
  return { name: profile.id, profile };
}
