import { failed, ok, type Result } from './result.ts';

/**
 * What a browser downloads in a session without media, as one text: a kind, then settings, each `name=value`:
 *
 *   objects:mb=2,5,10:pause=500            one object after the other (2020 letter §V-A1)
 *   streams:mb=4:count=8:pause=500         two streams of objects at the same time (2020 letter §V-B, Fig. 8)
 *   ranges:mb=1:ranges=6:names=2           one segment in ranges at the same time (2018 thesis §3.2.1)
 *   handshake:connection=resumed:kb=10     one small object over a new connection (2017 paper, Fig. 7)
 */
export interface Transfer {
  readonly kind: TransferKind;
  /** Sizes of the objects of a stream, in turn. */
  readonly sizesBytes: readonly number[];
  /** How many objects each stream has. */
  readonly count: number;
  /** Pause after an object, before the next one of its stream is requested. */
  readonly pauseMs: number;
  /** How many streams download at the same time. */
  readonly streams: number;
  /** In how many ranges at the same time each object is requested; 1: whole. */
  readonly ranges: number;
  /** Over how many names of the server http/1.1 spreads the ranges: a browser has six connections for each. */
  readonly names: number;
  readonly connection: ConnectionStart;
}

type TransferKind = 'objects' | 'streams' | 'ranges' | 'handshake';

/**
 * What the browser knows of the server before the session: nothing; a TLS session that it goes on with; or the same, and the
 * server takes requests in the first packet.
 */
export type ConnectionStart = 'cold' | 'resumed' | 'zero-rtt';

const MAX_RANGES = 12;

const BYTES_PER_MB = 1e6;
const BYTES_PER_KB = 1e3;
const MAX_MB = 1000;
const MAX_SIZES = 20;
const MAX_COUNT = 1000;
const MAX_PAUSE_MS = 600_000;

type Settings = Partial<Omit<Transfer, 'kind'>>;

interface Setting {
  readonly wanted: string;
  /** Reads the value of a setting; null for one that it cannot have. */
  read(value: string): Settings | null;
}

const sizes = (value: string, bytesPer: number): number[] | null => {
  const numbers = value.split(',').map((each) => (/^\d{1,6}(\.\d{1,3})?$/.test(each) ? Number(each) : NaN));
  const bytes = numbers.map((number) => Math.round(number * bytesPer));
  const fits = bytes.every((each) => each >= 1 && each <= MAX_MB * BYTES_PER_MB);
  return fits && bytes.length <= MAX_SIZES ? bytes : null;
};

const whole = (value: string, min: number, max: number): number | null =>
  /^\d{1,6}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : null;

/** A setting that is a whole number. */
const wholeSetting = (
  field: 'count' | 'pauseMs' | 'ranges' | 'names',
  { min, max, example }: { min: number; max: number; example: string },
): Setting => ({
  wanted: `a whole number from ${min} to ${max}, as in ${example}`,
  read(value) {
    const number = whole(value, min, max);
    return number === null ? null : { [field]: number };
  },
});

const sizeSetting = (bytesPer: number, example: string): Setting => ({
  wanted: `up to ${MAX_SIZES} sizes of at most ${MAX_MB} MB with commas between, as in ${example}`,
  read(value) {
    const sizesBytes = sizes(value, bytesPer);
    return sizesBytes && { sizesBytes };
  },
});

const mb = sizeSetting(BYTES_PER_MB, 'mb=2,5,10');
const count = wholeSetting('count', { min: 1, max: MAX_COUNT, example: 'count=40' });
const pause = wholeSetting('pauseMs', { min: 0, max: MAX_PAUSE_MS, example: 'pause=500' });

const CONNECTIONS: readonly string[] = ['cold', 'resumed', 'zero-rtt'] satisfies ConnectionStart[];

const connection: Setting = {
  wanted: `${CONNECTIONS.join(', ')}`,
  read: (value) => (CONNECTIONS.includes(value) ? { connection: value as ConnectionStart } : null),
};

/** The settings of each kind, and what it has where they are not set. */
const KINDS: Readonly<
  Record<TransferKind, { readonly usual: Settings; readonly settings: Readonly<Record<string, Setting>> }>
> = {
  objects: {
    usual: { sizesBytes: [2, 5, 10, 20, 50].map((each) => each * BYTES_PER_MB), pauseMs: 500 },
    settings: { mb, count, pause },
  },
  streams: {
    usual: { sizesBytes: [4 * BYTES_PER_MB], count: 4, pauseMs: 500, streams: 2 },
    settings: { mb, count, pause },
  },
  ranges: {
    usual: { sizesBytes: [BYTES_PER_MB], pauseMs: 500 },
    settings: {
      mb,
      count,
      pause,
      ranges: wholeSetting('ranges', { min: 1, max: MAX_RANGES, example: 'ranges=6' }),
      names: wholeSetting('names', { min: 1, max: 4, example: 'names=2' }),
    },
  },
  handshake: {
    usual: { sizesBytes: [10 * BYTES_PER_KB] },
    settings: { kb: sizeSetting(BYTES_PER_KB, 'kb=10'), connection },
  },
};

/** Reads a transfer. The error is one sentence. */
export function parseTransfer(text: string): Result<Transfer> {
  const [kind = '', ...settings] = text.split(':');
  if (!Object.hasOwn(KINDS, kind))
    return failed(`Unknown transfer "${text}"; known: ${Object.keys(KINDS).join(', ')}.`);
  const { usual, settings: known } = KINDS[kind as TransferKind];
  const given = new Map<string, Settings>();
  for (const setting of settings) {
    const [name = '', ...rest] = setting.split('=');
    const value = rest.join('=');
    const found = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!found)
      return failed(`Unknown setting "${setting}" in "${text}"; known: ${Object.keys(known).join(', ')}.`);
    const read = found.read(value);
    if (read === null) return failed(`"${setting}" in "${text}" should be ${found.wanted}.`);
    if (given.has(name)) return failed(`"${text}" sets ${name} twice.`);
    given.set(name, read);
  }
  const set = Object.assign({}, usual, ...given.values()) as Settings & Pick<Transfer, 'sizesBytes'>;
  return ok({
    kind: kind as TransferKind,
    count: set.sizesBytes.length,
    pauseMs: 0,
    streams: 1,
    ranges: 1,
    names: 1,
    connection: 'cold' as const,
    ...set,
  });
}

/** One request of a transfer. */
interface TransferPart {
  /** Path of the file on the server, below the folder of the files. */
  readonly file: string;
  /** Place of the request among those of its object, from 0. */
  readonly part: number;
  /** "first-last", in bytes; null: the whole file. */
  readonly range: string | null;
  readonly sizeBytes: number;
}

/** The size of an object of a stream, counted from 0. */
export const objectSizeBytes = ({ sizesBytes }: Transfer, object: number): number =>
  sizesBytes[object % sizesBytes.length]!;

/**
 * The requests of an object, which go out at the same time. Whatever is downloaded at the same time has a name of its own, so
 * that the browser's records of it can be distinguished.
 */
export function partsOf(transfer: Transfer, { stream, object }: { stream: number; object: number }) {
  const sizeBytes = objectSizeBytes(transfer, object);
  const from = (part: number): number => Math.floor((part * sizeBytes) / transfer.ranges);
  return Array.from({ length: transfer.ranges }, (_, part): TransferPart => {
    const [first, end] = [from(part), from(part + 1)];
    return {
      file: transferFile(sizeBytes, stream + part),
      part,
      range: transfer.ranges === 1 ? null : `${first}-${end - 1}`,
      sizeBytes: end - first,
    };
  });
}

/** The name of a file of so many bytes; `copy` counts files of the same size from 0. */
export const transferFile = (sizeBytes: number, copy: number): string => `${sizeBytes}-${copy + 1}.bin`;

/** How many files of each size a transfer needs. */
export const copiesOf = ({ streams, ranges }: Transfer): number => Math.max(streams, ranges);
