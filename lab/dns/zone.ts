/** What the lab's resolver answers, as data: pure, so that every answer can be tested without a socket. */
import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Types of records that the resolver has. */
const RECORD_TYPES = ['A', 'AAAA', 'HTTPS'] as const;
type RecordType = (typeof RECORD_TYPES)[number];

/** What is said of one host, and of all names below it. */
export interface HostScript {
  readonly host: string;
  /** IPv4 address. */
  readonly address: string;
  /** IPv6 address; absent: none. */
  readonly address6?: string;
  /** Port of the https server: records of another port than 443 are asked as `_8443._https.HOST` (RFC 9460, section 9.1). */
  readonly port: number;
  /** HTTPS records of that port; absent: none. */
  readonly https?: readonly HttpsRecord[];
  /** How long answers of a type wait, ms; null: they never come. Absent: no wait. */
  readonly waitMs?: Readonly<Partial<Record<RecordType, number | null>>>;
}

/** An HTTPS record (RFC 9460). */
export interface HttpsRecord {
  /** 0: an alias, which has a target and nothing else. */
  readonly priority: number;
  /**
   * Absent: the host that was asked for, not `.`, which is the owner: Chromium 156 ignores a record of `_8443._https.HOST` whose
   * target is `.`.
   */
  readonly target?: string;
  /** Name that the record is said to be of; absent: the one that was asked for. */
  readonly owner?: string;
  /** Protocols that the server offers, in the order of its preference, besides http/1.1. */
  readonly alpn?: readonly string[];
  /** Whether the server does not offer http/1.1. */
  readonly noDefaultAlpn?: boolean;
  /** Port of the server; absent: that of the address. */
  readonly port?: number;
  /** Addresses of the server, IPv4 and IPv6. */
  readonly hints?: readonly string[];
}

/** A record of an answer. */
export type ZoneRecord =
  | { readonly type: 'A' | 'AAAA'; readonly owner: string; readonly address: string }
  | {
      readonly type: 'HTTPS';
      readonly owner: string;
      readonly https: HttpsRecord & { readonly target: string };
    };

/** An answer to one question. */
export interface ZoneAnswer {
  /** The script's host or the name below it that the question is about; null: nobody knows the name. */
  readonly host: string | null;
  readonly records: readonly ZoneRecord[];
  /** How long it waits, ms; null: it never comes. */
  readonly waitMs: number | null;
  /** Whether it goes out after the answer about HTTPS records of the same host: always, but where the script has a wait. */
  readonly isAfterHttps: boolean;
}

/** Answers a question. A name outside the zone does not exist; a name inside it has no records of other types. */
export function answerFrom(
  zone: readonly HostScript[],
  { name, type }: { readonly name: string; readonly type: string },
): ZoneAnswer {
  const [, prefix, host = ''] = OWNER.exec(name.toLowerCase()) ?? [];
  const script = zone.find((each) => host === each.host || host.endsWith(`.${each.host}`));
  if (!script) return { host: null, records: [], waitMs: 0, isAfterHttps: false };
  const { waitMs = {} } = script;
  const known = RECORD_TYPES.find((each) => each === type);
  return {
    host,
    records: recordsOf(script, { name, type, host, prefix }),
    waitMs: known === undefined || waitMs[known] === undefined ? 0 : waitMs[known],
    isAfterHttps: type === 'A' && waitMs.A === undefined && waitMs.HTTPS === undefined,
  };
}

const OWNER = /^(?:_(\d+)\._https\.)?(.*?)\.?$/;

interface Asked {
  readonly name: string;
  readonly type: string;
  readonly host: string;
  /** Port in front of the host; undefined: none. */
  readonly prefix: string | undefined;
}

function recordsOf(
  { address, address6, port, https = [] }: HostScript,
  { name, type, host, prefix }: Asked,
): ZoneRecord[] {
  if (type === 'HTTPS') {
    const isOfPort = prefix === undefined ? port === 443 : prefix === String(port);
    return (isOfPort ? https : []).map((record) => ({
      type,
      owner: record.owner ?? name,
      https: { ...record, target: record.target ?? host },
    }));
  }
  if (prefix !== undefined) return [];
  if (type === 'A') return [{ type, owner: name, address }];
  return type === 'AAAA' && address6 !== undefined ? [{ type, owner: name, address: address6 }] : [];
}

/** Writes a record as zone files have it: `1 origin.test. alpn=h3,h2`. */
export function formatRecord(record: ZoneRecord): string {
  if (record.type !== 'HTTPS') return record.address;
  const { priority, target, alpn, noDefaultAlpn, port, hints = [] } = record.https;
  return [
    `${priority} ${target.replace(/\.?$/, '.')}`,
    ...(alpn ? [`alpn=${alpn.join()}`] : []),
    ...(noDefaultAlpn ? ['no-default-alpn'] : []),
    ...(port === undefined ? [] : [`port=${port}`]),
    ...(hints.length > 0 ? [`hint=${hints.join()}`] : []),
  ].join(' ');
}

/** One sentence about a zone that no message can say, or null. */
export function faultOfZone(zone: readonly HostScript[]): string | null {
  for (const { host, address, address6, https = [] } of zone) {
    if (!isName(host)) return `"${host}" is no host name.`;
    if (!isIPv4(address)) return `"${address}" of ${host} is no IPv4 address.`;
    if (address6 !== undefined && !isIPv6(address6)) return `"${address6}" of ${host} is no IPv6 address.`;
    for (const record of https) {
      const fault = faultOfRecord(record);
      if (fault !== null) return `The HTTPS record of ${host} ${fault}.`;
    }
  }
  return null;
}

function faultOfRecord({
  priority,
  target,
  owner,
  alpn = [],
  port = 1,
  hints = [],
}: HttpsRecord): string | null {
  if (!isShort(priority)) return `has the priority ${priority}: it must be 0 to 65535`;
  if (!isShort(port) || port === 0) return `has the port ${port}: it must be 1 to 65535`;
  for (const name of [target, owner])
    if (name !== undefined && !isName(name)) return `names "${name}", which is no host name`;
  const wrong = alpn.find((id) => id.length === 0 || id.length > 255);
  if (wrong !== undefined) return 'has an ALPN id that is not 1 to 255 bytes long';
  const hint = hints.find((text) => isIP(text) === 0);
  return hint === undefined ? null : `has the hint "${hint}", which is no address`;
}

const isShort = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 0xffff;

/** RFC 1035, section 2.3.4: labels of at most 63 bytes, names of at most 255. `.` is the root. */
const isName = (name: string): boolean =>
  name === '.' || (name.length <= 253 && /^(?:[\w-]{1,63}\.)*[\w-]{1,63}\.?$/.test(name));
