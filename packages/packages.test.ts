import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildPackages,
  HLSJS_SCRIPT,
  PITWALL_FILES,
  SHAKA_SCRIPT,
  TELEMETRY_SCRIPT,
  TRIAL_SCRIPT,
} from './build.mjs';
import { manifestsOf, type PackageManifest } from './manifests.mjs';
import { abrRules } from '../src/abr/registry.ts';
import { assignArm, pageTrial } from '../trial/assign/assign.ts';
import { startingTrial } from '../trial/design/startingTrial.ts';
import { sha256 } from '../trial/store/hash.ts';

const root = path.dirname(import.meta.dirname);
const rootManifest = readJson(path.join(root, 'package.json'));

/** Without declarations, and without the command line: `e2e/specs/packages.spec.ts` installs and plays all of it. */
describe('the packages for pages', () => {
  let out: string;
  beforeAll(async () => {
    out = mkdtempSync(path.join(tmpdir(), 'pitwall-packages-'));
    await buildPackages(root, { out, names: ['telemetry', 'abr'], types: false });
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  test.each(['telemetry', 'abr'])('%s has the files that its package.json names', (name) => {
    const manifest = readJson(path.join(out, name, 'package.json')) as unknown as PackageManifest;
    expect(manifest).toMatchObject({ version: rootManifest['version'], license: 'MIT' });
    const exported = Object.values(manifest.exports).map((to) => (typeof to === 'string' ? to : to.default));
    const files = [...exported, manifest.unpkg ?? './README.md'].filter((file) => !file.includes('*'));
    expect(files.filter((file) => !existsSync(path.join(out, name, file)))).toEqual([]);
  });

  test.each(['telemetry', 'abr'])(
    '%s calls nothing that ES2022 and the browsers of its time lack',
    (name) => {
      const dist = path.join(out, name, 'dist');
      const newer = /\b(?:URL\.(?:parse|canParse)|toSorted|toReversed|toSpliced|findLast|findLastIndex)\(/g;
      const found = readdirSync(dist, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.js'))
        .flatMap((file) => readFileSync(path.join(dist, file), 'utf8').match(newer) ?? []);
      expect(found).toEqual([]);
    },
  );

  test('telemetry needs no other package, as a module and as a script', () => {
    expect(importsBelow(path.join(out, 'telemetry', 'dist'))).toEqual([]);
    const script = readFileSync(path.join(out, 'telemetry', TELEMETRY_SCRIPT), 'utf8');
    const { attachTelemetry, createIndexedDbStore, readSession } = new Function(
      `${script}\nreturn pitwallTelemetry;`,
    )() as Record<string, (text?: string) => unknown>;
    expect([attachTelemetry, createIndexedDbStore].map((each) => typeof each)).toEqual([
      'function',
      'function',
    ]);
    expect(readSession!('{}')).toEqual({
      ok: false,
      error: 'This is JSON, but not a session log: /schema should be "pitwall-session/2".',
    });
  });

  test.each([
    [HLSJS_SCRIPT, 'pitwallHlsjs', 'attachHls'],
    [SHAKA_SCRIPT, 'pitwallShaka', 'attachShaka'],
  ])('%s makes the global %s, and has nothing of the player', (file, name, entry) => {
    const script = readFileSync(path.join(out, 'telemetry', file), 'utf8');
    const made = new Function(`${script}\nreturn ${name};`)() as Record<string, unknown>;
    expect(Object.keys(made).sort()).toEqual([entry, 'createIndexedDbStore', 'createMemoryStore']);
    // hls.js has 400 kB, Shaka 700 kB.
    expect(script.length).toBeLessThan(120_000);
  });

  test('the trial entry assigns as a server does, without a recorder', () => {
    const script = readFileSync(path.join(out, 'telemetry', TRIAL_SCRIPT), 'utf8');
    const { cohort } = new Function(`${script}\nreturn pitwallTrial;`)() as {
      cohort: (trial: object, id: string) => string;
    };
    const trial = startingTrial('salt of the packages test');
    const page = pageTrial(trial, sha256);
    for (let index = 0; index < 50; index++) {
      const asked = { session: `s${index}`, viewer: null, beganMs: 0 };
      expect(cohort(page, asked.session)).toBe(assignArm(trial, asked, sha256)!.arm.pathway);
    }
    expect(script.length).toBeLessThan(60_000);
  });

  test('abr has every rule, and needs telemetry only where it registers one', async () => {
    const dist = path.join(out, 'abr', 'dist');
    expect(importsBelow(dist)).toEqual(['packages/abr/dashjs.js: @pitwall/telemetry']);
    const built = (await import(pathToFileURL(path.join(dist, 'packages/abr/index.js')).href)) as {
      abrRules: readonly { id: string }[];
      parseRule(text: string): { parameters: object };
    };
    expect(built.abrRules.map(({ id }) => id)).toEqual(abrRules.map(({ id }) => id));
    expect(built.parseRule('fixed:level=3').parameters).toMatchObject({ level: 3 });
    expect(() => built.parseRule('bula')).toThrow(/did you mean "bola"\?/);
    expect(readdirSync(path.join(out, 'abr', 'models'))).toContain('neural.json');
  });
});

test('the command line gets libraries in the versions of the project, and no other', () => {
  const { pitwall } = manifestsOf(rootManifest, { libraries: ['saxes', '@playwright/test'] });
  const { devDependencies } = rootManifest as { devDependencies: Record<string, string> };
  expect(pitwall.dependencies).toEqual({
    '@playwright/test': devDependencies['@playwright/test'],
    saxes: devDependencies['saxes'],
  });
  expect(() => manifestsOf(rootManifest, { libraries: ['left-pad'] })).toThrow(
    'the command line imports "left-pad", which package.json does not name',
  );
});

test('what the command line reads beside its code is packed', () => {
  const { files } = manifestsOf(rootManifest).pitwall;
  expect(PITWALL_FILES.filter((file) => !files.some((folder) => file.startsWith(`${folder}/`)))).toEqual([]);
});

/** What modules below a folder import from other packages: "file: package". */
function importsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const names = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([\w@][\w@/.-]*)["']/g)].map(
        ([, source]) => source,
      );
      return names.map((source) => `${name.split(path.sep).join('/')}: ${source}`);
    });
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
