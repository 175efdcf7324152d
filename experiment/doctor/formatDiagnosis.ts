import { element } from '../../lab/content/xml.ts';
import { PRODUCTS, type Fix } from '../../src/doctor/check.ts';
import type { Diagnosis, Finding } from '../../src/doctor/diagnose.ts';
import type { Evidence, LookedAt } from '../../src/doctor/evidence.ts';
import { checks } from '../../src/doctor/registry.ts';
import { SEVERITIES } from '../../src/analysis/diagnostics/finding.ts';
import { formatCount, formatMbps, formatSize } from '../../src/shared/format.ts';

/** What was found, with what it cost. */
export interface Examined extends Diagnosis {
  readonly evidence: Evidence;
  readonly spentBytes: number;
  readonly elapsedMs: number;
}

/** The result as text. A stream without findings has one line, and one for what could not be checked. */
export function formatExamined(examined: Examined): string {
  const { findings, evidence } = examined;
  const counts = SEVERITIES.flatMap((severity) => {
    const { length } = findings.filter(({ check }) => check.severity === severity);
    return length === 0 ? [] : [formatCount(length, severity)];
  });
  const about = [...formatProtocols(evidence), ...formatLook(evidence)];
  const cost = `${formatSize(examined.spentBytes)} in ${(examined.elapsedMs / 1000).toFixed(1)} s`;
  if (findings.length === 0)
    return [
      `${evidence.url}: nothing found (${[...about, cost].join('; ')})`,
      ...formatNotChecked(examined),
    ].join('\n');
  return [
    `${evidence.url}: ${counts.join(', ')} (${cost})`,
    ...findings.map((finding) => formatFinding(finding, evidence)),
    '',
    ...about,
    ...formatNotChecked(examined),
  ].join('\n');
}

function formatFinding({ check, sentence }: Finding, evidence: Evidence): string {
  const rows: [string, string][] = [
    ['why', check.why],
    ['fix', `${check.fix.text} (docs/doctor.md#${check.topic})`],
    ...fixesFor(check.fix, evidence),
  ];
  return [
    `\n${check.severity}: ${sentence}`,
    ...rows.map(([name, text]) => `  ${name.padEnd(8)} ${text}`),
  ].join('\n');
}

/** Ways by product; the one of the server that answers comes first, where it names itself. */
function fixesFor({ by }: Fix, { files }: Evidence): [string, string][] {
  if (by === null) return [];
  const servers = files
    .map(({ whole }) => whole?.headers['server'] ?? '')
    .join(' ')
    .toLowerCase();
  const isHere = (product: string): number => (servers.includes(product.toLowerCase()) ? 0 : 1);
  return [...PRODUCTS].sort((a, b) => isHere(a) - isHere(b)).map((product) => [product, by[product]]);
}

/** What a browser with its ordinary behaviour used, by server. */
const formatProtocols = ({ servers }: Evidence): string[] =>
  servers.flatMap(({ origin, visit }) =>
    visit === null
      ? []
      : [`${new URL(origin).host}: Chromium uses ${visit.racing.join(', then ') || 'nothing'}`],
  );

function formatLook({ browser, stream, url }: Evidence): string[] {
  if (!browser?.look) return [];
  const { sizeBytes, h2, h3 } = browser.look;
  const of = (list: readonly LookedAt[]): string => {
    const firstByteMs = median(list.map((each) => each.firstByteMs));
    const wholeMs = median(list.map((each) => each.wholeMs));
    return `${firstByteMs.toFixed(0)} ms, ${formatMbps((sizeBytes * 8) / wholeMs)}`;
  };
  return [
    `first byte and rate of ${formatSize(sizeBytes)}: h2 ${of(h2)}, h3 ${of(h3)}; medians of ${h2.length}: a look, no verdict${stream?.kind === 'dash' ? `; for one: pitwall ask ${url}` : ''}`,
  ];
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** One line for each reason. */
function formatNotChecked({ notChecked }: Diagnosis): string[] {
  const reasons = new Map<string, string[]>();
  for (const { check, why } of notChecked) reasons.set(why, [...(reasons.get(why) ?? []), check.label]);
  return Array.from(reasons, ([why, labels]) => `not checked: ${labels.join(', ')} (${why})`);
}

/** The result for programs. */
export function jsonOf({ evidence, findings, notChecked, spentBytes, elapsedMs }: Examined): object {
  return {
    schema: 'pitwall-doctor/1',
    url: evidence.url,
    findings: findings.map(({ check: { id, severity, why, fix, topic }, sentence }) => ({
      ...{ check: id, severity, sentence, why, fix: fix.text, by: fix.by, docs: `docs/doctor.md#${topic}` },
    })),
    notChecked: notChecked.map(({ check: { id }, why }) => ({ check: id, why })),
    spentBytes,
    elapsedMs: Math.round(elapsedMs),
    evidence,
  };
}

/** The result as JUnit XML: a test case for each check. A problem or a warning is a failure; what could not be checked is skipped. */
export function formatJunit({ evidence, findings, notChecked, elapsedMs }: Examined): string {
  const of = (id: string): Finding[] => findings.filter(({ check }) => check.id === id);
  const skipped = new Map(notChecked.map(({ check, why }) => [check.id, why]));
  const isFailure = ({ check }: Finding): boolean => check.severity !== 'note';
  const failed = new Set(findings.filter(isFailure).map(({ check }) => check.id));
  const cases = checks.map(({ id, severity, fix }) => {
    const message = of(id)
      .map(({ sentence }) => sentence)
      .join('; ');
    const why = skipped.get(id);
    const children = failed.has(id)
      ? [element('failure', { type: severity, message }, `${message}. Fix: ${fix.text}.`)]
      : [
          ...(why === undefined ? [] : [element('skipped', { message: why })]),
          ...(message === '' ? [] : [element('system-out', {}, message)]),
        ];
    return element('testcase', { classname: 'pitwall.doctor', name: id, time: 0 }, children);
  });
  for (const id of failed) skipped.delete(id);
  const counts = { tests: checks.length, failures: failed.size, errors: 0, skipped: skipped.size };
  const suite = { name: 'pitwall doctor', ...counts, time: (elapsedMs / 1000).toFixed(1) };
  const properties = element('properties', {}, [element('property', { name: 'url', value: evidence.url })]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', {}, [element('testsuite', suite, [properties, ...cases])])}\n`;
}
