// Each fault in each server: what a product makes of a setting or of the files behind it must not change what is found.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  certificateOf,
  copyExaminedStream,
  type ExaminedStream,
  gathering,
  sentencesOf,
} from '../../e2e/fixtures/examinedStream.ts';
import {
  type Planted,
  plantedServers,
  type PlantedServer,
  type Served,
  startPlantedServer,
} from '../../e2e/fixtures/plantedServers.ts';
import { sampled } from '../../e2e/fixtures/sampled.ts';
import type { Certificate } from '../../lab/caddy/certificate.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';
import { requireTool, tools } from '../../lab/tools.ts';
import { markdownTable } from '../../node/textTable.ts';
import { PRODUCTS } from '../../src/doctor/check.ts';
import { checks } from '../../src/doctor/registry.ts';
import { diagnose, type Diagnosis } from '../../src/doctor/diagnose.ts';
import { filePlants, liveStream, manifestPlants } from './filePlants.testing.ts';
import { gatherEvidence } from './gatherEvidence.ts';
import { crossOriginPlants, http3Plants, type Plant } from './plants.testing.ts';
import { startFiles } from './startFiles.testing.ts';

const isFull = process.env['PITWALL_FULL'] === '1';
const MAX_MS = 20_000;
/** DNS is no server's. */
const plants = [...http3Plants, ...crossOriginPlants, ...filePlants, ...manifestPlants].filter(
  ({ record }) => !record,
);

let stream: ExaminedStream;

beforeAll(async () => {
  stream = await copyExaminedStream();
});
afterAll(async () => {
  if (isFull) await writeTable();
  await rm(stream.folder, { recursive: true, force: true });
});

interface Cell {
  readonly needs: PlantedServer['needs'];
  readonly name: string;
  /** Ids of checks that find something true of a healthy one. */
  readonly finds: readonly string[];
  /** Why the plant cannot be made; null where it can. */
  lacks(plant: Plant): string | null;
  start(planted: Planted): Promise<Served & Pick<Certificate, 'certificatePem' | 'spkiSha256Base64'>>;
}

/** What the instrumented origin is told, or passes on. */
const PASSED_ON = ['protocols', 'statuses', 'redirect', 'set'];

const cells: readonly Cell[] = [
  ...plantedServers.map((server): Cell => {
    const { name, needs, hasQuic } = server;
    return {
      needs,
      name,
      finds: hasQuic ? [] : ['no-h3'],
      lacks({ finds }) {
        if (!hasQuic && (finds['no-alt-svc'] || finds['alt-svc-port'])) return 'this version has no HTTP/3';
        return name === 'hypercorn' && finds['no-alt-svc']
          ? 'it announces h3 wherever it listens for QUIC'
          : null;
      },
      start: async (planted) =>
        Object.assign(await startPlantedServer(server, stream, planted), stream.certificate),
    };
  }),
  {
    needs: 'origin',
    name: 'instrumented origin',
    // Sessions of the lab must not meet caches.
    finds: ['uncached-media'],
    lacks: ({ setting = {} }) => {
      const { redirect, set = [] } = setting;
      const isKnown = Object.keys(setting).every((key) => PASSED_ON.includes(key));
      const isFixed =
        set.some(({ name }) => name !== 'Content-Type') || (redirect && redirect.headers.length < 2);
      return setting !== liveStream.setting && (!isKnown || isFixed) ? 'its headers are fixed' : null;
    },
    start: startInstrumented,
  },
];

/** What it cannot be told itself, the files behind it do. */
async function startInstrumented({ setting = {}, files = {} }: Planted): ReturnType<Cell['start']> {
  const { statuses = [], redirect, set = [] } = setting;
  const type = set.find(({ name }) => name === 'Content-Type');
  const behind = await startFiles(stream.files, {
    ...files,
    answer(asked, answer, body) {
      const url = asked.url!;
      const status = statuses.find((each) => new RegExp(each.path).test(url))?.status;
      if (status !== undefined) return !!answer.writeHead(status).end();
      const [, moved] = (redirect && new RegExp(redirect.from).exec(url)) ?? [];
      if (moved !== undefined) {
        const location = redirect!.to.replace('$1', moved).replace('{BEHIND}', asked.headers.host!);
        return !!answer.writeHead(302, { location }).end();
      }
      if (type && url.endsWith('.mpd'))
        return !!answer.writeHead(200, { 'content-type': type.value }).end(body);
      return files.answer?.(asked, answer, body) ?? false;
    },
  });
  const origin = await startInstrumentedOrigin({
    mounts: { '/': { proxyUrl: `http://127.0.0.1:${behind.port}` } },
    ...(setting.protocols && { protocols: setting.protocols.split(' ') as ('h1' | 'h2' | 'h3')[] }),
  });
  return {
    port: origin.httpsPort,
    certificatePem: await certificateOf(origin.httpsPort),
    spkiSha256Base64: origin.spki,
    async stop() {
      await origin.stop();
      await behind.stop();
    },
  };
}

interface Examined extends Diagnosis {
  readonly elapsedMs: number;
}

async function examine(
  cell: Cell,
  planted: Planted & Pick<Partial<Plant>, 'path' | 'needsBrowser'>,
): Promise<Examined> {
  const served = await cell.start(planted);
  const startedMs = performance.now();
  try {
    const url = `https://localhost:${served.port}${planted.path ?? '/manifest.mpd'}`;
    const { evidence } = await gatherEvidence(url, {
      ...gathering(served),
      chromiumPath: planted.needsBrowser ? requireTool('chromium') : null,
    });
    return { ...diagnose(evidence), elapsedMs: performance.now() - startedMs };
  } finally {
    await served.stop();
  }
}

const isInstalled = ({ needs }: Pick<Cell, 'needs'>): boolean =>
  tools()[needs] !== null || process.env['CI'] === 'true';

describe.each(cells.map((cell) => [cell.name, cell] as const))('%s', (_, cell) => {
  const isThere = isInstalled(cell);
  const own = plants.filter((plant) => cell.lacks(plant) === null);
  const drawn = isFull
    ? own
    : sampled(
        own.filter(({ needsBrowser }) => !needsBrowser),
        { count: 5, seed: 7 + cells.indexOf(cell) },
      );

  test.skipIf(!isThere)('as it should be, nothing is found that is not true of it', async () => {
    const examined = await examine(cell, isFull ? { needsBrowser: true } : {});
    const expected = cell.finds.filter((id) => isFull || id !== 'no-h3');
    expect(
      examined.findings.map(({ check }) => check.id),
      sentencesOf(examined).join('\n'),
    ).toEqual(expected);
  });

  test.skipIf(!isThere)('nothing of it listens when it has ended', async () => {
    const { port, stop } = await cell.start({});
    await certificateOf(port);
    await stop();
    await expect(certificateOf(port)).rejects.toThrow(/ECONNREFUSED/);
  });

  test.skipIf(!isThere).each(drawn.map((plant) => [plant.name, plant] as const))(
    '%s',
    async (_name, plant) => {
      const examined = await examine(cell, plant);
      const found = sentencesOf(examined);
      const always = cell.finds.filter((id) => plant.needsBrowser || id !== 'no-h3');
      const ids = [...new Set(examined.findings.map(({ check }) => check.id))];
      expect(ids.filter((id) => id in plant.finds || !always.includes(id)).sort(), found.join('\n')).toEqual(
        Object.keys(plant.finds).sort(),
      );
      for (const [id, sentence] of Object.entries(plant.finds))
        expect(found.filter((each) => each.startsWith(`${id}: `)).join('\n')).toMatch(sentence);
      expect(examined.findings.map(({ check }) => check.fix.text).join('\n')).toMatch(plant.fix);
      if (isFull) expect(examined.elapsedMs).toBeLessThan(MAX_MS);
      taken.set(`${cell.name}: ${plant.name}`, examined.elapsedMs);
    },
  );
});

/** What each check of a plant took, ms, by server and plant. */
const taken = new Map<string, number>();

/** Writes docs/generated/doctor-plants.md where every cell was played. */
async function writeTable(): Promise<void> {
  const notes = new Set<string>();
  const missing: string[] = [];
  const cellOf = (cell: Cell, plant: Plant): string => {
    const lack = cell.lacks(plant);
    if (lack) return `[${[...notes.add(`${cell.name}: ${lack}`)].indexOf(`${cell.name}: ${lack}`) + 1}]`;
    const ms = taken.get(`${cell.name}: ${plant.name}`);
    if (ms === undefined) missing.push(plant.name);
    return `${((ms ?? 0) / 1000).toFixed(1)} s`;
  };
  const rows = plants.map((plant) => {
    const ids = Object.keys(plant.finds).map((id) => `\`${id}\``);
    return [plant.name, ids.join(', '), ...cells.map((cell) => cellOf(cell, plant))];
  });
  if (missing.length > 0) return;
  const head = ['what is wrong', 'found', ...cells.map(({ name }) => name)];
  const table = markdownTable([
    head,
    ...rows.map(([name = '', ...rest], index) => [plants[index]!.needsBrowser ? `${name} *` : name, ...rest]),
  ]);
  const text = `# Faults planted in five servers

\`npm run test:full\` plants each fault in each server, runs the checks of \`pitwall doctor\`, and writes
this page. A time says that exactly these checks found something, with the right sentence and remedy,
and how long all checks took. Those marked with * ran a browser, too.

${table}

${[...notes].map((note, index) => `[${index + 1}] ${note}.`).join('\n')}
`;
  await writeFile(path.resolve(import.meta.dirname, '../../docs/generated/doctor-plants.md'), text);
}

/** One line of configuration, with nothing to fill in and no words around it. */
const LINES: Readonly<Partial<Record<(typeof PRODUCTS)[number], RegExp>>> = {
  nginx: /^add_header [^;]+;$/,
  Caddy: /^header [+\w-]+ (?:"[^"]*"|\S+)$/,
  Apache: /^Header always \w+ [\w-]+ (?:"[^"]*"|\S+)$/,
};

describe('a remedy of one line ends the finding, as it is printed', () => {
  const remedies = plantedServers.flatMap((server) =>
    [...crossOriginPlants, ...filePlants].flatMap((plant) =>
      Object.keys(plant.finds).flatMap((id) => {
        const product = PRODUCTS.find((each) => each === server.name);
        const line = product && checks.find((check) => check.id === id)!.fix.by?.[product];
        return line && LINES[product]?.test(line) ? [{ server, plant, id, line }] : [];
      }),
    ),
  );
  const drawn = isFull ? remedies : sampled(remedies, { count: 4, seed: 5 });

  for (const { server, plant, id, line } of drawn)
    test.skipIf(!isInstalled(server))(`${server.name}, ${plant.name}: ${line}`, async () => {
      const cell = cells.find(({ name }) => name === server.name)!;
      const ids = async (more: readonly string[]): Promise<string[]> =>
        (await examine(cell, Object.assign({ more }, plant))).findings.map(({ check }) => check.id);
      expect(await ids([])).toContain(id);
      expect(await ids([line])).not.toContain(id);
    });
});
