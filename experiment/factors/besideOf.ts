import { families, type Family } from './sendersOf.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import { MODE_PROTOCOLS, type TransportMode } from '../../src/telemetry/transportModes.ts';

/** Flows that download without end over the link of a viewer, all alike. */
export interface FlowGroup {
  readonly kind: 'flows';
  readonly transport: 'tcp' | 'quic';
  /** Family of the sender's congestion controller. */
  readonly family: Family;
  /** Number of connections whose share QUIC's Cubic takes; null: one. */
  readonly emulatedConnections: number | null;
  readonly flows: number;
  /** When the flows begin, in s since play was requested; null: from the start of the lead-in. */
  readonly fromSeconds: number | null;
  /** When the flows end, in s since play was requested; null: when the session ends. */
  readonly untilSeconds: number | null;
  /** Receive window of the client, KiB; null: as large as no link of the lab needs. */
  readonly windowKib: number | null;
}

/** Other viewers of the same stream, all alike. */
interface PlayerGroup {
  readonly kind: 'players';
  readonly players: number;
  /** Rule of the players; null: that of the viewer. */
  readonly rule: string | null;
  readonly transport: TransportMode | null;
}

type BesideGroup = FlowGroup | PlayerGroup;

/** The entry of a campaign's `beside` whose viewer has the link alone. */
export const ALONE = 'alone';

/** Maximum number of flows: each is a process of the session. */
const MAX_FLOWS = 32;
/** Maximum number of other players: each is a browser of the session. */
const MAX_PLAYERS = 4;

/**
 * Reads an entry of a campaign's `beside`, groups of flows and players joined by `+`:
 *
 *     alone
 *     tcp-cubic:flows=4
 *     quic-cubic-x6:from=20:until=60+tcp-reno:window=512
 *     player:players=2+player:rule=bola:transport=h2
 *
 * The error is one sentence.
 */
export function besideOf(text: string): Result<readonly BesideGroup[]> {
  if (text === ALONE) return ok([]);
  const groups: BesideGroup[] = [];
  for (const part of text.split('+')) {
    const group = /^player(:|$)/.test(part) ? playersOf(part) : flowsOf(part);
    if (!group.ok) return group;
    groups.push(group.value);
  }
  const count = (of: (group: BesideGroup) => number): number =>
    groups.reduce((sum, group) => sum + of(group), 0);
  const flows = count((group) => (group.kind === 'flows' ? group.flows : 0));
  if (flows > MAX_FLOWS) return failed(`"${text}" has ${flows} flows; the maximum is ${MAX_FLOWS}.`);
  const players = count((group) => (group.kind === 'players' ? group.players : 0));
  return players > MAX_PLAYERS
    ? failed(`"${text}" has ${players} players; the maximum is ${MAX_PLAYERS}.`)
    : ok(groups);
}

/** Returns the rules that the players of an entry have of their own. */
export const rulesBeside = (text: string): string[] => {
  const groups = besideOf(text);
  return (groups.ok ? groups.value : []).flatMap((group) =>
    group.kind === 'players' && group.rule !== null ? [group.rule] : [],
  );
};

/** Returns the transport modes that the players of an entry have of their own. */
export const transportsBeside = (text: string): TransportMode[] => {
  const groups = besideOf(text);
  return (groups.ok ? groups.value : []).flatMap((group) =>
    group.kind === 'players' && group.transport !== null ? [group.transport] : [],
  );
};

/** Returns one sentence about flows beside sessions of so many seconds, or null. */
export function faultOfBeside(text: string, { seconds }: { readonly seconds: number }): string | null {
  const groups = besideOf(text);
  if (!groups.ok) return groups.error;
  for (const group of groups.value) {
    if (group.kind === 'players') continue;
    const { fromSeconds, untilSeconds } = group;
    if (untilSeconds !== null && untilSeconds <= (fromSeconds ?? 0))
      return `"${text}" has flows that end before they begin.`;
    if ((fromSeconds ?? 0) >= seconds)
      return `"${text}" has flows that begin after the end of the session at ${seconds} s.`;
  }
  return null;
}

const GROUP = /^(tcp|quic)-([a-z]+)(?:-x(\d{1,3}))?((?::[^:]*)*)$/;

function flowsOf(text: string): Result<FlowGroup> {
  const match = GROUP.exec(text);
  const sender = match && senderOf(match);
  if (!match || !sender)
    return failed(
      `Unknown flows "${text}": write alone, or tcp-CONTROLLER or quic-CONTROLLER with ${families.join(', ')}, as in tcp-cubic:flows=4; QUIC may be cubic-x2 to cubic-x100; player is another viewer. Several are joined by "+".`,
    );
  const numbers = numbersOf(text, match[4]!.split(':').slice(1));
  if (!numbers.ok) return numbers;
  const { flows, from, until, window } = { ...USUAL, ...numbers.value };
  return ok({
    kind: 'flows',
    ...sender,
    flows,
    fromSeconds: from,
    untilSeconds: until,
    windowKib: window,
  });
}

const USUAL = { flows: 1, from: null, until: null, window: null };

/** Returns the sender of a group of flows; null for a controller that the transport does not have. */
function senderOf([, transport = '', name, count]: RegExpExecArray): Pick<
  FlowGroup,
  'transport' | 'family' | 'emulatedConnections'
> | null {
  const family = families.find((each) => each === name);
  const emulatedConnections = count === undefined ? null : Number(count);
  return family && mayEmulate(transport, family, emulatedConnections)
    ? { transport: transport as FlowGroup['transport'], family, emulatedConnections }
    : null;
}

/** Returns whether a sender may emulate so many connections. As in a campaign's controllers, x1 would only rename Cubic. */
const mayEmulate = (transport: string, family: Family, count: number | null): boolean =>
  count === null || (transport === 'quic' && family === 'cubic' && count >= 2 && count <= 100);

/** Smallest and largest value of each setting. */
const SETTINGS = {
  flows: [1, MAX_FLOWS],
  from: [0, 86_400],
  until: [1, 86_400],
  window: [16, 1_000_000],
} as const;
type Setting = keyof typeof SETTINGS;

function numbersOf(text: string, settings: readonly string[]): Result<Partial<Record<Setting, number>>> {
  const numbers: Partial<Record<Setting, number>> = {};
  for (const setting of settings) {
    const [, name = '', digits = ''] = /^([a-z]+)=(\d{1,7})$/.exec(setting) ?? [];
    if (!isSetting(name))
      return failed(`"${setting}" in "${text}" should be ${Object.keys(SETTINGS).join('=N, ')}=N.`);
    if (numbers[name] !== undefined) return failed(`"${text}" has "${name}" twice.`);
    const [min, max] = SETTINGS[name];
    const number = Number(digits);
    if (number < min || number > max)
      return failed(`"${setting}" in "${text}" should be from ${min} to ${max}.`);
    numbers[name] = number;
  }
  return ok(numbers);
}

const isSetting = (name: string): name is Setting => Object.hasOwn(SETTINGS, name);

const TRANSPORTS = Object.keys(MODE_PROTOCOLS) as TransportMode[];
/** Pattern of a rule's id. A rule has no parameters here: they have the signs that separate settings. */
const RULE = /^[a-z0-9-]+$/;

function playersOf(text: string): Result<PlayerGroup> {
  const settings = new Map<string, string>();
  for (const setting of text.split(':').slice(1)) {
    const [, name = '', value = ''] = /^(rule|transport|players)=(.+)$/.exec(setting) ?? [];
    if (name === '')
      return failed(`"${setting}" in "${text}" should be rule=ID, transport=MODE or players=N.`);
    if (settings.has(name)) return failed(`"${text}" has "${name}" twice.`);
    const fault = faultOfPlayers(name, value);
    if (fault !== null) return failed(`"${setting}" in "${text}" should be ${fault}.`);
    settings.set(name, value);
  }
  const { players, rule, transport } = { ...ONE_PLAYER, ...Object.fromEntries(settings) };
  // `faultOfPlayers` has tested the transport above.
  return ok({
    kind: 'players',
    players: Number(players),
    rule,
    transport: transport as TransportMode | null,
  });
}

const ONE_PLAYER: Readonly<Record<'rule' | 'transport', string | null> & { players: string }> = {
  players: '1',
  rule: null,
  transport: null,
};

/** Returns what a setting of players should be instead; null where it is right. */
function faultOfPlayers(name: string, value: string): string | null {
  if (name === 'rule') return RULE.test(value) ? null : 'the id of a rule, without parameters';
  if (name === 'transport')
    return TRANSPORTS.some((each) => each === value) ? null : `one of ${TRANSPORTS.join(', ')}`;
  return /^[1-9]\d{0,2}$/.test(value) ? null : `from 1 to ${MAX_PLAYERS}`;
}

/** Returns the controller of flows, as the origin names it: `cubic`, `cubic-x6`. */
export const flowController = ({
  family,
  emulatedConnections,
}: Pick<FlowGroup, 'family' | 'emulatedConnections'>): string =>
  emulatedConnections === null ? family : `${family}-x${emulatedConnections}`;
