import { profileOfTrace } from '../../src/network/convertProfile.ts';
import {
  type Gilbert,
  lossShareOf,
  type PolicedSpell,
  type Profile,
  type ProfileStep,
  type Queue,
} from '../../src/network/profile.ts';
import type { RateTrace } from '../../src/network/rateTrace.ts';
import { placedJson } from '../../src/network/text/placedJson.ts';
import { readingOf } from '../../src/network/text/textFault.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import { unknownId } from '../../src/shared/unknownId.ts';
import { checkOf, type Schema } from '../../src/telemetry/schema/checkOf.ts';
import {
  type LimitOfFile,
  PROFILE_SCHEMA,
  ProfileFile,
  type StepOfFile,
} from '../../src/telemetry/schema/networkProfile.ts';
import { kebab } from './contents.ts';

/** What a name of a profile's file may begin with. */
const FILE = 'file:';

/** The path of a profile's file, if an entry is one: `file:PATH`, or a path that ends in `.json`; null for other entries. */
export function profilePath(entry: string): string | null {
  if (entry.startsWith(FILE) && entry.length > FILE.length) return entry.slice(FILE.length);
  return /[^:]\.json$/.test(entry) && !entry.startsWith('trace:') ? entry : null;
}

/** The name of the network that a file describes: its own, without folder and endings. */
export const profileFileName = (path: string): string =>
  kebab(path.replace(/^.*[\\/]/, '').replace(/(?:\.profile)?\.json$/, '')) || 'profile';

/** Whether a text is that of a profile's file, right or wrong. */
export const looksLikeProfile = (text: string): boolean => /"schema"\s*:\s*"pitwall-profile\//.test(text);

const check = checkOf(ProfileFile);

/** The traces that a file names, by the names that it has for them. */
type TracesOfFile = ReadonlyMap<string, RateTrace>;

/**
 * Reads the text of a profile's file. The error is one sentence: the file's name, then line and column where it is not JSON, or
 * the path in the file (`/steps/2/rttMs`) of the first thing that is wrong.
 */
export function readProfileFile(text: string, name: string): Result<ProfileFile> {
  const json = readingOf(name, () => placedJson(text));
  if (!json.ok) return json;
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  const fault = faultOfShape(value) ?? profileFaults(value as ProfileFile)[0];
  return fault === undefined ? ok(value as ProfileFile) : failed(`${name}: ${fault}`);
}

function faultOfShape(value: unknown): string | undefined {
  const fault = check(value);
  if (!fault) return undefined;
  const { path, wanted } = fault;
  if (wanted !== null)
    return `${path || 'The file'} should be ${wanted}, but it is ${fault.value === undefined ? 'missing' : JSON.stringify(fault.value).slice(0, 80)}.`;
  const at = path.lastIndexOf('/');
  return `${path}: ${unknownId('field', path.slice(at + 1), fieldsAt(path.slice(0, at)))}`;
}

/** The fields that an object at a place may have. */
function fieldsAt(path: string): string[] {
  const schema = path
    .split('/')
    .slice(1)
    .reduce<Schema>((at, key) => at.items ?? at.properties?.[key] ?? {}, ProfileFile);
  return Object.keys(schema.properties ?? {});
}

/** What is wrong with a file of the right shape: a sentence each, with its place. */
function profileFaults(file: ProfileFile): string[] {
  const { steps, queue, repeat = true } = file;
  return [
    ...at('/queue', [faultOfQueue(queue)]),
    ...steps.flatMap((step, index) =>
      at(`/steps/${index}`, stepFaults(step, { isFirst: index === 0, repeat })),
    ),
    ...at('/steps', [
      steps.every(({ downKbps }) => downKbps === 0) ? 'Nothing would ever arrive: each downKbps is 0.' : null,
    ]),
    ...limitFaults('udp', file.udp),
    ...limitFaults('tcp', file.tcp),
  ];
}

const countGiven = (...values: readonly unknown[]): number =>
  values.filter((value) => value !== undefined).length;

function faultOfQueue(queue: ProfileFile['queue']): string | null {
  if (queue === undefined) return null;
  const given = countGiven(queue.packets, queue.bdp);
  if (given === 1) return null;
  return `Give its length in "packets" or in "bdp"${given === 2 ? ', not both' : ''}.`;
}

const at = (path: string, sentences: readonly (string | null)[]): string[] =>
  sentences.flatMap((sentence) => (sentence === null ? [] : [`${path}: ${sentence}`]));

const stepFaults = (
  step: StepOfFile,
  { isFirst, repeat }: { isFirst: boolean; repeat: boolean },
): (string | null)[] => [
  ...pathFaults(step),
  faultOfLoss('Down', step.lossDown, step.gilbertDown),
  faultOfLoss('Up', step.lossUp, step.gilbertUp),
  ...changeFaults(step, isFirst && !repeat),
  step.mtuBlackHole !== undefined && step.mtuBytes === undefined
    ? '"mtuBlackHole" is for steps with "mtuBytes".'
    : null,
];

function pathFaults({ trace, downKbps, durationMs, rttMs, oneWayDelayMs }: StepOfFile): (string | null)[] {
  const [rates, delays] = [countGiven(trace, downKbps), countGiven(rttMs, oneWayDelayMs)];
  const isPlain = trace === undefined;
  return [
    rates === 0 ? 'It has no rate: give "downKbps" (null: no limit), or a "trace".' : null,
    rates === 2 ? 'Give "downKbps" or "trace", not both.' : null,
    isPlain && durationMs === undefined ? '"durationMs" is missing.' : null,
    isPlain && delays === 0 ? 'It has no delay: give "rttMs" or "oneWayDelayMs".' : null,
    delays === 2 ? 'Give "rttMs" or "oneWayDelayMs", not both.' : null,
  ];
}

/** As far apart as rounding brings two shares. */
const ROUNDING = 1e-9;

function faultOfLoss(
  way: 'Down' | 'Up',
  loss: number | undefined,
  gilbert: Gilbert | undefined,
): string | null {
  if (!gilbert || loss === undefined) return null;
  const share = lossShareOf(gilbert);
  return Math.abs(share - loss) <= ROUNDING
    ? null
    : `Leave out "loss${way}": "gilbert${way}" loses p/(p+r) = ${Number(share.toPrecision(6))} of the packets.`;
}

function changeFaults(
  { durationMs, newAddress, newUdpPorts, gapMs }: StepOfFile,
  isBegin: boolean,
): (string | null)[] {
  return [
    isBegin && (newAddress || newUdpPorts)
      ? 'The first step of a profile that does not repeat begins at the address and ports that the client has.'
      : null,
    gapMs !== undefined && newAddress !== true ? '"gapMs" is for steps with "newAddress": true.' : null,
    gapMs !== undefined && gapMs > (durationMs ?? Infinity)
      ? `Its gap of ${gapMs} ms is longer than the step (${durationMs} ms).`
      : null,
  ];
}

function limitFaults(field: 'udp' | 'tcp', limits: readonly LimitOfFile[] = []): string[] {
  return limits.flatMap(({ fromMs, untilMs = null, kbps, upKbps, queueMs }, index) => {
    const beforeMs = index === 0 ? 0 : endOf(limits[index - 1]!);
    const isBlock = kbps === 0 && countGiven(upKbps, queueMs) > 0;
    return at(`/${field}/${index}`, [
      untilMs !== null && untilMs <= fromMs ? `It ends at ${untilMs} ms, before it begins.` : null,
      fromMs < beforeMs
        ? `It begins at ${fromMs} ms, before the one before it ends (${formatEnd(beforeMs)}).`
        : null,
      isBlock ? '"kbps": 0 blocks both directions: leave out "upKbps" and "queueMs".' : null,
    ]);
  });
}

const endOf = ({ untilMs }: LimitOfFile): number => untilMs ?? Infinity;
const formatEnd = (ms: number): string => (ms === Infinity ? 'never' : `${ms} ms`);

/**
 * The profile that a file describes. The error is one sentence with its place in the file: about a trace.
 *
 * @throws Error when a trace is not given that the file names
 */
export function profileOfFile(
  file: ProfileFile,
  { id, traces = new Map() }: { readonly id: string; readonly traces?: TracesOfFile },
): Result<Profile> {
  const steps: ProfileStep[] = [];
  for (const [index, step] of file.steps.entries()) {
    const made = step.trace === undefined ? ok([plainStep(step)]) : tracedSteps(step, traces.get(step.trace));
    if (!made.ok) return failed(`/steps/${index}: ${made.error}`);
    steps.push(...made.value);
  }
  const { label, source = `Described in a file: ${label}`, repeat = true } = file;
  return ok({
    id,
    label,
    paper: source,
    steps,
    repeat,
    queue: queueOf(file.queue),
    ...(file.udp && { udp: file.udp.map(spellOf) }),
    ...(file.tcp && { tcp: file.tcp.map(spellOf) }),
  });
}

/** As of a recorded trace (`profileOfTrace`). */
const USUAL_PACKETS = 100;

const queueOf = ({
  kind = 'droptail',
  packets = USUAL_PACKETS,
  bdp,
}: NonNullable<ProfileFile['queue']> = {}): Queue => (bdp === undefined ? { kind, packets } : { kind, bdp });

function plainStep(step: StepOfFile): ProfileStep {
  const { durationMs, downKbps, upKbps = null, rttMs, oneWayDelayMs = 0, mtuBytes, mtuBlackHole } = step;
  return {
    durationMs: durationMs!,
    downKbps: downKbps!,
    upKbps,
    rttMs: rttMs ?? 2 * oneWayDelayMs,
    ...lossesOf(step),
    ...(mtuBytes !== undefined && { mtuBytes, ...(mtuBlackHole && { mtuBlackHole }) }),
    ...changesOf(step),
  };
}

function lossesOf({ lossDown = 0, lossUp = 0, gilbertDown, gilbertUp }: StepOfFile) {
  return {
    lossDown: gilbertDown ? lossShareOf(gilbertDown) : lossDown,
    lossUp: gilbertUp ? lossShareOf(gilbertUp) : lossUp,
    ...(gilbertDown && { gilbertDown }),
    ...(gilbertUp && { gilbertUp }),
  };
}

const changesOf = ({ newAddress, gapMs, newUdpPorts }: StepOfFile) => ({
  ...(newAddress && { newAddress, ...(gapMs && { gapMs }) }),
  ...(newUdpPorts && { newUdpPorts }),
});

const withoutChanges = ({
  newAddress: _,
  gapMs: _gap,
  newUdpPorts: _ports,
  ...path
}: StepOfFile): StepOfFile => path;

/** A step whose rates are those of a trace, and its round-trip times unless the step has its own. */
function tracedSteps(step: StepOfFile, trace: RateTrace | undefined): Result<ProfileStep[]> {
  if (!trace) throw new Error(`The trace ${step.trace} was not read.`);
  const { durationMs = Infinity, rttMs, oneWayDelayMs } = step;
  const hasDelay = rttMs !== undefined || oneWayDelayMs !== undefined;
  if (!hasDelay && trace.rttMs === null)
    return failed(`The trace ${step.trace} has no round-trip times: give "rttMs" or "oneWayDelayMs".`);
  let leftMs = durationMs;
  const pieces = profileOfTrace(trace).steps.flatMap((piece) => {
    const keptMs = Math.min(piece.durationMs, leftMs);
    leftMs -= keptMs;
    return keptMs > 0 ? [{ ...piece, durationMs: keptMs }] : [];
  });
  if (leftMs > 0 && durationMs < Infinity)
    return failed(`The trace ${step.trace} is ${durationMs - leftMs} ms long, shorter than the step.`);
  const whole = plainStep({ ...step, durationMs: 1, downKbps: 0 });
  const later = plainStep({ ...withoutChanges(step), durationMs: 1, downKbps: 0 });
  return ok(
    pieces.map((piece, index) => ({
      ...(index === 0 ? whole : later),
      durationMs: piece.durationMs,
      downKbps: piece.downKbps,
      rttMs: hasDelay ? whole.rttMs : piece.rttMs,
    })),
  );
}

const spellOf = ({ fromMs, untilMs = null, kbps, upKbps, queueMs }: LimitOfFile): PolicedSpell => ({
  fromMs,
  untilMs,
  kbps,
  ...(upKbps !== undefined && { upKbps }),
  ...(queueMs !== undefined && { queueMs }),
});

/** A profile as a file that describes it, without traces. A session log has one, from which its network can be made again. */
export function fileOfProfile({ label, paper, repeat, queue, steps, udp, tcp }: Profile): ProfileFile {
  return {
    schema: PROFILE_SCHEMA,
    label,
    source: paper,
    repeat,
    queue,
    steps: [...steps],
    ...(udp && { udp: [...udp] }),
    ...(tcp && { tcp: [...tcp] }),
  };
}
