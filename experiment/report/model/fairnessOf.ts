import { groupBy } from '../../../src/shared/groupBy.ts';
import { isSimulated } from '../../../src/telemetry/isSimulated.ts';
import { type Cell, type ReportTable, listed } from '../reportTable.ts';
import type { ReportSource } from '../reportSource.ts';
import { armSuffixOf, type SessionSummary } from '../sessionSummary.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { protocolsOfMode } from '../../../src/telemetry/transportModes.ts';

/** The conditions of all sessions, and where they were not the same. */
export interface Fairness {
  /** Whether all is alike, or what differs besides what is compared. */
  readonly sentence: string;
  readonly table: ReportTable;
}

/** Compares the environments of all arms without their rules (transport, controller), one fact a row. */
export function fairnessOf(source: ReportSource): Fairness {
  const groups = groupBy(source.sessions, armSuffixOf);
  const names = [...groups.keys()].sort();
  const rows = FACTS.map((fact) => {
    const { of } = fact;
    const found = names.map((name) => valuesOf(groups.get(name)!, of));
    return {
      ...fact,
      found,
      differs: new Set(found.map((values) => [...values.keys()].sort().join('\n'))).size > 1,
    };
  }).filter(({ found }) => found.some((values) => values.size > 0));
  const differing = rows
    .filter(
      ({ factor, differs, of }) =>
        differs && (factor === undefined || differsInOne({ factor, of }, source, groups.values())),
    )
    .map(({ label, named }) => named ?? label);
  return {
    sentence: [
      formatGroups(differing, names.length),
      ...formatSenders(source.sessions),
      ...formatVersions(source.sessions),
    ].join(' '),
    table: {
      id: 'fairness',
      title: 'Environment and fairness',
      caption:
        'Environment of every finished session, from its log. If sessions differ, each value has its count.',
      columns: [
        { label: 'field', isText: true },
        ...names.map((label) => ({ label, isText: true })),
        { label: 'alike', isText: true },
      ],
      rows: rows.map(({ label, found, differs }) => [
        label,
        ...found.map(cellOf),
        differs ? 'differs' : 'same',
      ]),
    },
  };
}

/** Whether arms that name the same browser or player, or none, were played in different ones. */
function differsInOne(
  fact: Required<Pick<EnvironmentFact, 'factor' | 'of'>>,
  { plan }: ReportSource,
  arms: Iterable<readonly SessionSummary[]>,
): boolean {
  const namedBy = new Map(plan.sessions.map((session) => [session.id, session[fact.factor] ?? '']));
  const playedIn = new Map<string, Set<string>>();
  for (const sessions of arms) {
    const named = namedBy.get(sessions[0]!.id) ?? '';
    const versions = new Set(sessions.map((session) => fact.of(session) ?? ''));
    playedIn.set(named, (playedIn.get(named) ?? new Set()).add([...versions].sort().join('\n')));
  }
  return [...playedIn.values()].some((sets) => sets.size > 1);
}

const formatGroups = (differing: readonly string[], groups: number): string => {
  if (groups < 2) return 'All sessions have the same environment.';
  return differing.length === 0
    ? 'Apart from what is compared, nothing in the logs differs between the arms.'
    : `The arms also differ in other ways: ${listed(differing)} ${differing.length === 1 ? 'differs' : 'differ'}. Every verdict is about an arm together with its environment.`;
};

/** Where no source reported the senders, the effects of transport and controller cannot be distinguished. */
function formatSenders(sessions: readonly SessionSummary[]): string[] {
  const unreported = sessions.filter(
    (session) =>
      !isSimulated(session) &&
      session.environment.tcpController === null &&
      session.environment.quicController === null,
  ).length;
  return unreported === 0
    ? []
    : [
        `The congestion controllers of TCP and QUIC are not known in ${formatCount(unreported, 'session')}: a difference may come from the controllers.`,
      ];
}

/** A campaign that was continued with other code: what that changed is in no interval. */
function formatVersions(sessions: readonly SessionSummary[]): string[] {
  const counts = valuesOf(sessions, ({ environment }) => environment.pitwallVersion);
  return counts.size < 2
    ? []
    : [
        `The sessions were recorded by ${counts.size} versions of Pitwall: differences between them may be those of its code.`,
      ];
}

/** Says nothing new where TCP and QUIC send alike. */
export const ARM_SENDER = 'sender of the transport of the arm';

interface EnvironmentFact {
  readonly label: string;
  /** In a sentence; absent: by its label. */
  readonly named?: string;
  /** The factor by which an arm names it; absent: none does. */
  readonly factor?: 'browser' | 'player';
  of(session: SessionSummary): string | null;
}

const FACTS: readonly EnvironmentFact[] = [
  { label: 'browser', factor: 'browser', of: ({ environment }) => environment.browser },
  { label: 'simulator', of: ({ environment }) => environment.simulator ?? null },
  {
    label: 'player',
    factor: 'player',
    of: ({ environment: { player, dashjsVersion } }) =>
      player ?? (dashjsVersion === null ? null : `dash.js ${dashjsVersion}`),
  },
  { label: 'Pitwall', named: 'the version of Pitwall', of: ({ environment }) => environment.pitwallVersion },
  { label: 'origin', of: ({ environment }) => environment.origin?.program ?? null },
  { label: 'preset', of: ({ environment }) => environment.preset },
  { label: 'TCP sender', of: ({ environment }) => environment.tcpController },
  { label: 'QUIC sender', of: ({ environment }) => environment.quicController },
  { label: ARM_SENDER, of: senderOf },
  {
    label: 'load',
    named: 'the load of the machine',
    of: ({ environment }) => ((environment.machine?.flags.length ?? 0) > 0 ? 'busy' : null),
  },
  { label: 'cores', of: ({ environment }) => environment.machine?.cores.toString() ?? null },
];

/** Every session has both senders, and one that races may use either; the comparison is of those that it may use. */
function senderOf({ transport, environment }: SessionSummary): string | null {
  const { tcpController: tcp, quicController: quic } = environment;
  const protocols = protocolsOfMode(transport);
  if (protocols[0] === 'h3') return quic;
  if (!protocols.includes('h3') || tcp === quic) return tcp;
  return tcp === null || quic === null ? null : `${tcp} or ${quic}`;
}

function valuesOf(
  sessions: readonly SessionSummary[],
  of: EnvironmentFact['of'],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const session of sessions) {
    const value = of(session);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

const MAX_VALUES = 4;

function cellOf(values: ReadonlyMap<string, number>): Cell {
  const found = [...values].sort(([, one], [, other]) => other - one);
  if (found.length <= 1) return found[0]?.[0] ?? null;
  const shown = found
    .slice(0, MAX_VALUES)
    .map(([value, count]) => `${value} (${formatCount(count, 'session')})`);
  const rest = found.length > MAX_VALUES ? [`${found.length - MAX_VALUES} more`] : [];
  return [...shown, ...rest].join('; ');
}
