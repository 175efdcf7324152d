import path from 'node:path';
import type { CampaignFile } from '../design/campaignFile.ts';
import { drawNetworks, networkName, refuseLimitedPath } from '../design/drawnNetworks.ts';
import type { Network } from '../design/plan.ts';
import { profilePath } from '../design/profileFile.ts';
import { profileFromFile, traceFiles } from '../simulate/traceFiles.ts';
import { lackingTraces } from '../simulate/traceStore.ts';
import type { ReadFile } from '../../node/files.ts';
import { profileOfTrace } from '../../src/network/convertProfile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { TRACE } from '../../src/network/traceSets/traceSets.ts';
import { pick } from '../../src/shared/registry.ts';

/** Says in sentences which recorded traces of a campaign are not on this machine. */
export const tracesLackingFor = (campaign: Pick<CampaignFile, 'profiles'>, file: string): string[] =>
  lackingTraces(recordedTraces(campaign), path.dirname(file));

/** Makes networks that stand still, in place of the recorded traces of a campaign that are not on this machine; by their entries. */
export const standIns = (
  campaign: Pick<CampaignFile, 'profiles'>,
  file: string,
): ReadonlyMap<string, Network> =>
  new Map(
    recordedTraces(campaign)
      .filter((entry) => lackingTraces([entry], path.dirname(file)).length > 0)
      .map((entry) => [
        entry,
        { name: networkName(entry), profile: pick(networkProfiles, 'constant-10mbps') },
      ]),
  );

const recordedTraces = ({ profiles }: Pick<CampaignFile, 'profiles'>): string[] =>
  profiles
    .flatMap((entry) => (typeof entry === 'string' ? entry : (entry.paths ?? [])))
    .filter((entry) => entry.startsWith(TRACE));

/** Options for finding files. */
interface Lookup {
  /** Folder that paths are relative to. */
  readonly folder: string;
  readonly read: ReadFile;
  /** Networks in place of recorded traces, by the entries of these. */
  readonly standIns: ReadonlyMap<string, Network>;
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
  const names = new Map<string, string>();
  for (const [index, profile] of profiles.entries())
    try {
      const read = await networksFor(profile, seeds, lookup);
      if (how.standIns.size === 0) refuseTwice(read, names);
      networks.push(...read);
    } catch (error) {
      throw new Error(`${file}: /profiles/${index}: ${(error as Error).message}`);
    }
  return networks;
}

/**
 * Refuses a network that does what another one does, whatever their files are called: they would count as two independent
 * networks. `names` are those of the networks before, by what they do.
 */
function refuseTwice(networks: readonly Network[], names: Map<string, string>): void {
  for (const { name, profile } of networks) {
    const does = JSON.stringify({ ...profile, id: '', label: '', paper: '' }, sortKeys);
    const other = names.get(does);
    // `planFault` refuses two networks of the same name.
    if (other !== undefined && other !== name)
      throw new Error(
        `The network ${name} is the same as ${other}, under another name; a network may be given only once. For more pairs on it, set "repeats".`,
      );
    names.set(does, name);
  }
}

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Reads the networks of one entry of a campaign's profiles. */
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

/** Reads the network of one name: a profile of the registry or of a file, or a recorded trace. */
async function networkFor(given: string, { folder, read, standIns: instead }: Lookup): Promise<Network> {
  const standIn = instead.get(given);
  if (standIn) return standIn;
  const file = profilePath(given);
  if (file !== null) {
    const profile = await profileFromFile(path.resolve(folder, file), read);
    return { name: profile.id, profile, isFromFile: true };
  }
  if (!given.startsWith(TRACE)) return { name: given, profile: pick(networkProfiles, given) };
  const { traces } = await traceFiles([given], null, { read, folder });
  const [trace, ...others] = traces;
  if (!trace || others.length > 0) throw new Error(`${given}: It is a folder; name one trace file.`);
  const profile = profileOfTrace(trace);
  return { name: profile.id, profile };
}
