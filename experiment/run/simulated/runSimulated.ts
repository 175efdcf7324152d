import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { playSimulated } from './playSimulated.ts';
import { NO_BBR, simulatedContents, simulatedProtocol, simulatedRule } from './simulatedSession.ts';
import { campaignTable } from '../campaign/campaignTable.ts';
import { formatDryRun } from '../campaign/formatPlan.ts';
import { finishedSessions, readOwnLog } from '../campaign/finishedSessions.ts';
import { formatNotSimulated, isWithoutLosses } from './formatNotSimulated.ts';
import { refuseOtherKind } from '../campaign/refusals.ts';
import { keepPlan } from '../campaign/keepPlan.ts';
import { instrumentedOf, labPlan, loadCampaign } from '../campaign/loadCampaign.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { EXIT } from '../../../node/exitCodes.ts';
import { whileHolding } from '../lock/whileHolding.ts';
import { formatVerdicts } from '../campaign/formatOutcome.ts';
import type { CampaignOptions } from '../compareOptions.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { splitWeights, ruleOf } from '../../../src/abr/ruleText.ts';
import { abrRules } from '../../../src/abr/registry.ts';
import { sendersOf } from '../../plan/sendersOf.ts';
import { isLive } from '../../plan/contents.ts';
import { rulesIn } from '../../plan/factorsOf.ts';
import { hasLoss, profileIndex } from '../../plan/networks.ts';
import { traceOfProfile } from '../../../src/network/convertProfile.ts';
import { isUdpBlocked, isUdpBlockedForEver } from '../../../src/network/udpPath.ts';
import { verdictReach } from '../../verdict/verdictReach.ts';

/**
 * Plays a campaign's plan in the player model instead of the lab, all of it anew, and prints its table and its verdicts.
 * Resolves to the exit code. @throws Error in one sentence
 */
export async function runSimulated(
  options: Pick<CampaignOptions, 'file' | 'out' | 'dryRun' | 'table' | 'metrics'>,
): Promise<number> {
  const plan = await loadCampaign(options.file);
  refuseOtherKind(plan.campaign, { file: options.file });
  const outDir = path.resolve(options.out ?? path.join('runs', `${plan.campaign.name}-simulated`));
  const copies = formatCopies(plan);
  if (options.dryRun) {
    // Its time is the lab's: in the simulator it is a matter of seconds.
    print(formatDryRun(plan, 1));
    if (copies !== null) print(copies);
    return 0;
  }
  if (!options.table) await play(plan, outDir, options.file);
  const withoutLosses = isWithoutLosses(
    plan,
    (session) => readOwnLog(outDir, session)?.environment.settings ?? null,
  );
  print(formatNotSimulated(plan, { withoutLosses }));
  const finished = finishedSessions(plan, outDir, options.metrics);
  print(campaignTable(plan, finished, options.metrics));
  print(formatVerdicts(plan, finished));
  return 0;
}

async function play(plan: CampaignPlan, outDir: string, file: string): Promise<void> {
  refuseSimulated(plan, file);
  const { campaign, networks, sessions } = plan;
  const contents = await simulatedContents(campaign, { file, print });
  const logDir = logDirOf(outDir);
  const { seconds, preset } = campaign;
  const folder = path.dirname(path.resolve(file));
  await whileHolding(outDir, undefined, async () => {
    keepPlan(outDir, plan);
    mkdirSync(logDir, { recursive: true });
    print(`${sessions.length} sessions are simulated; logs: ${logDir}`);
    // The folder keeps the plan that older versions made; its origin is as the lab would start it.
    const instrumented = instrumentedOf(labPlan(plan));
    await playSimulated({
      ...{ sessions, networks, contents, seconds, preset, logDir, folder },
      ...(instrumented && { instrumented }),
    });
    return EXIT.done;
  });
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** The preset that the player model's defaults are. */
const MODELLED_PRESET = 'experiment';

/** Fields of a campaign for which the player model has nothing. */
const NOT_MODELLED = {
  viewer: 'The player model has no viewer who seeks, pauses or leaves: play this in the lab.',
  beside: 'The player model has the link for itself: play this in the lab, or leave out "beside".',
  split: 'The player model requests a segment whole: play this in the lab, or leave out "split".',
  pages: 'A page plays in a browser: the simulator has none. Leave out "pages".',
  browsers: 'The simulator has no browser: play this in the lab, or leave out "browsers".',
} as const satisfies Partial<Record<keyof CampaignPlan['campaign'], string>>;

/** @throws Error in one sentence, with its place in the campaign file, about what the player model cannot play. */
export function refuseSimulated({ campaign, networks }: CampaignPlan, file: string): void {
  const refuse: Refuse = (path, sentence) => {
    throw new Error(`${file}: ${path}: ${sentence}`);
  };
  if (networks.length === 0)
    refuse('/profiles', 'The simulator needs the rates of an emulated link: fill in "profiles".');
  for (const [field, sentence] of Object.entries(NOT_MODELLED))
    if (campaign[field as keyof typeof NOT_MODELLED] !== undefined) refuse(`/${field}`, sentence);
  if (campaign.preset !== MODELLED_PRESET)
    refuse(
      '/preset',
      `The player model supports only the preset ${MODELLED_PRESET}: it does not replace buffered segments or abandon downloads.`,
    );
  campaign.rules.forEach((entry, index) => {
    for (const text of rulesIn(entry)) {
      const rule = ruleOf(simulatedRule(splitWeights(text).spec), abrRules);
      if (!rule.ok)
        refuse(`/rules/${index}`, `The rule ${text} runs only inside dash.js and cannot be simulated.`);
    }
  });
  campaign.controllers?.forEach((text, index) => {
    const senders = sendersOf(text);
    if (senders.ok && [senders.value.tcp, senders.value.quic].includes('bbr'))
      refuse(`/controllers/${index}`, NO_BBR);
    if (senders.ok && senders.value.maxWindowPackets !== null)
      refuse(`/controllers/${index}`, 'The player model has no largest window: leave out "-max".');
  });
  campaign.contents.forEach((content, index) => {
    if (isLive(content)) refuse(`/contents/${index}`, 'The player model does not support live streams.');
  });
  refuseNetworks({ campaign, networks }, refuse);
}

type Refuse = (path: string, sentence: string) => never;

function refuseNetworks(
  { campaign, networks }: Pick<CampaignPlan, 'campaign' | 'networks'>,
  refuse: Refuse,
): void {
  networks.forEach(({ name, profile }, place) => {
    const at = `/profiles/${profileIndex(campaign, place)}`;
    const trace = traceOfProfile(profile);
    if (!trace.ok) refuse(at, trace.error);
    if (profile.tcp) refuse(at, `${name} limits TCP, which the player model does not have: leave it out.`);
    if (campaign.steering && profile.udp?.some(({ queueMs }) => queueMs !== undefined))
      refuse(
        at,
        `${name} queues UDP before its limit, and with steering the player model has only limits that drop: leave it out.`,
      );
    const isRefused = campaign.steering ? isUdpBlockedForEver : isUdpBlocked;
    if (isRefused(profile) && campaign.transports.some((transport) => simulatedProtocol(transport) === 'h3'))
      refuse(
        at,
        `${name} blocks UDP${campaign.steering ? ' without an end' : ''}, and the player model does not change from h3 to TCP: leave out h3-racing and h3-only.`,
      );
  });
}

/**
 * How many pairs of a plan can differ in the simulator, where that is fewer than there are: only random losses and rules
 * with random draws differ by a seed, so what meets the same moment of another network again is played the same again.
 * null where all can.
 */
export function formatCopies({ campaign, networks, sessions }: CampaignPlan): string | null {
  const pairs = new Set(sessions.map(({ design }) => design.pair)).size;
  const lossy = new Set(networks.filter(({ profile }) => hasLoss(profile)).map(({ name }) => name));
  const met = sessions.map(({ link, content, design }) =>
    JSON.stringify([
      ...[link?.network, link?.phaseMs, content, design.seed],
      link && lossy.has(link.network) ? link.seed : null,
    ]),
  );
  const different = new Set(met).size;
  if (different === pairs) return null;
  const { pairsNeeded, comparisons, unit } = verdictReach(campaign);
  const tests = comparisons === 1 ? 'a verdict needs' : 'verdicts need';
  return `simulated: at most ${different} of ${pairs} pairs can differ, the others are copies that do not count; ${tests} ${pairsNeeded}${unit === 'pair' ? '' : ` ${unit}s`} (with phase "drawn" more pairs differ)`;
}
