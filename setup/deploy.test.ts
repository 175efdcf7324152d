// What deploy/ names exists: images, files, npm scripts, commands with their options. Nothing is built or fetched here.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { Command } from 'commander';
import { describe, expect, it, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { COMMANDS } from '../cli/main.ts';
import { factors } from '../experiment/factors/registry.ts';
import { CampaignFile } from '../experiment/design/campaignFile.ts';

const root = path.dirname(import.meta.dirname);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const exists = (file: string): boolean => existsSync(path.join(root, file));

/** Files of deploy/, with those that git does not know yet. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'deploy'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && exists(file));
const yamlFiles = files.filter((file) => file.endsWith('.yaml'));
const manifests = yamlFiles.filter((file) => file.startsWith('deploy/kubernetes/'));
const jobs = manifests.filter((file) => /\/job[\w-]*\.yaml$/.test(file));
const manual = ['campaigns', 'campaign-file', 'campaign-runs', 'gate'].map((page) => `docs/${page}.md`);
const pages = [...files.filter((file) => file.endsWith('.md')), ...manual];

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** @throws Error naming the place of the first fault */
function parseYaml(text: string): Json[] {
  return parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
    for (const fault of [...document.errors, ...document.warnings]) throw fault;
    return document.toJS() as Json;
  });
}

/** Every value below, with the keys and indexes that lead to it. */
function* valuesOf(
  value: Json,
  at: readonly string[] = [],
): Generator<{ at: readonly string[]; value: Json }> {
  yield { at, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* valuesOf(each as Json, [...at, key]);
}

const valuesNamed = (document: Json, name: string): Json[] =>
  [...valuesOf(document)].filter(({ at }) => at.at(-1) === name).map(({ value }) => value);

/** The texts of a document; a list of arguments is one text. */
function textsOf(document: Json): string[] {
  return [...valuesOf(document)].flatMap(({ at, value }) => {
    if (['args', 'command'].includes(at.at(-1) ?? '')) return [(value as string[]).join(' ')];
    return typeof value === 'string' ? [value] : [];
  });
}

/** YAML in a page. */
const blocksOf = (page: string): string[] =>
  [...read(page).matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => text!);

/** What people and programs read in deploy/, and in the pages of the docs about it. */
const textOf = (file: string): string[] =>
  file.endsWith('.yaml') ? [...parseYaml(read(file)).flatMap(textsOf), commentsOf(read(file))] : [read(file)];
const commentsOf = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => /^\s*#(.*)/.exec(line)?.[1] ?? [])
    .join('\n');
const texts = [...new Set([...files, ...pages])].flatMap((file) =>
  textOf(file).map((text) => ({ file, text })),
);

/** Options by command, as `--help` prints them. */
const commandTable: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const program = new Command('pitwall');
  for (const add of COMMANDS) add(program, { root, exit: () => {} });
  return new Map(program.commands.map((command) => [command.name(), new Set(optionsOf(command))]));
})();

function optionsOf(command: Command): string[] {
  const own = command.options.flatMap(({ long, short }) => [long ?? [], short ?? []].flat());
  return ['--help', ...own, ...command.commands.flatMap(optionsOf)];
}

/** How the command line is called: by name, from a checkout, in the Snakefile, and in play-pair.sh. */
const CALL =
  /(?<![\w./-])(?:(?:npx )?pitwall|bin\/pitwall|\{PITWALL\}|"\$@") ([a-z][a-z-]*)((?:(?!\s#)[^\n`|;&>])*)/g;

interface Call {
  readonly command: string;
  readonly options: readonly string[];
}

const callsIn = (text: string): Call[] =>
  [...text.replace(/\\\n\s*/g, ' ').matchAll(CALL)].map(([, command, rest]) => ({
    command: command!,
    options: [...rest!.matchAll(/(?<=\s)--?[a-z][\w-]*/g)].map(([option]) => option),
  }));

/** What is wrong with a call, in words; empty when nothing is. */
function faultsOf({ command, options }: Call): string[] {
  const known = commandTable.get(command);
  if (known === undefined) return [`there is no command "${command}"`];
  return options.filter((option) => !known.has(option)).map((option) => `${command} has no ${option}`);
}

interface Stage {
  readonly name: string;
  readonly parent: string;
  readonly lines: readonly string[];
}

const containerfile = 'deploy/container/Containerfile';
/** The Containerfile's instructions, one a line, by stage. */
const stages: readonly Stage[] = (() => {
  const instructions = read(containerfile)
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));
  const found: { name: string; parent: string; lines: string[] }[] = [];
  for (const line of instructions) {
    const [, parent, name] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? [];
    if (parent && name) found.push({ name, parent, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found;
})();
const stageOf = (name: string): Stage | undefined => stages.find((stage) => stage.name === name);

/** Its own instructions of a kind, or those of the stage that it begins with. */
function lastOf(stage: Stage, instruction: string): string | undefined {
  const own = stage.lines.filter((line) => line.startsWith(`${instruction} `)).at(-1);
  const parent = stageOf(stage.parent);
  return own?.slice(instruction.length + 1) ?? (parent && lastOf(parent, instruction));
}

test('the reader of calls finds what is wrong', () => {
  const faults = (text: string): string[] => callsIn(text).flatMap(faultsOf);
  expect(faults('podman run registry.example/pitwall pitwall compare a.json --pair 7 --out b')).toEqual([]);
  expect(faults('`npx pitwall compare a.json --pears 7`')).toEqual(['compare has no --pears']);
  expect(faults('{PITWALL} play x --out y')).toEqual(['there is no command "play"']);
  expect(faults('bin/pitwall compare x \\\n  --shards 1/4 | less --wrong')).toEqual([
    'compare has no --shards',
  ]);
  expect(faults('podman build --tag registry.example/pitwall --wrong .')).toEqual([]);
});

describe('deploy', () => {
  it.each(yamlFiles)('%s is YAML', (file) => expect(parseYaml(read(file))).not.toEqual([]));

  it('has YAML in its pages, and in those of the docs about it', () => {
    for (const page of pages)
      for (const block of blocksOf(page)) expect(() => parseYaml(block), page).not.toThrow();
    expect(blocksOf('docs/gate.md')).toHaveLength(1);
  });

  it('calls commands that exist, with their options', () => {
    const faults = texts.flatMap(({ file, text }) =>
      callsIn(text)
        .flatMap(faultsOf)
        .map((fault) => `${file}: ${fault}`),
    );
    expect(faults).toEqual([]);
    const files = new Set(texts.filter(({ text }) => callsIn(text).length > 0).map(({ file }) => file));
    for (const file of ['deploy/snakemake/Snakefile', 'deploy/snakemake/play-pair.sh', containerfile])
      expect([...files]).toContain(file);
  });

  it('runs npm scripts that exist, with options that they know', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const calls = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/npm run ([\w:-]+)(?: -- (--[\w-]+))?/g)].map(([, name, option]) => ({
        file,
        name: name!,
        option,
      })),
    );
    expect(calls).not.toEqual([]);
    for (const { file, name, option } of calls) {
      expect(Object.keys(scripts), file).toContain(name);
      const [, program] = /^node (\S+)/.exec(scripts[name]!) ?? [];
      if (option) expect(read(program!), `${file}: ${name} ${option}`).toContain(`'${option}'`);
    }
  });

  it('names files that exist', () => {
    const missing = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w./:-])(?:\/pitwall\/)?((?:deploy|docs|setup|lab|bin)\/[\w./-]*\w)/g)]
        .filter(([, name]) => !exists(name!))
        .map(([, name]) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('links to files that exist', () => {
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#:]+)(?:#[\w-]+)?\)/g)]
        .filter(([, link]) => !exists(path.join(path.dirname(page), link!)))
        .map(([, link]) => `${page}: ${link}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the Containerfile', () => {
  it('copies what exists, from stages that exist', () => {
    const copies = stages.flatMap(({ lines }) => lines.filter((line) => line.startsWith('COPY ')));
    expect(copies.length).toBeGreaterThan(5);
    for (const copy of copies) {
      const words = copy.split(/\s+/).slice(1);
      const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
      const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1);
      if (from !== undefined) expect(stageOf(from), copy).toBeDefined();
      else expect(sources.filter((source) => !exists(source))).toEqual([]);
    }
  });

  it('is not root where nobody asks for it', () => {
    for (const name of ['pitwall', 'snakemake']) {
      expect(lastOf(stageOf(name)!, 'USER'), name).toBe('1000:0');
      expect(lastOf(stageOf(name)!, 'ENTRYPOINT'), name).toContain('tini');
    }
    expect(stages.at(-1)!.name).toBe('pitwall');
  });

  it('has versions of Node and Rust that Pitwall can use', () => {
    const versionOf = (image: string): number[] => {
      const pattern = new RegExp(`^ARG ${image}=\\S+:(\\d+)(?:\\.(\\d+))?`, 'm');
      return pattern.exec(read(containerfile))!.slice(1).map(Number);
    };
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(versionOf('NODE_IMAGE')[0]).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)![0]));
    const [, needed] = /^rust-version = "1\.(\d+)"/m.exec(read('lab/origin/Cargo.toml'))!;
    expect(versionOf('RUST_IMAGE')[1]).toBeGreaterThanOrEqual(Number(needed));
  });

  it('gets what it needs, and nothing that git ignores', () => {
    const ignored = read('.containerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(read('.dockerignore')).toBe(read('.containerignore'));
    const bare = ignored.map((line) => line.replace(/^\*\*\//, ''));
    for (const line of read('.gitignore').split('\n').filter(Boolean))
      expect(bare).toContain(line.replace(/^\//, ''));
    const needed = ['package.json', 'package-lock.json', 'bin', 'setup', 'src', 'lab/origin/src', ...files];
    expect(needed.filter((file) => bare.some((line) => file.split('/').includes(line)))).toEqual([]);
  });
});

/** The images that the README of the container builds, with their target. */
const builtImages = new Map(
  [...read('deploy/container/README.md').matchAll(/^ {4}podman build .*$/gm)].map(([line]) => [
    / --tag (\S+)/.exec(line)![1]!,
    / --target (\S+)/.exec(line)?.[1] ?? stages.at(-1)!.name,
  ]),
);

describe('images', () => {
  it('are those that the README builds, of stages that exist', () => {
    const used = yamlFiles.flatMap((file) =>
      parseYaml(read(file)).flatMap((document) =>
        [...valuesNamed(document, 'image'), ...valuesNamed(document, 'container-image')].map(String),
      ),
    );
    expect(new Set(used)).toEqual(new Set(builtImages.keys()));
    for (const target of builtImages.values()) expect(stageOf(target), target).toBeDefined();
  });
});

type Fields = { readonly [key: string]: Json };

/** Without the fields in which the jobs of a campaign differ. */
const withoutSecurity = (document: Json): Json =>
  JSON.parse(
    JSON.stringify(document, (key, value: Json) => (key === 'securityContext' ? undefined : value)),
  ) as Json;

describe('manifests of Kubernetes', () => {
  const containersOf = (document: Json): Fields[] =>
    (valuesNamed(document, 'containers') as Fields[][]).flat();

  it.each(manifests)('%s mounts volumes that it has, and reads and writes only there', (file) => {
    for (const document of parseYaml(read(file))) {
      const volumes = (valuesNamed(document, 'volumes') as Fields[][]).flat().map(({ name }) => name);
      for (const { volumeMounts, args } of containersOf(document)) {
        const mounts = volumeMounts as unknown as { name: string; mountPath: string }[];
        expect(volumes).toEqual(expect.arrayContaining(mounts.map(({ name }) => name)));
        const paths = (args as string[]).join(' ').match(/(?<=[\s=])\/[\w./-]+/g) ?? [];
        const known = ['/pitwall', ...mounts.map(({ mountPath }) => mountPath)];
        expect(paths.filter((each) => !known.some((folder) => `${each}/`.startsWith(`${folder}/`)))).toEqual(
          [],
        );
      }
    }
  });

  it('claim one volume, which there is', () => {
    const [claim] = parseYaml(read('deploy/kubernetes/volume.yaml')) as { metadata: { name: string } }[];
    const claims = manifests.flatMap((file) =>
      parseYaml(read(file)).flatMap((each) => valuesNamed(each, 'claimName')),
    );
    expect(new Set(claims)).toEqual(new Set([claim!.metadata.name]));
    const [profile] = parseYaml(read('deploy/snakemake/profiles/kubernetes/config.yaml')) as Fields[];
    expect(profile!['kubernetes-persistent-volumes']).toEqual([`${claim!.metadata.name}:/shared`]);
  });

  it('of a campaign differ in their security only', () => {
    const bodies = jobs.map((file) => withoutSecurity(parseYaml(read(file))[0]!));
    expect(bodies).toHaveLength(3);
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  it('stop at the exit code at which play-pair.sh gives up', () => {
    const [document] = parseYaml(read(jobs[0]!));
    expect(valuesNamed(document!, 'onExitCodes')).toMatchObject([{ containerName: 'pitwall', values: [78] }]);
    expect(read('deploy/snakemake/play-pair.sh')).toMatch(/refuse\(\) \{[^}]*exit 78/);
  });

  it('have the capabilities that the README of the container explains, and its commands add', () => {
    const page = read('deploy/container/README.md');
    const explained = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
    const added = [
      ...new Set([...page.matchAll(/--cap-add[ =]([A-Z_,]+)/g)].flatMap(([, names]) => names!.split(','))),
    ];
    const [links] = parseYaml(read('deploy/kubernetes/job-links.yaml'));
    const asked = (valuesNamed(links!, 'add') as string[][]).flat();
    expect([...explained].sort()).toEqual(asked);
    expect(added.sort()).toEqual(asked);
  });
});

describe('profiles of Snakemake', () => {
  const snakefile = read('deploy/snakemake/Snakefile');

  it.each(yamlFiles.filter((file) => file.startsWith('deploy/snakemake/')))(
    '%s sets rules that there are',
    (file) => {
      const rules = [...snakefile.matchAll(/^(?:rule|checkpoint) (\w+):/gm)].map(([, name]) => name);
      const [profile] = parseYaml(read(file)) as Fields[];
      for (const name of ['set-threads', 'set-resources'])
        expect(rules).toEqual(expect.arrayContaining(Object.keys(profile![name] ?? {})));
    },
  );

  it('are given settings that the Snakefile reads', () => {
    const known = [...snakefile.matchAll(/config(?:\.get\(|\[)"(\w+)"/g)].map(([, name]) => name);
    const given = texts.flatMap(({ text }) =>
      [...text.matchAll(/snakemake .*?--config((?: +\w+=\S+)+)/g)].flatMap(([, settings]) =>
        [...settings!.matchAll(/(\w+)=/g)].map(([, name]) => name),
      ),
    );
    expect(given).toEqual(expect.arrayContaining(['campaign', 'out', 'shared']));
    expect(known).toEqual(expect.arrayContaining([...new Set(given)]));
  });
});

test('the time limit of a job counts every factor that multiplies the sessions of a pair', () => {
  const [, names = ''] = /field not in \(([^)]*)\)/.exec(read('deploy/snakemake/Snakefile')) ?? [];
  const others = [...names.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const lists = Object.entries<TSchema>(CampaignFile.properties)
    .filter(([, { type }]) => type === 'array')
    .map(([name]) => name);
  expect(lists.filter((name) => !others.includes(name))).toEqual(factors.map(({ field }) => field));
});

describe('play-chunk.sh', () => {
  /** Instead of Pitwall: says what it was called with, and has the lock for two calls. */
  const play = (...wait: readonly [waitS: string, chunkPairs: string]) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-chunk-'));
    const command = path.join(folder, 'pitwall');
    writeFileSync(
      command,
      `#!/bin/sh\necho "$@"\n[ -e ${folder}/two ] && exit 0\n[ -e ${folder}/one ] && touch ${folder}/two\ntouch ${folder}/one\nexit 4\n`,
      { mode: 0o755 },
    );
    try {
      const script = path.join(root, 'deploy', 'snakemake', 'play-chunk.sh');
      const { status, stdout } = spawnSync('sh', [script, 'c.json', 'out', '3', ...wait, command], {
        encoding: 'utf8',
      });
      return { status, calls: stdout.trim().split('\n') };
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const CALL = 'compare c.json --simulate --chunk 3 --out out';

  it('waits for a process that still plays the chunk, but not for ever', { timeout: 60_000 }, () => {
    expect(play('600', '0')).toEqual({ status: 0, calls: [CALL, CALL, CALL] });
    expect(play('5', '0')).toEqual({ status: 4, calls: [CALL, CALL] });
  });
  it('hands the size of chunks on', () => {
    expect(play('0', '40')).toEqual({
      status: 4,
      calls: ['compare c.json --chunk-pairs 40 --simulate --chunk 3 --out out'],
    });
  });
});
