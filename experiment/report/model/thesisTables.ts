import type { ReportSource } from '../reportSource.ts';
import type { Cell, ReportTable, TableColumn } from '../reportTable.ts';
import { armSuffixOf, type SessionSummary } from '../sessionSummary.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';
import type { Network } from '../../design/plan.ts';

/** Makes tables 5 to 10 of the 2018 thesis in their layout, as far as this campaign has their numbers: downloads have none. */
export const thesisTables = (source: ReportSource): ReportTable[] =>
  [BITRATE, SEEK, REBUFFER].some(({ metric }) => isKnown(source.sessions, metric))
    ? [...byRule(source), ...bySwitch(source), ...byCondition(source)]
    : [];

/** A number of the thesis: its heading, unit and what it is here. */
interface Column {
  readonly heading: string;
  readonly metric: string;
  readonly decimals: number;
  /** The thesis' unit in ours: our value divided by this is the thesis' value. */
  readonly per: number;
}

const BITRATE: Column = {
  heading: 'Avg. playback bitrate (Mbit/s)',
  metric: 'mean-bitrate',
  decimals: 2,
  per: 1000,
};
const SEEK: Column = { heading: 'Avg. wait after seeking (s)', metric: 'seek-wait', decimals: 2, per: 1000 };
const REBUFFER: Column = { heading: 'Rebuffer rate (%)', metric: 'rebuffer-rate', decimals: 1, per: 1 };

/** Makes tables 5 to 7: a table a rule, a row a protocol, networks side by side under each metric. */
function byRule({ sessions }: ReportSource): ReportTable[] {
  const networks = namesOf(sessions, networkOf);
  const columns = [BITRATE, SEEK, REBUFFER].filter(({ metric }) => isKnown(sessions, metric));
  return namesOf(sessions, ({ rule }) => rule).map((rule, index) => ({
    id: `thesis-5-7-${index + 1}`,
    title: `${rule} (layout of the thesis’ tables 5 to 7)`,
    caption: `Means over the sessions of ${rule}, by transport and network.`,
    columns: [
      { label: 'protocol', isText: true },
      ...columns.flatMap(({ heading, decimals }) =>
        networks.map((label) => ({ label, group: heading, decimals })),
      ),
    ],
    rows: armSuffixesOf(sessions).map((suffix): Cell[] => [
      suffix,
      ...columns.flatMap((column) =>
        networks.map((network) =>
          meanIn(
            sessions.filter(
              (each) => each.rule === rule && armSuffixOf(each) === suffix && networkOf(each) === network,
            ),
            column,
          ),
        ),
      ),
    ]),
  }));
}

/**
 * Makes tables 8 and 9: one for each network on which the client gets another address; where a campaign is about networks in
 * general, one for all of them.
 */
function bySwitch({ plan, sessions }: ReportSource): ReportTable[] {
  const switches = plan.networks.filter(isSwitch);
  if (plan.campaign.infer !== 'network' || switches.length < 2)
    return switches.map(({ name, profile }, index) =>
      switchTable(sessions, {
        place: index + 1,
        title: profile.label,
        names: [name],
        caption: `Means over the sessions on ${name}, where the client’s address changes with the network.`,
      }),
    );
  const played = new Set(sessions.filter(hasBitrate).map(({ network }) => network));
  const names = switches.map(({ name }) => name).filter((name) => played.has(name));
  return [
    switchTable(sessions, {
      place: 1,
      title: `Connection switches, ${names.length} networks`,
      names,
      caption: 'Means over the sessions on all networks where the client’s address changes with the network.',
    }),
  ];
}

const hasBitrate = ({ values }: SessionSummary): boolean => (values[BITRATE.metric] ?? null) !== null;

interface SwitchTable {
  readonly place: number;
  readonly title: string;
  readonly caption: string;
  /** Names of the networks. */
  readonly names: readonly string[];
}

function switchTable(
  sessions: readonly SessionSummary[],
  { place, title, caption, names }: SwitchTable,
): ReportTable {
  return {
    id: `thesis-8-9-${place}`,
    title: `${title} (layout of the thesis’ tables 8 and 9)`,
    caption,
    columns: [
      { label: 'algorithm', isText: true },
      { label: 'protocol', isText: true },
      ...[BITRATE, REBUFFER].map(({ heading, decimals }) => ({ label: heading, decimals })),
    ],
    rows: namesOf(sessions, ({ rule }) => rule).flatMap((rule) =>
      armSuffixesOf(sessions).map((suffix): Cell[] => {
        const of = sessions.filter(
          (each) => each.rule === rule && armSuffixOf(each) === suffix && names.includes(each.network ?? ''),
        );
        return [rule, suffix, meanIn(of, BITRATE), meanIn(of, REBUFFER)];
      }),
    ),
  };
}

/** Returns whether a profile changes to another network, not to another address alone. */
const isSwitch = ({ profile: { steps } }: Network): boolean =>
  steps.some(({ newAddress }) => newAddress) && steps.some(({ rttMs }) => rttMs !== steps[0]!.rttMs);

/** Makes table 10: a row a protocol, delay and loss side by side, means over rules and rate profiles. */
function byCondition({ sessions }: ReportSource): ReportTable[] {
  const found = sessions.flatMap((session) => {
    const condition = CONDITION.exec(session.network ?? '')?.groups;
    return condition
      ? [{ session, condition: `${condition['delay']} delay, ${condition['loss']} loss` }]
      : [];
  });
  if (found.length === 0) return [];
  const conditions = CONDITIONS.filter((name) => found.some(({ condition }) => condition === name));
  const columns: TableColumn[] = conditions.flatMap((group) =>
    [BITRATE, REBUFFER].map(({ heading, decimals }) => ({ label: heading, group, decimals })),
  );
  return [
    {
      id: 'thesis-10',
      title: 'Delay and loss (layout of the thesis’ table 10)',
      caption: 'Means over all rules and rate profiles.',
      columns: [{ label: 'protocol', isText: true }, ...columns],
      rows: armSuffixesOf(found.map(({ session }) => session)).map((suffix): Cell[] => [
        suffix,
        ...conditions.flatMap((name) => {
          const of = found
            .filter(({ session, condition }) => condition === name && armSuffixOf(session) === suffix)
            .map(({ session }) => session);
          return [BITRATE, REBUFFER].map((column) => meanIn(of, column));
        }),
      ]),
    },
  ];
}

/** Pattern of the networks' names that `src/network/profiles/multiplexing.ts` gives. */
const CONDITION = /^(?:np2b|fcc)-(?<delay>typical|large)-delay-(?<loss>typical|large)-loss$/;
const CONDITIONS = ['typical', 'large'].flatMap((delay) =>
  ['typical', 'large'].map((loss) => `${delay} delay, ${loss} loss`),
);

const networkOf = ({ network }: SessionSummary): string => network ?? 'no link';
const armSuffixesOf = (sessions: readonly SessionSummary[]): string[] => namesOf(sessions, armSuffixOf);
const namesOf = (sessions: readonly SessionSummary[], of: (session: SessionSummary) => string): string[] =>
  [...new Set(sessions.map(of))].sort();
const isKnown = (sessions: readonly SessionSummary[], metric: string): boolean =>
  sessions.some(({ values }) => (values[metric] ?? null) !== null);

function meanIn(sessions: readonly SessionSummary[], { metric, per }: Column): number | null {
  const mean = meanOf(sessions.flatMap(({ values }) => values[metric] ?? []));
  return mean === null ? null : mean / per;
}
