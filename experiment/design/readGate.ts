import { campaignFaults, type Known } from './campaignFaults.ts';
import { CAMPAIGN_SCHEMA, type CampaignFile } from './campaignFile.ts';
import { GateFile, usualGate, type Gate, type GateMetric } from './gateFile.ts';
import { readFile } from './readCampaign.ts';
import { isMeasuredIn, metrics } from '../../src/analysis/metrics/registry.ts';
import type { Result } from '../../src/shared/result.ts';
import { checkOf } from '../../src/telemetry/schema/checkOf.ts';

const check = checkOf(GateFile);

/**
 * Reads a gate file and fills in what it leaves out. The error is one sentence with the file's name and the place in it, as
 * of `readCampaign`.
 */
export function readGate(text: string, { name, known }: { name: string; known: Known }): Result<Gate> {
  return readFile<Gate>(text, {
    name,
    check,
    what: 'gate',
    faultOf: (value) => gateFault({ ...usualGate, ...(value as GateFile) }, known),
    valueOf: (value) => ({ ...usualGate, ...(value as GateFile) }),
  });
}

function gateFault(gate: Gate, known: Known): string | null {
  const ruleFault = known.faultOfRule(gate.rule);
  if (ruleFault !== null) return `/rule: ${ruleFault}`;
  const ids = gate.metrics.map(({ metric }) => metric);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) return `/metrics/${twice}: ${ids[twice]} is listed twice.`;
  for (const [index, metric] of gate.metrics.entries()) {
    const fault = faultOfMetric(metric);
    if (fault !== null) return `/metrics/${index}${fault}`;
  }
  const arms = { rules: [gate.rule], aaLabels: ['base', 'new'], compare: 'aaLabels' } as const;
  return (
    campaignFaults(
      gateCampaign(gate, { ...arms, rules: [...arms.rules], aaLabels: [...arms.aaLabels] }, 1),
      known,
    )[0] ?? null
  );
}

/** As a campaign with this primary metric would have it. */
function faultOfMetric({ metric, margin, marginPercent }: GateMetric): string | null {
  const judged = metrics.filter((each) => each.better !== null && isMeasuredIn(each, false));
  const found = judged.find(({ id }) => id === metric);
  if (!found) return `/metric: ${whyNotJudged(metric)}; known: ${judged.map(({ id }) => id).join(', ')}.`;
  if ((margin === undefined) === (marginPercent === undefined))
    return ': Give either "margin", in the unit of the metric, or "marginPercent".';
  return marginPercent !== undefined && found.isPositive !== true
    ? `/marginPercent: The metric ${metric} can be 0 or below, so it has no ratio: use "margin", in its unit.`
    : null;
}

function whyNotJudged(id: string): string {
  const found = metrics.find((each) => each.id === id);
  if (!found) return `Unknown metric "${id}"`;
  return found.better === null
    ? `The metric ${id} has no better direction`
    : `The metric ${id} is of transfers, and a gate plays streams`;
}

/** The arms of a gate: what of a campaign differs between BASE and NEW. */
export type GateArms = Pick<CampaignFile, 'rules' | 'compare'> &
  Partial<Pick<CampaignFile, 'players' | 'pages' | 'aaLabels'>>;

/** The campaign that a gate plays; its pairs are in rounds, each with every network and content. */
export function gateCampaign(gate: Gate, arms: GateArms, rounds: number): CampaignFile {
  const { transports, profiles, contents, seconds, leadInSeconds, phase, preset, seed, alpha } = gate;
  const { origin, initialWindowPackets, viewer, browserProfile } = gate;
  const [{ metric: primary, margin, marginPercent }] = gate.metrics as [GateMetric];
  return {
    schema: CAMPAIGN_SCHEMA,
    name: 'gate',
    about:
      'Sessions of a gate (docs/gate.md), which looks at its pairs several times. The verdict of the gate allows for that; the tests below do not, so they only describe.',
    ...arms,
    transports,
    profiles,
    contents,
    seconds,
    leadInSeconds,
    phase,
    preset,
    primary,
    alpha,
    ...(origin && { origin }),
    ...(initialWindowPackets !== undefined && { initialWindowPackets }),
    ...(viewer !== undefined && { viewer }),
    ...(browserProfile && { browserProfile }),
    repeats: rounds,
    seeds: [seed],
    per: 'campaign',
    ...(margin === undefined ? { marginPercent: marginPercent! } : { margin }),
    ...(profiles.length > 0 && { infer: 'repeat' as const }),
  };
}
