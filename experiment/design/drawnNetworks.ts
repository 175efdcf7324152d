import type { CampaignFile, DrawnProfile } from './campaignFile.ts';
import { kebab } from './contents.ts';
import type { Network } from './plan.ts';
import { profileFileName, profilePath } from './profileFile.ts';
import type { Profile } from '../../src/network/profile.ts';
import type { FamilyParameter, NetworkPath, ProfileFamily } from '../../src/network/profileFamily.ts';
import { networkProfiles, profileFamilies } from '../../src/network/profiles/registry.ts';
import { exp } from '../../src/shared/exactMath/exp.ts';
import { ln } from '../../src/shared/exactMath/ln.ts';
import { faultOfNamed, TRACE } from '../../src/network/traceSets/traceSets.ts';
import { pick } from '../../src/shared/registry.ts';

/** One value for all draws, or a range from which each draws its own. */
type Given = number | readonly number[];

/** What a campaign file gives for a parameter; undefined: nothing. */
const givenOf = (entry: DrawnProfile, id: string): Given | undefined =>
  (entry as Readonly<Record<string, unknown>>)[id] as Given | undefined;

const isRange = (given: Given | undefined): given is readonly number[] => typeof given === 'object';

/**
 * The networks that a campaign draws from a profile family. They depend only on the entry and on the first seed of the
 * campaign, so the plan is the same on every machine, and a larger `count` keeps the first networks. No two are the same.
 * `pathOf` reads one of the entry's `paths`.
 * @throws Error if the ranges have too few different networks; `drawnFaults` says so before
 */
export function drawNetworks(
  entry: DrawnProfile,
  seeds: CampaignFile['seeds'],
  pathOf: (path: string) => NetworkPath = pathOfProfile,
): Network[] {
  const networks = drawn(entry, seeds, pathOf);
  if (networks.length < entry.count) throw new Error(tooFew(entry));
  return networks;
}

const pathOfProfile = (id: string): NetworkPath => pick(networkProfiles, id);

/** The names of the same networks; no trace is read for them. */
export const drawnNames = (entry: DrawnProfile, seeds: CampaignFile['seeds']): string[] =>
  drawn(entry, seeds, () => NO_PATH).map(({ name }) => name);

const NO_PATH: NetworkPath = { steps: [], repeat: false, queue: { kind: 'droptail', packets: 1 } };

/** The name that a profile or a trace has in the names of networks. */
export function networkName(entry: string): string {
  const file = profilePath(entry);
  if (file !== null) return profileFileName(file);
  return entry.startsWith(TRACE) ? kebab(entry.slice(TRACE.length).replace(/^.*[\\/]/, '')) : entry;
}

/** So many draws for each network that is wanted, as some are the same. */
const TRIES = 200;

/** As many different networks as are found, at most `count`. */
function drawn(
  entry: DrawnProfile,
  seeds: CampaignFile['seeds'],
  pathOf: (path: string) => NetworkPath,
): Network[] {
  const family = pick(profileFamilies, entry.profile);
  const { paths = [] } = entry;
  const ranges = JSON.stringify(family.parameters.map(({ id }) => givenOf(entry, id) ?? null));
  const found = new Map<string, Network>();
  for (let draw = 0; found.size < entry.count && draw < TRIES * entry.count; draw++) {
    const seedText = `network/${family.id}/${ranges}/${seeds[0]!}/${draw}`;
    const values = family.parameters.map((parameter) => valuesOf(parameter, entry, seedText));
    const path = paths[found.size % Math.max(1, paths.length)];
    const key = JSON.stringify([values, path]);
    if (found.has(key)) continue;
    const named = { entry, values, place: found.size + 1, ...(path !== undefined && { path }) };
    found.set(key, networkOf(family, named, path === undefined ? undefined : pathOf(path)));
  }
  return [...found.values()];
}

function valuesOf(parameter: FamilyParameter, entry: DrawnProfile, seedText: string): number[] {
  const given = givenOf(entry, parameter.id) ?? parameter.usual;
  return Array.from({ length: parameter.count }, (_, place) =>
    isRange(given)
      ? drawValue(parameter, given, hashOf(`${seedText}/${parameter.id}/${place}`) / 2 ** 32)
      : given,
  );
}

/** `share` is from 0 to 1. The logarithm is the same in every engine (decision 12). */
function drawValue({ scale, step }: FamilyParameter, range: readonly number[], share: number): number {
  const [min, max] = range as [number, number];
  const raw = scale === 'log' ? exp(ln(min) + share * (ln(max) - ln(min))) : min + share * (max - min);
  const rounded = Number((Math.round(raw / step) * step).toPrecision(12));
  return Math.min(max, Math.max(min, rounded));
}

interface Drawn {
  readonly entry: DrawnProfile;
  readonly values: readonly number[][];
  readonly place: number;
  /** As the entry has it. */
  readonly path?: string;
}

function networkOf(
  family: ProfileFamily,
  { entry, values, place, path: pathEntry }: Drawn,
  path: NetworkPath | undefined,
): Network {
  const given = family.parameters.map((parameter, at) => ({
    parameter,
    values: values[at]!,
    given: givenOf(entry, parameter.id),
  }));
  const named = given.filter((each) => each.given !== undefined);
  const isNumbered = named.some((each) => isRange(each.given) && each.parameter.count > 1);
  const words = named.flatMap(({ parameter, values: of, given: from }) => [
    parameter.word,
    ...(parameter.count === 1 ? of : [from!].flat()),
  ]);
  const over = pathEntry === undefined ? [] : [networkName(pathEntry)];
  const name = kebab([family.id, ...words, ...over, ...(isNumbered ? [place] : [])].join('-'));
  const facts = [
    ...named.map(({ parameter, values: of }) => `${parameter.id} ${of.join(', ')}`),
    ...over.map((id) => `path ${id}`),
  ];
  const byId = Object.fromEntries(given.map(({ parameter, values: of }) => [parameter.id, of]));
  return {
    name,
    profile: { ...family.profile(byId, path), id: name, label: `${family.label}: ${facts.join('; ')}` },
  };
}

/** `udp-limiter with limitKbps 64 to 1000, pathKbps 2000`. */
export function formatFamily(entry: DrawnProfile): string {
  const { parameters } = pick(profileFamilies, entry.profile);
  const facts = parameters.flatMap(({ id }) => {
    const given = givenOf(entry, id);
    return given === undefined ? [] : [`${id} ${[given].flat().join(' to ')}`];
  });
  const { paths = [] } = entry;
  const over = paths.length === 0 ? '' : ` over ${paths.map(networkName).join(', ')}`;
  return `${entry.profile} with ${facts.join(', ')}${over}`;
}

/** What is wrong with a drawn profile: a sentence each, with its path below that of the entry. */
export function drawnFaults(entry: DrawnProfile, seeds: CampaignFile['seeds']): string[] {
  const family = profileFamilies.find(({ id }) => id === entry.profile);
  if (!family)
    return [
      `/profile: Nothing can be drawn from "${entry.profile}"; known: ${profileFamilies.map(({ id }) => id).join(', ')}.`,
    ];
  const known = new Map(family.parameters.map((parameter) => [parameter.id, parameter]));
  const given = Object.entries(entry).filter(([id]) => !['profile', 'count', 'paths'].includes(id));
  const faults = given.flatMap(([id, value]) => {
    const parameter = known.get(id);
    const fault = parameter
      ? faultOfValue(parameter, value as Given)
      : `The profile ${family.id} has no parameter ${id}; it has ${[...known.keys()].join(', ')}.`;
    return fault === null ? [] : [`/${id}: ${fault}`];
  });
  faults.push(...pathFaults(entry, family));
  if (faults.length > 0) return faults;
  if (entry.paths === undefined && !given.some(([, value]) => isRange(value as Given)))
    return [`: ${nothingDrawn(family)}`];
  return drawnNames(entry, seeds).length < entry.count ? [`: ${tooFew(entry)}`] : [];
}

/** What is wrong with the paths of a drawn profile. */
function pathFaults(entry: DrawnProfile, { id, pathParameter }: ProfileFamily): string[] {
  const { paths } = entry;
  if (paths === undefined) return [];
  if (pathParameter === undefined) return [`/paths: The profile ${id} has no other paths.`];
  if (givenOf(entry, pathParameter) !== undefined)
    return [`/paths: The paths have their own rates: leave out ${pathParameter}.`];
  return paths.flatMap((path, index) => {
    const fault = faultOfPath(path);
    return fault === null ? [] : [`/paths/${index}: ${fault}`];
  });
}

/** Whether what an entry names is in a file, which is read later: a recorded trace, or a profile of one's own. */
export const isFromFile = (entry: string): boolean =>
  (entry.startsWith(TRACE) && entry.length > TRACE.length) || profilePath(entry) !== null;

const hasLimits = ({ udp = [], tcp = [] }: Pick<Profile, 'udp' | 'tcp'>): boolean =>
  udp.length + tcp.length > 0;

/** Said of a path of drawn networks. */
const limitedPath = (path: string): string => `${path} has limits of its own: name a profile without.`;

/** A path from a file is read later than the others. @throws Error in one sentence about one that has limits of its own */
export function refuseLimitedPath(path: string, profile: Profile): void {
  if (hasLimits(profile)) throw new Error(limitedPath(path));
}

function faultOfPath(path: string): string | null {
  if (isFromFile(path)) return faultOfNamed(path);
  const profile = networkProfiles.find(({ id }) => id === path);
  if (!profile) return `Unknown path "${path}": name a profile, the .json file of one, or trace:PATH.`;
  return hasLimits(profile) ? limitedPath(path) : null;
}

function faultOfValue({ id, min, max }: FamilyParameter, given: Given): string | null {
  const outside = [given].flat().find((value) => value < min || value > max);
  if (outside !== undefined) return `${id} should be from ${min} to ${max}, but it is ${outside}.`;
  if (!isRange(given) || given[0]! < given[1]!) return null;
  return `A range goes from a smaller to a larger value, but this one goes from ${given.join(' to ')}.`;
}

const nothingDrawn = ({ parameters: [first] }: ProfileFamily): string =>
  `Nothing is drawn: give a parameter a range, as in "${first!.id}": [${first!.usual}, ${2 * first!.usual}].`;

const tooFew = ({ count }: DrawnProfile): string =>
  `These ranges have fewer than ${count} different networks.`;

/**
 * 32 bits of a text: FNV-1a over its UTF-16 units, then MurmurHash3's finaliser (Appleby, public domain), so that texts
 * which differ in a digit have unrelated hashes.
 */
export function hashOf(text: string): number {
  let h = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
