import { ruleOf } from '../../../src/abr/ruleText.ts';
import { abrRules } from '../../../src/abr/registry.ts';
import type { Rule } from '../../../src/abr/rule.ts';
import { linkProfile } from '../../design/linkProfile.ts';
import { fileOfProfile } from '../../design/profileFile.ts';
import { hasLoss } from '../../design/networks.ts';
import { experimentParameters } from '../../../src/player/presets.ts';
import type { Network, PlannedSession } from '../../design/plan.ts';
import { OWN_RULE } from '../../factors/rule.ts';
import { sendersOf, USUAL_SENDERS } from '../../factors/sendersOf.ts';
import type { InstrumentedPlan } from '../../session/plan.ts';
import { type Profile, queuePackets } from '../../../src/network/profile.ts';
import { udpPath } from '../../../src/network/udpPath.ts';
import { traceOfProfile } from '../../../src/network/convertProfile.ts';
import type { Content } from '../../../src/sim/content.ts';
import type { InstrumentedSender, SenderSettings } from '../../../src/sim/player/congestionWindow.ts';
import { playerModelWith } from '../../../src/sim/player/playerModel.ts';
import type { PlayerModelSettings, SteeringSettings } from '../../../src/sim/player/playerModelSettings.ts';
import { policyOf } from '../../../src/steering/registry.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';
import { lastProtocolOf } from '../../../src/telemetry/transportModes.ts';
import { valueOf } from '../../../src/shared/result.ts';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { trustedBy } from '../../../node/trust.ts';
import { contentFromMpd } from '../../simulate/mpd/contentFromMpd.ts';
import { campaignMounts, type Streams } from '../campaignMounts.ts';
import type { GivenWeights } from '../../resolve/weights.ts';
import { contentName, MPD_ADDRESS } from '../../design/contents.ts';

/** What all sessions of a simulated campaign have in common. */
export interface SimulatedCampaign {
  readonly sessions: readonly PlannedSession[];
  readonly networks: readonly Network[];
  /** Contents by name, as in the campaign file. */
  readonly contents: Readonly<Record<string, Content>>;
  readonly seconds: number;
  readonly preset: string;
  /** Settings of the instrumented origin; absent: Caddy serves. */
  readonly instrumented?: Omit<InstrumentedPlan, 'zeroRtt'>;
  readonly logDir: string;
  /** Weights of the rules that decide with weights; absent: no rule does. */
  readonly weights?: readonly GivenWeights[];
}

/** Time that the trace goes on after play, ms: it ends for the simulator where the link's profile stays as it is. */
const BEYOND_MS = 3_600_000;

/** Returns the player model's protocol for a transport mode. It has no races: `h3-racing` uses h3. */
export const simulatedProtocol = lastProtocolOf;

/**
 * Plays a planned session in the player model, over what the lab's link would run; play is requested where its lead-in ends. An
 * equal plan gives an equal log. `able` is the session's rule where that needs weights first. @throws Error in one sentence
 */
export function simulatedSession(
  {
    networks,
    contents,
    seconds,
    preset,
    ...origin
  }: Omit<SimulatedCampaign, 'sessions' | 'logDir' | 'weights'>,
  planned: PlannedSession,
  able: Rule = valueOf(ruleOf(simulatedRule(planned.rule), abrRules)),
): SessionLog {
  const { id, transport, content, link, design } = planned;
  const network = networks.find(({ name }) => name === link?.network);
  if (!link || !network) throw new Error(`${id}: A session without an emulated link cannot be simulated.`);
  const playMs = seconds * 1000;
  const linked = linkProfile(network.profile, link, playMs + BEYOND_MS);
  const steering = steeringOf(planned, linked, origin.instrumented);
  const protocol = simulatedProtocol(transport);
  // With steering the two pathways share the path, and limits of UDP are part of the model.
  const profile = protocol === 'h3' && !steering ? udpPath(linked) : linked;
  const sender = senderOf(planned, profile, origin.instrumented);
  const model = playerModelWith({
    protocol,
    sender,
    playAtMs: link.leadInMs,
    playMs,
    steering,
    ...modelSettings(preset),
  });
  const scene = {
    trace: { ...valueOf(traceOfProfile(profile)), name: network.name },
    content: contents[content]!,
    rule: able,
    seed: design.seed,
  };
  const { log } = model.record(scene);
  const environment = {
    ...log.environment,
    ...(network.isFromFile && { profile: fileOfProfile(network.profile) }),
    ...knownOf(log, { transport, preset }),
  };
  return { ...log, id, environment, design };
}

/** Returns what a preset sets of the player model. @throws Error about a preset that the player model does not have */
function modelSettings(preset: string): Partial<PlayerModelSettings> {
  const parameters = experimentParameters(preset);
  if (!parameters) throw new Error(`The player model has no preset ${preset}.`);
  const bufferTargetMs = 1000 * parameters.bufferSeconds;
  return {
    bufferTargetMs,
    bufferTargetAtTopMs: bufferTargetMs,
    timeoutMs: 1000 * parameters.timeoutSeconds,
  };
}

/** Makes the settings of steering. The second pathway comes from an origin that sends as the first one does over TCP. */
function steeringOf(
  planned: PlannedSession,
  linked: Profile,
  instrumented: SimulatedCampaign['instrumented'],
): SteeringSettings | null {
  if (planned.steering === undefined) return null;
  return {
    policy: valueOf(policyOf(planned.steering)),
    udp: linked.udp ?? [],
    tcpSender: senderOf({ ...planned, transport: 'h2' }, linked, instrumented),
  };
}

/** Number of packets that both ends of the lab's links send first with Caddy (`experiment/session/linkedPlace.ts`). */
const CADDY_INITIAL_PACKETS = 32;

function senderOf(
  planned: PlannedSession,
  profile: Profile,
  instrumented: SimulatedCampaign['instrumented'],
): SenderSettings {
  const initialPackets = instrumented?.initialWindowPackets ?? CADDY_INITIAL_PACKETS;
  return {
    initialPackets,
    queuePackets: queuePackets(profile, 'down') ?? 1,
    ...(hasLoss(profile) && planned.link && { lossSeed: planned.link.seed }),
    ...(instrumented && { instrumented: instrumentedSender(planned, instrumented) }),
  };
}

/** Returns the instrumented sender. @throws Error in one sentence about a controller that the player model does not have */
function instrumentedSender(
  { id, controller, transport }: PlannedSession,
  { tcpPacing, tlsRecords }: NonNullable<SimulatedCampaign['instrumented']>,
): InstrumentedSender {
  const senders = controller === undefined ? USUAL_SENDERS : valueOf(sendersOf(controller));
  const isQuic = simulatedProtocol(transport) === 'h3';
  const family = isQuic ? senders.quic : senders.tcp;
  if (family === 'bbr') throw new Error(`${id}: ${NO_BBR}`);
  const emulatedConnections = isQuic ? senders.emulatedConnections : null;
  return { controller: family, emulatedConnections, tcpPacing, tlsRecords };
}

/** Sentence about a controller that the player model does not have. */
export const NO_BBR = 'The player model has Reno and Cubic, not BBR.';

/** Returns what the campaign adds to a log's environment, and the fields that are still missing. */
function knownOf(
  { environment }: SessionLog,
  { transport, preset }: Pick<PlannedSession, 'transport'> & { preset: string },
): Pick<SessionLog['environment'], 'transport' | 'preset' | 'missing'> {
  const missing = Object.fromEntries(
    Object.entries(environment.missing).filter(([field]) => field !== 'transport' && field !== 'preset'),
  );
  return { transport, preset, missing };
}

/**
 * Reads the contents of a campaign as tables of real sizes, by their names in its file: those of the files that the lab's
 * origin serves. `trust` is a file of certificates for servers elsewhere. @throws Error in one sentence that names file and
 * place
 */
export async function simulatedContents(
  streams: Streams,
  { print, trust }: { readonly print: (line: string) => void; readonly trust?: string | undefined },
): Promise<Readonly<Record<string, Content>>> {
  const trusted = await trustedBy({ trust });
  const { mounts, mpdPath } = await campaignMounts(streams, { print, trusted });
  const { file, plan } = streams;
  const contents: Record<string, Content> = {};
  for (const [index, name] of plan.campaign.contents.entries())
    // A content has one name on every machine, because the name goes into the logs.
    contents[name] = await contentFromMpd(addressOf(mpdPath(name), mounts), contentName(name), trusted).catch(
      (error: Error) => {
        throw new Error(`${file}: /contents/${index}: ${error.message}`);
      },
    );
  return contents;
}

function addressOf(mpdPath: string, mounts: Readonly<Record<string, string>>): string {
  if (MPD_ADDRESS.test(mpdPath)) return mpdPath;
  const folder = mounts[path.posix.dirname(mpdPath)];
  if (folder === undefined) throw new Error(`Nothing is mounted for ${mpdPath}.`);
  return pathToFileURL(path.join(folder, path.posix.basename(mpdPath))).href;
}

/** Rules of ours that do the same as a rule of dash.js, by that rule's id. The others of dash.js run in a browser only. */
const STAND_INS: Readonly<Record<string, string>> = { 'dashjs-dynamic': 'dynamic', [OWN_RULE]: 'dynamic' };

/** Returns the rule that plays for a rule of a campaign: itself, or ours that does the same as one inside dash.js. */
export const simulatedRule = (rule: string): string => STAND_INS[rule] ?? rule;
