import { type Profile, type ProfileStep, queuePackets } from '../../src/network/profile.ts';

/** Texts of the files that Rattan reads, by name; `link.toml` names the others by path. */
type RattanFiles = Readonly<Record<string, string>>;

interface RattanOptions {
  /** Folder that will have the files. */
  readonly folder: string;
  /** Seed of the random losses; the two directions draw from different streams. */
  readonly seed: number;
}

/**
 * Writes a profile as Rattan's configuration, each direction a chain of three cells that replay the steps:
 *
 *     server (right) → down-rate with its queue → down-delay → down-loss → client (left), and the mirror of it
 *
 * The traces of all cells begin with the first packet that Rattan sees (its feature `first-packet`), so they agree.
 */
export function rattanConfig(profile: Profile, { folder, seed }: RattanOptions): RattanFiles {
  const directions = (['down', 'up'] as const).map((direction) => chainOf(profile, direction));
  const toml = [
    table('env', { mode: 'Isolated' }),
    ...directions.flatMap(({ direction, hasRate }, index) => [
      ...(hasRate ? rateTables(profile, direction, folder) : []),
      table(`cells.${direction}-delay`, {
        type: 'DelayReplay',
        trace: `${folder}/${direction}-delay.json`,
      }),
      table(`cells.${direction}-loss`, {
        type: 'LossReplay',
        trace: `${folder}/${direction}-loss.json`,
        // Two streams of one seed: losses down and up must not fall together.
        seed: seed * 2 + index,
      }),
    ]),
    table('links', Object.assign({}, ...directions.map(({ links }) => links))),
    // Rattan starts one worker thread for each core that is named; Rattan 0.1.1 pins nothing itself (its radix/mod.rs).
    table('resource', { cpu: [0] }),
    table('general', {}),
    table('commands', { left: hold('client'), right: hold('server') }),
  ].join('\n');
  return { 'link.toml': toml, ...Object.assign({}, ...directions.map(({ traces }) => traces)) };
}

/**
 * Program that runs in a namespace as long as the link does. It prints its pid, by which the namespace can be named, and ends
 * with Rattan, however Rattan ends.
 */
const hold = (end: 'client' | 'server'): readonly string[] => [
  'sh',
  '-c',
  `echo "pitwall: ${end} $$"; exec setpriv --pdeathsig KILL sleep infinity`,
];

/**
 * Rate that replaces a rate of 0, at which Rattan 0.1.1 panics (an infinite factor of a Duration). A full packet takes two
 * minutes, and what is left of it goes at the next step's rate.
 */
const OUTAGE_BPS = 100;
/** Rate that replaces no limit in a profile that has limits in other steps. */
const UNLIMITED_BPS = 100e9;
/** Length of the last step of a profile that does not repeat: longer than any session. */
const FOR_EVER_MS = 366 * 24 * 3600 * 1000;

type Direction = 'down' | 'up';

function chainOf(profile: Profile, direction: Direction) {
  const hasRate = profile.steps.some((step) => rateOf(step, direction) !== null);
  const cells = (hasRate ? ['rate', 'delay', 'loss'] : ['delay', 'loss']).map(
    (cell) => `${direction}-${cell}`,
  );
  const [from, to] = direction === 'down' ? ['right', 'left'] : ['left', 'right'];
  const links = Object.fromEntries([from, ...cells].map((cell, at) => [cell, cells[at] ?? to]));
  const traces = Object.fromEntries(cells.map((cell) => [`${cell}.json`, traceOf(profile, cell)]));
  return { direction, hasRate, links, traces };
}

const rateOf = (step: ProfileStep, direction: Direction): number | null =>
  direction === 'down' ? step.downKbps : step.upKbps;

function rateTables(profile: Profile, direction: Direction, folder: string): string[] {
  return [
    table(`cells.${direction}-rate`, {
      type: 'BwReplay',
      queue: profile.queue.kind === 'codel' ? 'CoDel' : 'DropTail',
      trace: `${folder}/${direction}-rate.json`,
    }),
    table(`cells.${direction}-rate.queue_config`, { packet_limit: queuePackets(profile, direction) ?? 1 }),
  ];
}

/** Writes the trace of a cell. The names are those of the crate netem-trace 0.4.4. */
function traceOf(profile: Profile, cell: string): string {
  const [direction, what] = cell.split('-') as [Direction, 'rate' | 'delay' | 'loss'];
  const valueOf = {
    rate: (step: ProfileStep) => ({ bw: `${bpsOf(rateOf(step, direction))}bps` }),
    delay: (step: ProfileStep) => ({ delay: microseconds(step.rttMs / 2) }),
    loss: (step: ProfileStep) => ({ loss: lossPattern(step, direction) }),
  }[what];
  const kind = { rate: 'Bw', delay: 'Delay', loss: 'Loss' }[what];
  const last = profile.steps.length - 1;
  const pattern = profile.steps.map((step, at) => ({
    [`Static${kind}Config`]: {
      ...valueOf(step),
      duration: microseconds(at === last && !profile.repeat ? FOR_EVER_MS : step.durationMs),
    },
  }));
  return JSON.stringify({ [`Repeated${kind}PatternConfig`]: { pattern, count: profile.repeat ? 0 : 1 } });
}

/**
 * Returns Rattan's pattern of loss: the probability after none, one, two … lost packets in a row. The last one also holds for
 * longer rows, so two of them are Gilbert's model.
 */
function lossPattern(step: ProfileStep, direction: Direction): number[] {
  const [share, gilbert] =
    direction === 'down' ? [step.lossDown, step.gilbertDown] : [step.lossUp, step.gilbertUp];
  return gilbert ? [gilbert.p, 1 - gilbert.r] : [share];
}

const bpsOf = (rateKbps: number | null): number =>
  rateKbps === null ? UNLIMITED_BPS : Math.max(OUTAGE_BPS, Math.round(rateKbps * 1000));

const microseconds = (ms: number): string => `${Math.round(ms * 1000)}us`;

/** Writes a table of TOML: JSON's strings, numbers and lists of them are TOML as well. */
const table = (name: string, values: Readonly<Record<string, unknown>>): string =>
  [
    `[${name}]`,
    ...Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
    '',
  ].join('\n');
