import { describe, expect, test } from 'vitest';
import { mpdFault } from '../experiment/simulate/mpd/mpdFault.ts';
import { parseAccessLog } from '../lab/caddy/accessLog.ts';
import { countsIn } from '../bench/senders/interfaceCounts.ts';
import { receivedIn } from '../lab/link/receivedWireBytes.ts';
import { readNeuralWeights } from '../src/abr/rules/neural/neuralWeights.ts';
import { readPensieveWeights } from '../src/abr/rules/pensieve/pensieveWeights.ts';
import { readSizesFile } from '../src/abr/sizesFile.ts';
import { readCampaign } from '../experiment/design/readCampaign.ts';
import { contentName } from '../experiment/design/contents.ts';
import { seededRandom } from '../src/analysis/statistics/random.ts';
import { traceFormats } from '../src/network/traces/registry.ts';
import { readTrace } from '../src/network/traces/readTrace.ts';
import { readNetLog } from '../src/telemetry/netlog/readNetLog.ts';
import { redactText, redactUrl } from '../src/telemetry/redactUrl.ts';
import { readSession } from '../src/telemetry/schema/readSession.ts';
import { readOrigins, readProtection } from '../src/ui/setup/setup.ts';

/** A function that reads text from outside. A new reader is one more line of the list below. */
interface Reader {
  readonly name: string;
  readonly read: (text: string) => unknown;
  /** Texts before and after the bad part, so that the reader gets as far as the bad part. */
  readonly around?: readonly (readonly [string, string])[];
}

const JSON_PARTS = [
  ['{"a":"', '"}'],
  ['{"a":', '}'],
  ['[', ']'],
] as const;
const NETLOG_HEAD = '{"constants":{"logEventTypes":{"A":1},"timeTickOffset":0},';
const ROWS = [
  ['0 1\n1 ', '\n2 3\n'],
  ['time,rate\n0,1\n1,', ',2\n'],
  ['time\trate\n0\t1\n', '\t2\n'],
] as const;

const readers: readonly Reader[] = [
  { name: 'session log', read: readSession, around: JSON_PARTS },
  { name: 'sizes file', read: readSizesFile, around: JSON_PARTS },
  { name: 'Pensieve weights', read: readPensieveWeights, around: JSON_PARTS },
  { name: 'neural weights', read: readNeuralWeights, around: JSON_PARTS },
  { name: 'key systems', read: readProtection, around: JSON_PARTS },
  {
    name: 'campaign',
    read: (text) =>
      readCampaign(text, { name: 'a.json', known: { rules: [], metrics: [], profiles: [] } as never }),
    around: JSON_PARTS,
  },
  {
    name: 'NetLog',
    read: readNetLog,
    around: [
      ['{"constants":', '\n'],
      [NETLOG_HEAD, '\n"events": [\n'],
      [`${NETLOG_HEAD}\n"events": [\n{"type":1,"a":`, '},\n{"type":1}]}\n'],
    ],
  },
  { name: 'any trace', read: (text) => readTrace(text, { name: 'a.txt' }), around: ROWS },
  ...traceFormats.map(({ id }) => ({
    name: `trace as ${id}`,
    read: (text: string) => readTrace(text, { name: 'a.txt', format: id }),
    around: ROWS,
  })),
  { name: 'access log', read: (text) => thrown(() => parseAccessLog(text)), around: [['{"ts":1', '}\n']] },
  { name: 'address', read: (text) => redactUrl(text), around: [['https://a.test/', '#b']] },
  { name: 'error message', read: (text) => redactText(text), around: [['at https://a.test/?', ' b']] },
  { name: 'content of a campaign', read: contentName, around: [['https://', ' b']] },
  {
    name: 'request headers',
    read: (headers) => readOrigins([{ origin: 'https://a.test', headers, credentials: false }]),
    around: [['Name:', '\u0001x']],
  },
  {
    name: 'MPD',
    read: mpdFault,
    around: [
      ['<MPD>', '</MPD>'],
      ['<MPD a="', '"/>'],
      ['<MPD ', '/>'],
    ],
  },
  { name: 'interface counts', read: countsIn },
  { name: 'received bytes', read: receivedIn },
];

function thrown(read: () => unknown): unknown {
  try {
    return read();
  } catch (fault) {
    return fault;
  }
}

// prettier-ignore
const BAD = [
  ' ', '\t', '\n', '\r\n', '\r', '0', '9.', '.', '-', '+', 'e', '1e', '1 ', '1,', '1\t', 'a', 'a.', 'a:', 'a:/', '://', '=/', '/', '\\',
  '"', '""', '",', '"\t', "'", ',', ', ', ' ,', ';', ':', '[', '[[', ']', ']}', ']},', '{', '{"', '{"a":', '}', '<', '<a>', '<!--', '&a;', '#', '?',
  '%', '\0', '\uFEFF', 'é', '😀', '\uD800',
];
const CHARACTERS = 1_000_000;
const LIMIT_MS = 1000;
/** Count of cases of the matrix that a plain run draws; the seed is fixed, so that a red run can be repeated. */
const SAMPLE = 120;

const matrix = readers.flatMap((reader) =>
  BAD.flatMap((bad) =>
    [['', ''] as const, ...(reader.around ?? [])].map(([before, after]) => ({ reader, bad, before, after })),
  ),
);
const random = seededRandom(19);
const asked =
  process.env['PITWALL_FULL'] === '1'
    ? matrix
    : Array.from({ length: SAMPLE }, () => matrix[Math.floor(random() * matrix.length)]!);

describe(`a million characters of one kind are read, or refused, within ${LIMIT_MS} ms`, () => {
  test.each(
    asked.map((each) => ({
      ...each,
      title: `${each.reader.name}: ${JSON.stringify(each.before)} + ${JSON.stringify(each.bad)}`,
    })),
  )('$title', ({ reader, bad, before, after }) => {
    const text = before + bad.repeat(CHARACTERS / bad.length) + after;
    // Time that a busy machine takes is not the reader's: the shorter of two counts is taken.
    const once = (): number => {
      const { user, system } = process.cpuUsage();
      reader.read(text);
      const used = process.cpuUsage({ user, system });
      return (used.user + used.system) / 1000;
    };
    const first = once();
    expect(first < LIMIT_MS ? first : Math.min(first, once())).toBeLessThan(LIMIT_MS);
  });
});
