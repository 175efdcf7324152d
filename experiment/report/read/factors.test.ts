import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { armColumns, armOfRow, reportFactors } from '../../factors/columns.ts';
import { armOf, commonOf, factorsOf, labelOf } from '../../factors/arms.ts';
import type { Factor } from '../../factors/factor.ts';
import { factors } from '../../factors/registry.ts';
import { campaignFaults } from '../../design/campaignFaults.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { knownBrowsers } from '../../resolve/knownBrowsers.ts';
import { titleOf } from '../../session/plan.ts';
import { readSession } from '../../../src/telemetry/schema/readSession.ts';
import { questionOf } from '../model/design.ts';
import { sessionTable } from '../model/metricTables.ts';
import { formatCsv } from '../reportTable.ts';
import { parseCsv } from '../../../src/shared/csv.ts';
import { exampleLog } from '../../../src/telemetry/exampleLog.testing.ts';

/** A campaign in which every factor may be declared: with races over QUIC, so that no arm is impossible. */
const campaignOf = (...declared: readonly Factor[]): CampaignFile =>
  ({
    ...startingFile,
    transports: ['h3-racing'],
    rules: declared.some(({ insteadOf }) => insteadOf === 'rules') ? [] : ['sara'],
    repeats: 1,
    seeds: [1],
    compare: declared[0]!.field,
    ...Object.fromEntries(declared.map(({ field, examples }) => [field, examples])),
  }) as CampaignFile;

function planOf(campaign: CampaignFile): CampaignPlan {
  const plan = planCampaign(campaign, []);
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
}

/** The names of arms that the rows of a report's table of sessions have. */
function armsOfRows(plan: CampaignPlan): string[] {
  const source = { plan, sessions: [], aaSessions: [], flagged: [], outcomes: [], notes: [] };
  const { columns, rows } = sessionTable(source);
  const csv = formatCsv(
    columns.map(({ label }) => label),
    rows,
  );
  const [names = [], ...lines] = parseCsv(csv);
  return lines.map((cells) => armOfRow(new Map(names.map((name, column) => [name, cells[column] ?? '']))));
}

function armOfLog({ id, design }: CampaignPlan['sessions'][number]): string | undefined {
  const log = readSession(JSON.stringify({ ...exampleLog(), id, design }));
  return log.ok ? log.value.design?.arm : log.error;
}

const isAlternative = (one: Factor, other: Factor): boolean =>
  one.insteadOf === other.field || other.insteadOf === one.field;

const alone = factors.map((factor) => [factor.field, [factor]] as const);
const together = factors.flatMap((one, place) =>
  factors
    .slice(0, place)
    .filter((other) => !isAlternative(one, other))
    .map((other) => [`${one.field} and ${other.field}`, [one, other]] as const),
);

describe.each([...alone, ...together])('%s', (_, declared) => {
  const plan = planOf(campaignOf(...declared));
  const { sessions, campaign } = plan;

  test('make an arm, a session and a title for each combination', () => {
    const count = 2 ** declared.length;
    for (const of of [
      sessions.map(({ id }) => id),
      sessions.map(({ design }) => design.arm),
      sessions.map(titleOf),
    ])
      expect(new Set(of).size).toBe(count);
    for (const { id } of sessions) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const { id } of sessions) expect(id.length).toBeLessThanOrEqual(63);
  });

  test('plan, log and row name the same arm', () => {
    const arms = sessions.map(({ design }) => design.arm);
    expect(
      sessions.map((session) => [armOf(session), labelOf(session)].filter((part) => part !== '').join('/')),
    ).toEqual(arms);
    expect(sessions.map(armOfLog)).toEqual(arms);
    expect(armsOfRows(plan)).toEqual(arms);
  });

  test('what is compared has all else in common', () => {
    const groups = new Set(sessions.map((session) => commonOf(campaign, session)));
    // Sessions of one arm under several labels are compared by the label alone.
    const others = declared.slice(1).filter(({ key }) => key !== null);
    expect(groups.size).toBe(2 ** others.length);
  });

  test('columns differ', () => {
    const shown = reportFactors(campaign).map(({ column }) => column.report);
    const printed = factorsOf(campaign).map(({ factor }) => factor.column.terminal);
    for (const names of [shown, printed]) expect(new Set(names).size).toBe(names.length);
    for (const { column } of declared) expect(shown).toContain(column.report);
  });
});

const known = { faultOfRule: () => null, faultOfPreset: () => null, contents: [], browsers: knownBrowsers };

describe.each(alone)('a campaign that compares %s', (field, [factor]) => {
  const whole = {
    ...campaignOf(factor!),
    contents: ['padded:envivio:audio=32'],
    profiles: ['dvl'],
    origin: 'instrumented',
    transports: field === 'transports' ? factor!.examples : ['h2'],
    ...(['steering', 'racing', 'discovery'].includes(field) && { transports: ['h3-racing'] }),
    ...(field === 'transfers' && { primary: 'transfer-time' }),
  } as unknown as CampaignFile;
  const faults = (changes: object): string[] => campaignFaults({ ...whole, ...changes }, known);

  test('is right as it is, and wrong with one value or a value twice', () => {
    expect(faults({})).toEqual([]);
    const [first] = factor!.examples;
    expect(faults({ [field]: [first] })).toContainEqual(
      expect.stringMatching(/are compared: name at least two/),
    );
    expect(faults({ [field]: [first, first] })).toContainEqual(expect.stringContaining(`/${field}/1: `));
  });

  test('is refused without what it needs', () => {
    const { instrumentedOrigin, link } = factor!.needs ?? {};
    const refused = expect.stringContaining(`/${field}: `) as string;
    if (link !== undefined) expect(faults({ profiles: [] })).toContainEqual(refused);
    if (instrumentedOrigin) expect(faults({ origin: 'caddy' })).toContainEqual(refused);
  });

  test('asks a question that names it', () => {
    expect(questionOf(whole, { label: 'the bitrate' })).toContain(`Does ${factor!.words.question} make`);
  });
});

test('ids and plans depend on the order of parts of arm names: new ones stand before the label', () => {
  const known = ['rules', 'transfers', 'transports', 'controllers', 'steering', 'beside', 'split'];
  known.push('pages', 'browsers', 'aaLabels');
  const fields = factors.map(({ field }) => field);
  expect(fields.filter((field) => known.includes(field))).toEqual(known);
  expect(fields.at(-1)).toBe('aaLabels');
});

test('committed tables have these columns', () => {
  const known = ['rule', 'transport', 'controllers', 'steering', 'beside', 'ranges', 'page', 'browser'];
  expect(armColumns.filter((name) => known.includes(name))).toEqual(known);
});

describe('the manual of campaigns', () => {
  const page = (name: string): string =>
    readFileSync(path.resolve(import.meta.dirname, '../../../docs', name), 'utf8');

  test('defines an arm by all factors', () => {
    const [first, instead, second, ...declared] = factors.map(({ words }) => words.counted[0]);
    expect(page('campaigns.md').replace(/\s+/g, ' ')).toContain(
      `An **arm** is one combination of ${first} (or ${instead}), ${second} mode and, if the campaign names them, ${declared.slice(0, -1).join(', ')} and ${declared.at(-1)}.`,
    );
  });

  // A campaign file has no transfers.
  const fields = factors.filter(({ insteadOf }) => insteadOf === undefined).map(({ field }) => field);

  test.each(fields)('has a row for %s, and names it among what is compared', (field) => {
    const rows = page('campaign-file.md')
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^\\| \`${field}\` +\\|`)));
    expect(rows.find((line) => line.startsWith('| `compare`'))).toContain(`\`${field}\``);
  });
});
