import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import type { Figure } from '../figure.ts';
import { bulkPath } from '../load/bulkFolder.ts';
import { runLoad } from '../load/runLoad.ts';
import { loadProtocols, type LoadProtocol } from '../../lab/load/loadProgram.ts';
import { plainTable } from '../../node/textTable.ts';
import { spread, ratioOfMedians, type Pair } from '../statistics.ts';
import {
  CLIENT_CORE,
  originNames,
  withBothOrigins,
  type BothOrigins,
  type OriginName,
} from './bothOrigins.ts';
import type { OriginSection } from './originSection.ts';
import { processUse } from './processUse.ts';

/** Kinds of load: segments, one after the other on a few connections, and one body without an end. */
const SHAPES = [
  { id: 'segments', label: '4 connections, 1 MB each time', connections: 4, path: bulkPath('object.bin') },
  { id: 'bulk', label: '1 connection, one long body', connections: 1, path: bulkPath('endless.bin') },
] as const;
type Shape = (typeof SHAPES)[number];
const KINDS = SHAPES.flatMap((shape) => loadProtocols.map((protocol) => ({ shape, protocol })));

interface Turn {
  readonly origin: OriginName;
  readonly shape: Shape['id'];
  readonly protocol: LoadProtocol;
  readonly repeat: number;
  readonly megabytesPerSecond: number;
  /** Processor time of the server process, in seconds per gigabyte served. */
  readonly cpuSecondsPerGigabyte: number;
  /** Share of its core that the client used, 0 to 1: near 1, the client limits the rate. */
  readonly clientBusy: number;
}

const REPEATS = 5;
const TURN_S = 3;
const QUICK_TURN_S = 0.5;

/** Section that measures megabytes a second and processor seconds per gigabyte of our origin beside Caddy. */
export const speedSection: OriginSection = {
  id: 'speed',
  label: 'MB/s and processor seconds of the server per GB, on loopback, a core for each side',
  async measure({ quick, say }) {
    const turns = await withBothOrigins((origins) => allTurns(origins, quick, say));
    return { text: table(turns), figures: figuresOf(turns), raw: turns };
  },
};

async function allTurns(origins: BothOrigins, quick: boolean, say: (line: string) => void): Promise<Turn[]> {
  say('warming up');
  await oneRound(origins, 0, QUICK_TURN_S);
  const turns: Turn[] = [];
  for (let repeat = 1; repeat <= (quick ? 1 : REPEATS); repeat += 1) {
    say(`repeat ${repeat}`);
    turns.push(...(await oneRound(origins, repeat, quick ? QUICK_TURN_S : TURN_S)));
  }
  return turns;
}

/** Loads both origins in turn with every kind of load; each second round has the other order. */
async function oneRound(origins: BothOrigins, repeat: number, seconds: number): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const { shape, protocol } of KINDS)
    for (const origin of repeat % 2 === 0 ? originNames : originNames.toReversed())
      turns.push(await takeTurn(origins, { origin, shape, protocol, repeat, seconds }));
  return turns;
}

async function takeTurn(
  origins: BothOrigins,
  options: Pick<Turn, 'origin' | 'protocol' | 'repeat'> & { shape: Shape; seconds: number },
): Promise<Turn> {
  const { origin, shape, protocol, repeat, seconds } = options;
  const { pid, httpsPort, host } = origins[origin];
  if (pid === null) throw new Error(`${origin} has ended`);
  const before = processUse(pid);
  const { end, opened, failures } = await runLoad({
    protocol,
    host,
    seconds,
    connections: shape.connections,
    path: shape.path,
    address: `127.0.0.1:${httpsPort}`,
    core: CLIENT_CORE,
  });
  const cpuSeconds = processUse(pid).cpuSeconds - before.cpuSeconds;
  if (failures[0]) throw new Error(`${origin} over ${protocol}: ${failures[0].why}`);
  const elapsedSeconds = (end.atUnixMs - (opened[0]?.openingAtUnixMs ?? end.atUnixMs)) / 1000;
  return {
    origin,
    protocol,
    repeat,
    shape: shape.id,
    megabytesPerSecond: end.bytes / 1e6 / elapsedSeconds,
    cpuSecondsPerGigabyte: cpuSeconds / (end.bytes / 1e9),
    clientBusy: (end.cpuSeconds ?? 0) / elapsedSeconds,
  };
}

const turnsOf = (turns: readonly Turn[], kind: (typeof KINDS)[number], origin: OriginName): Turn[] =>
  turns.filter(
    (turn) => turn.shape === kind.shape.id && turn.protocol === kind.protocol && turn.origin === origin,
  );

function table(turns: readonly Turn[]): string {
  const rows = KINDS.flatMap((kind) =>
    originNames.map((origin) => {
      const mine = turnsOf(turns, kind, origin);
      const text = (value: (turn: Turn) => number, digits: number) =>
        spread(mine.map(value), (each) => each.toFixed(digits));
      return [
        `${kind.protocol}, ${kind.shape.label}: ${origin}`,
        text((turn) => turn.megabytesPerSecond, 0),
        text((turn) => turn.cpuSecondsPerGigabyte, 2),
        text((turn) => turn.clientBusy * 100, 0),
      ];
    }),
  );
  return plainTable(['', 'MB/s', 'server CPU s/GB', 'client busy, %'], rows);
}

/** Returns ratios of our origin to Caddy, from pairs of turns that followed each other. The goal is to be not behind. */
function figuresOf(turns: readonly Turn[]): Figure[] {
  return KINDS.flatMap((kind) => {
    const of = (value: (turn: Turn) => number): Pair[] => {
      const others = turnsOf(turns, kind, 'instrumented').map(value);
      return turnsOf(turns, kind, 'caddy').map((turn, at) => ({ base: value(turn), other: others[at]! }));
    };
    const figure = (pairs: Pair[]) => bootstrap(pairs, ratioOfMedians);
    const about = `${kind.protocol}, ${kind.shape.label}`;
    const id = `${kind.shape.id}-${kind.protocol}`;
    const speed = figure(of((turn) => turn.megabytesPerSecond));
    const cpu = figure(of((turn) => turn.cpuSecondsPerGigabyte));
    return [
      {
        id: `${id}-speed`,
        label: `${about}: MB/s, ours over Caddy's`,
        unit: '',
        ...speed,
        goalMax: null,
        goalMin: 1,
      },
      { id: `${id}-cpu`, label: `${about}: CPU s/GB, ours over Caddy's`, unit: '', ...cpu, goalMax: 1 },
    ];
  });
}
