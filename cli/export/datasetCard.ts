import { markdownTable } from '../../node/textTable.ts';

/** What a data set says of a run. */
export interface PublishedRun {
  /** Name of the campaign, and of the run's folder in the data set. */
  readonly name: string;
  /** Number of planned and of finished sessions. */
  readonly planned: number;
  readonly finished: number;
  /** Ids of finished sessions of pairs in which the machine was the bottleneck; verdicts leave them out. */
  readonly invalidated: readonly string[];
  /** Ids of finished A/A sessions: an arm compared with itself. */
  readonly aaSessions: readonly string[];
  /** What was sampled, on which machines and days. */
  readonly scope: string;
  readonly networks: readonly { readonly label: string; readonly source: string }[];
  /** What a report says of the registration; null where sessions are simulated. */
  readonly registration: string | null;
}

/** Writes the README.md of a data set. */
export const formatCard = (
  licence: string,
  runs: readonly PublishedRun[],
): string => `# Streaming sessions recorded with Pitwall

Each session is one playback of a DASH stream by one browser, or by a simulator: every request with its timing and protocol,
every decision of the ABR rule with its reason, stalls, switches, buffer levels. Licence: ${licence}.

${markdownTable([
  ['campaign', 'sessions', 'invalidated', 'A/A', 'what was played'],
  ...runs.map(({ name, planned, finished, invalidated, aaSessions, scope }) => [
    name,
    `${finished} of ${planned}`,
    String(invalidated.length),
    String(aaSessions.length),
    scope,
  ]),
])}

## How it was played

Each folder is a campaign, a designed experiment: \`plan.json\` has its arms, networks and sessions, in the order in which they
were played. The sessions of a pair differ in what is compared and share network, content, repeat and seed.

${runs.map(formatRun).join('\n')}

Leave out invalidated sessions, in whose pairs the machine was the bottleneck; and A/A sessions, unless you compare an arm with
itself. \`dataset.json\` has their ids.

## Files

- \`CAMPAIGN/tables/*.parquet\`: a table of each kind for all sessions; \`dataset.json\` has the unit and meaning of each column.
- \`CAMPAIGN/sessions/ID.json\`: the whole session log, which the tables are made of. \`.partial.json\` and \`.failures.jsonl\` are of
  tries that failed, \`.beside-N.json\` of other viewers of the same link.
- \`CAMPAIGN/registration.json\`: hashes of plan and analysis from before the first session.
- \`SHA256SUMS\`: \`sha256sum -c SHA256SUMS\` checks all files.

An unknown value is null, and \`missing\` or \`why\` has the reason. Times are ms since the start of the session.

    duckdb -c "SELECT arm, count(*), avg(mean_bitrate) FROM '*/tables/sessions.parquet' GROUP BY ALL"
    npx pitwall report CAMPAIGN

## What was removed

Logs have no NetLogs. Machines are numbered. Paths of files, private addresses and names of hosts, and values of queries are
replaced (\`<path>\`, \`private-1.invalid\`, \`*\`). Nothing else was changed.
`;

const formatRun = ({ name, registration, networks }: PublishedRun): string =>
  [
    `- **${name}**: ${registration ?? 'Simulated, so that it can be played again.'}`,
    ...networks.map(({ label, source }) => `  - network ${label}: ${source}`),
  ].join('\n');
