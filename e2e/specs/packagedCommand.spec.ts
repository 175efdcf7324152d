import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildPackages, packPackages } from '../../packages/build.mjs';
import { cacheFolder } from '../../setup/cacheFolder.mjs';
import { labBrowser } from '../../lab/browser/registry.ts';
import { requireTool } from '../../lab/tools.ts';
import { emptyProject, type EmptyProject } from '../fixtures/emptyProject.ts';
import { startLocalRegistry, type LocalRegistry } from '../fixtures/localRegistry.ts';
import { describeInFull, expect, test } from '../fixtures/test.ts';

const execute = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));

describeInFull('the command line, installed into an empty project,', () => {
  let out: string;
  let cache: string;
  let registry: LocalRegistry;
  let installed: EmptyProject;
  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    PITWALL_CACHE: cache,
    npm_config_offline: 'true',
  });
  const pitwall = (...args: string[]) =>
    execute('npx', ['--no-install', 'pitwall', ...args], {
      cwd: installed.folder,
      env: environment(),
      maxBuffer: 1e8,
    });

  test.beforeAll(async () => {
    out = mkdtempSync(path.join(tmpdir(), 'pitwall-packages-'));
    await buildPackages(root, { out, names: ['pitwall'] });
    const { pitwall: tarball } = packPackages(root, { out, names: ['pitwall'] });
    registry = await startLocalRegistry();
    installed = await emptyProject({
      dependencies: { pitwall: `file:${tarball}` },
      registryUrl: registry.url,
    });
    cache = cacheWithoutInstallation(out);
  });
  test.afterAll(async () => {
    await registry.stop();
    installed.remove();
    rmSync(out, { recursive: true, force: true });
  });

  test('says what it can do, and what only a checkout can', async () => {
    const { stdout } = await pitwall('--help');
    for (const command of ['serve', 'sim', 'compare', 'setup']) expect(stdout).toContain(`  ${command} `);
    expect(stdout).not.toContain('bench');
    await expect(pitwall('bench', 'sim', '--quick')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pitwall: pitwall bench works on the files of a checkout/m),
    });
    await expect(pitwall('compare', '--seconds', '5', '--rules', 'bola')).rejects.toMatchObject({
      stderr: expect.stringMatching(/Pitwall is not set up \(.+\): run "pitwall setup" first\./),
    });
  });

  test('sets itself up and serves a page that plays; then a browser session is compared', async () => {
    const served = await startServe(environment(), installed.folder);
    try {
      expect(served.output()).toContain('set-up: caddy: ');
      const browser = await labBrowser.launch({
        executablePath: requireTool('chromium'),
        spkiSha256Base64: null,
        hostRules: null,
        flags: [],
      });
      try {
        const page = browser.context.pages()[0] ?? (await browser.context.newPage());
        await page.goto(`${served.url}?mpd=${served.url}media/demo/manifest.mpd&rule=neural&autoplay=1`);
        await page.waitForFunction(() => window.pitwall?.state().phase === 'playing', null, {
          timeout: 30_000,
        });
      } finally {
        await browser.close();
      }
    } finally {
      await served.stop();
    }
    await pitwall('compare', '--seconds', '6', '--rules', 'bola', '--transports', 'h2', '--out', 'played');
    const logs = readdirSync(path.join(installed.folder, 'played')).filter((name) => name.endsWith('.json'));
    expect(logs).toHaveLength(1);
    const { stdout } = await pitwall('check', path.join('played', logs[0]!));
    expect(stdout).toContain('1 ');
  });

  test('simulates, with worker threads, a net and a campaign, and reads what it wrote', async () => {
    const { folder } = installed;
    mkdirSync(path.join(folder, 'traces'));
    writeFileSync(path.join(folder, 'traces', 'steady'), '0.0 2.0\n100.0 2.0\n400.0 2.0\n');
    const example = path.join(folder, 'node_modules', 'pitwall', 'docs', 'examples', 'safe-rate.js');
    writeFileSync(path.join(folder, 'mine.ts'), `enum Typed { Yes }\n${readFileSync(example, 'utf8')}`);
    const simulated = await pitwall(
      'sim',
      '--rules',
      'bola,neural,./mine.ts',
      '--traces',
      'traces',
      '--json',
      'sim.json',
    );
    expect(simulated.stdout).toContain('neural');
    expect(simulated.stdout).toContain('safe-rate');
    const campaign = 'node_modules/pitwall/docs/examples/parity.campaign.json';
    await pitwall('compare', campaign, '--simulate', '--out', 'simulated');
    const [session] = readdirSync(path.join(folder, 'simulated', 'sessions'));
    const metrics = await pitwall('metrics', path.join('simulated', 'sessions', session!), '--json');
    expect(JSON.parse(metrics.stdout)).toBeTruthy();
    await pitwall('report', 'simulated');
    expect(existsSync(path.join(folder, 'simulated', 'report.html'))).toBe(true);
    await pitwall('export', 'simulated', '--format', 'parquet', '-o', 'tables');
    expect(readdirSync(path.join(folder, 'tables')).some((name) => name.endsWith('.parquet'))).toBe(true);
  });
});

/** The user's cache, with its programs and its demo, but without what an installed package found before. */
function cacheWithoutInstallation(within: string): string {
  const cache = path.join(within, 'cache');
  mkdirSync(cache);
  for (const name of readdirSync(cacheFolder()))
    if (name !== 'installed') symlinkSync(path.join(cacheFolder(), name), path.join(cache, name));
  return cache;
}

interface Served {
  readonly url: string;
  output(): string;
  stop(): Promise<void>;
}

async function startServe(env: NodeJS.ProcessEnv, cwd: string): Promise<Served> {
  const program = path.join(cwd, 'node_modules', 'pitwall', 'bin', 'pitwall');
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--https-port', '0'], { cwd, env });
  let output = '';
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => void (output += text.toString()));
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      const [, found] = /Pitwall is ready: +(http:\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`pitwall serve ended: ${output}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url: await url, output: () => output, stop };
}
