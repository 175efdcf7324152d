import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { requireTemporaryFolder } from '../temporaryFolder.ts';
import type { RunningBrowser } from './browser.ts';

/** Starts a browser in a profile: `given`, or a fresh one that is removed when the browser closes or does not start. */
export async function startInProfile(
  given: string | undefined,
  start: (profileDir: string) => Promise<Omit<RunningBrowser, 'profileDir'>>,
): Promise<RunningBrowser> {
  requireTemporaryFolder('');
  const profileDir = given ?? (await mkdtemp(path.join(tmpdir(), 'pitwall-profile-')));
  const forget = async (): Promise<void> => {
    if (given === undefined) await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const { context, close } = await start(profileDir);
    return { context, profileDir, close: () => close().finally(forget) };
  } catch (error) {
    await forget();
    throw error;
  }
}
