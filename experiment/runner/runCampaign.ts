import path from 'node:path';
import { print } from '../../node/print.ts';
import { askedSessions, type AskedSessions } from './askedSessions.ts';
import { codeOfPair, errorOfPair } from './formatOutcome.ts';
import { resolveForLab, refuseToBegin } from './refusals.ts';
import { playSessions, type WhenReady } from './playSessions.ts';
import { prepare } from './prepare.ts';
import { keepRegistration, type ClaimsOf } from './registration.ts';
import { findToDo, openRunFolder } from './runFolder.ts';
import type { LabFile, RunOptions } from './runOptions.ts';
import { showFolder, showPair } from './showCampaign.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { whileHolding } from '../session/lock/whileHolding.ts';
import { isRealTime, NO_PRIORITY } from '../../lab/link/rattanProcess.ts';
import { sweepLinks } from '../../lab/link/sweepLinks.ts';
import { EXIT } from '../../node/exitCodes.ts';
import { logDirOf } from '../../node/logFiles.ts';

/** How a campaign is played; its file says the rest. */
export interface CampaignOptions extends RunOptions, LabFile {
  readonly long?: boolean;
  /** Which block is played, from 1; absent: all, one after the other. */
  readonly block?: number;
  /** The pair that is played alone, by its id or its place in the list of pairs; absent: all. */
  readonly pair?: string;
  /** Whether pairs with a session whose last try is invalidated are played once more. */
  readonly again?: boolean;
  /** The claims that are registered; absent: none. */
  readonly claimsOf?: ClaimsOf | undefined;
}

/** Plays what of a campaign is not played yet and prints its table. Resolves to the exit code. */
export const runCampaign = async (options: CampaignOptions): Promise<number> =>
  playCampaign(await resolveForLab(options), options);

/** Plays what of a resolved campaign is not played yet and prints its table. Resolves to the exit code. */
export async function playCampaign(
  resolved: Resolved,
  options: CampaignOptions,
  ready?: WhenReady,
): Promise<number> {
  const { plan } = resolved;
  refuseToBegin(plan, options);
  // A block or pair that there is not is refused before the folder is made.
  const asked = askedSessions(plan, options);
  const outDir = path.resolve(options.out ?? path.join('runs', plan.campaign.name));
  const code = await whileHolding(outDir, asked.part, () =>
    playMissing(resolved, { ...asked, outDir, ready }, options),
  ).catch((error: unknown) => {
    throw asked.pair === null ? error : errorOfPair(error);
  });
  if (asked.pair !== null) return codeOfPair(code, showPair(outDir, asked.pair));
  showFolder(outDir, options.metrics);
  return code;
}

interface ToPlay extends Pick<AskedSessions, 'sessions' | 'part'> {
  readonly outDir: string;
  readonly ready: WhenReady | undefined;
}

/** Plays what the folder of a run lacks of some sessions. Resolves to the exit code. */
async function playMissing(
  resolved: Resolved,
  { outDir, sessions, part, ready }: ToPlay,
  options: CampaignOptions,
): Promise<number> {
  const { networks, tlsRecords } = resolved.plan;
  // A killed run may have left links, also where nothing is left to play.
  if (networks.length > 0) await sweepLinks();
  const folder = openRunFolder(outDir, resolved.plan, { simulates: false });
  keepRegistration(folder, { claimsOf: options.claimsOf, part });
  if (folder.plan.tlsRecords !== tlsRecords)
    print('the folder was begun with TLS records of 16 KiB and goes on with them');
  const toDo = await findToDo(folder, sessions, { again: options.again === true, nowUnixMs: Date.now() });
  for (const note of toDo.notes) print(note);
  print(`${toDo.count} of ${sessions.length} sessions are to be played; logs: ${logDirOf(outDir)}`);
  if (toDo.count === 0) return EXIT.done;
  if (networks.length > 0 && !isRealTime()) print(NO_PRIORITY);
  const prepared = await prepare(resolved, { ...options, outDir, print });
  return playSessions(options, { ...folder, sessions, part, prepared, ready });
}
