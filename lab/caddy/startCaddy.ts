/** The origin of the lab: a real Caddy on loopback, h1 + h2 + h3 on one port, the app on another. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { requireTool } from '../tools.ts';
import { caddyfile } from './caddyfile.ts';
import { folderOf, type Mount, type Origin, type OriginOptions } from './origin.ts';
import { refusedPaths } from './refusedPaths.ts';
import { ownOrigin, type OriginSetting } from './ownOrigin.ts';
import { startServer } from './serverProcess.ts';

/**
 * Starts an origin and resolves when it answers. The caller owns it: `stop()` it in a `finally`. If the caller dies
 * first, a watchdog ends Caddy and removes its folder.
 *
 * Below every mount the same files are also there behind a prefix that takes something away, for tests:
 * `/no-tao/…` (no Timing-Allow-Origin), `/no-cors/…`, `/with-credentials/…` (names the asking origin),
 * `/redirect/…` (302 to the same path without the prefix), `/status/503/…` (any status from 200 to 599).
 *
 * @throws Error with one sentence when a port is taken, Caddy is missing or does not start.
 */
export async function startCaddy(options: OriginOptions): Promise<Origin> {
  const program = options.caddy ?? requireTool('caddy');
  return ownOrigin(options, async (setting) => {
    const configFile = join(setting.folder, 'Caddyfile');
    await writeFile(configFile, `${await configuration(setting)}\n`);
    return startServer({
      name: 'Caddy',
      program,
      arguments: ['run', '--adapter', 'caddyfile', '--config', configFile],
      namespace: options.namespace,
      // Caddy keeps state under $HOME by default.
      environment: { HOME: setting.folder, XDG_DATA_HOME: setting.folder, XDG_CONFIG_HOME: setting.folder },
      readyMessage: '"msg":"serving initial configuration"',
      complaint: 'Error:',
      onSpawned: setting.onSpawned,
    });
  });
}

async function configuration(setting: OriginSetting): Promise<string> {
  const { mounts, appFolder, accessLogFile, folder } = setting;
  if (/[{}"]/.test(folder))
    throw new Error(
      `${folder}: Caddy reads braces in a name as a placeholder. Set TMPDIR to another folder.`,
    );
  const refused = Object.entries(mounts).flatMap(([prefix, mount]) => {
    const served = folderOf(mount);
    return served === null ? [] : [[prefix, refusedPaths(served)] as const];
  });
  await mkdir(dirname(accessLogFile), { recursive: true });
  return caddyfile({
    ...setting,
    mounts: await linkMounts(mounts, folder),
    refused: Object.fromEntries(refused),
    appFolder: appFolder === undefined ? null : await plainLink(join(folder, 'app'), appFolder),
    appRefused: appFolder === undefined ? [] : refusedPaths(appFolder),
    accessLogFile: join(
      await plainLink(join(folder, 'log'), dirname(accessLogFile)),
      basename(accessLogFile),
    ),
    fixedAnswers: setting.answers?.(setting) ?? {},
  });
}

async function linkMounts(
  mounts: OriginOptions['mounts'],
  folder: string,
): Promise<Readonly<Record<string, Mount>>> {
  const linked: Record<string, Mount> = {};
  for (const [index, [prefix, mount]] of Object.entries(mounts).entries()) {
    const served = folderOf(mount);
    const link = served === null ? '' : await plainLink(join(folder, `mount-${index}`), served);
    if (typeof mount === 'string') linked[prefix] = link;
    else linked[prefix] = 'privateFolder' in mount ? { privateFolder: link } : mount;
  }
  return linked;
}

/**
 * Gives a folder a name of ours. Its own may be anything: Caddy serves other files for a folder `{http.request.uri.query.d}`, and
 * none for `{2024}`.
 */
async function plainLink(link: string, folder: string): Promise<string> {
  await rm(link, { force: true });
  await symlink(resolve(folder), link, 'junction');
  return link;
}
