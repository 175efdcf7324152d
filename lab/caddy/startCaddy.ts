/** The origin of the lab: a real Caddy on loopback, h1 + h2 + h3 on one port, the app on another. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireTool } from '../tools.ts';
import { caddyfile } from './caddyfile.ts';
import { folderOf, type Origin, type OriginOptions } from './origin.ts';
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
    await writeFile(configFile, `${configuration(setting)}\n`);
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

function configuration(setting: OriginSetting): string {
  return caddyfile({
    ...setting,
    refused: Object.fromEntries(
      Object.entries(setting.mounts).flatMap(([prefix, mount]) => {
        const folder = folderOf(mount);
        return folder === null ? [] : [[prefix, refusedPaths(folder)]];
      }),
    ),
    appFolder: setting.appFolder ?? null,
    fixedAnswers: setting.answers?.(setting) ?? {},
  });
}
