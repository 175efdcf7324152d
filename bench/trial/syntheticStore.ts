import { appendFileSync, statSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../node/files.ts';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { groupBy } from '../../src/shared/groupBy.ts';
import { pick } from '../../src/shared/registry.ts';
import type { AssignmentRow, FieldSession } from '../../trial/design/fieldSession.ts';
import { startingTrial } from '../../trial/design/startingTrial.ts';
import { scenarios } from '../../trial/simulate/scenarios.ts';
import { simulateTrial } from '../../trial/simulate/simulateTrial.ts';
import { dayOf } from '../../trial/store/dayLogs.ts';
import { keepTrial } from '../../trial/store/readTrialFolder.ts';
import { partitionFileOf, writePartitionFile } from '../../trial/store/rollDays.ts';

const FIRST_MS = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
/** Sessions begin in the first 21 hours: the longest end on the same day. */
const BEGIN_MS = 21 * 3_600_000;
/** Sessions that are simulated; all others are like one of them. */
const MODELS = 20_000;
const SESSIONS_PER_VIEWER = 3;
const SESSIONS_PER_NETWORK = 40;
/** Share of sessions that a viewer plays on another network than usual, and of beacons that are lost. */
const ELSEWHERE = 0.1;
const LOST = 0.03;
const HASH_BYTES = 12;
const SLICE = 20_000;

/**
 * Writes a trial of two weeks as its server stores it: assignments as JSON lines, finished days of sessions as Parquet, the last day as
 * JSON lines. Each session is a simulated one with ids, a time and a length of its own.
 */
export async function writeSyntheticStore(
  folder: string,
  sessions: number,
  say: (progress: string) => void,
): Promise<void> {
  const trial = startingTrial('salt of the report bench');
  const { days } = trial.stopping;
  const models = simulateTrial(trial, pick(scenarios, 'usual'), { sessions: MODELS, seed: 1 }).data.sessions;
  const random = seededRandom(2);
  const viewers = randomIds(Math.ceil(sessions / SESSIONS_PER_VIEWER), random);
  const networks = randomIds(Math.ceil(sessions / SESSIONS_PER_NETWORK), random);
  makeFolder(folder);
  keepTrial(folder, trial);
  for (let day = 0; day < days; day++) {
    const count = Math.floor((sessions * (day + 1)) / days) - Math.floor((sessions * day) / days);
    const ids = randomIds(count, random);
    const rows = Array.from({ length: count }, (_, index): FieldSession => {
      const viewer = Math.floor(random() * viewers.count);
      const network = random() < ELSEWHERE ? Math.floor(random() * networks.count) : viewer % networks.count;
      return likeModel(models[Math.floor(random() * models.length)]!, {
        session: ids.at(index),
        viewer: viewers.at(viewer),
        network: networks.at(network),
        beganMs: Math.floor(FIRST_MS + day * DAY_MS + (BEGIN_MS * (index + random())) / count),
        factor: 0.9 + 0.2 * random(),
      });
    });
    const date = dayOf(FIRST_MS + day * DAY_MS);
    appendLines(folder, `assignments/${date}.jsonl`, rows.map(assignmentOf));
    const arrived = rows.filter(() => random() >= LOST);
    if (day === days - 1) appendLines(folder, `sessions/${date}.jsonl`, arrived);
    else await writePartitions(folder, date, arrived);
    say(`day ${day + 1} of ${days} is written`);
  }
}

/** Ids as the store has them: hashes, here drawn. */
function randomIds(count: number, random: () => number): { count: number; at(index: number): string } {
  const words = Uint32Array.from({ length: (HASH_BYTES / 4) * count }, () => 2 ** 32 * random());
  const bytes = Buffer.from(words.buffer);
  return { count, at: (index) => bytes.toString('hex', HASH_BYTES * index, HASH_BYTES * (index + 1)) };
}

interface Own {
  readonly session: string;
  readonly viewer: string;
  readonly network: string;
  readonly beganMs: number;
  /** Length of what it does, relative to the model. */
  readonly factor: number;
}

function likeModel(model: FieldSession, { beganMs, factor, ...ids }: Own): FieldSession {
  const scaled = (value: number): number => Math.round(value * factor);
  return {
    ...model,
    ...ids,
    startedMs: beganMs,
    receivedMs: beganMs + scaled(model.playedMs + model.stalledMs),
    joinMs: model.joinMs === null ? null : scaled(model.joinMs),
    playedMs: scaled(model.playedMs),
    stalledMs: scaled(model.stalledMs),
    bitrateKbps: model.bitrateKbps === null ? null : scaled(model.bitrateKbps),
    h3Bytes: scaled(model.h3Bytes),
    tcpBytes: scaled(model.tcpBytes),
    pathway: model.arm,
  };
}

const assignmentOf = ({ startedMs, session, viewer, arm }: FieldSession): AssignmentRow => ({
  ...{ atMs: startedMs, session, viewer, arm: arm!, period: null },
});

function appendLines(folder: string, name: string, rows: readonly object[]): void {
  const file = path.join(folder, name);
  makeFolder(path.dirname(file));
  for (let first = 0; first < rows.length; first += SLICE) {
    const lines = rows.slice(first, first + SLICE).map((row) => `${JSON.stringify(row)}\n`);
    appendFileSync(file, lines.join(''));
  }
}

async function writePartitions(folder: string, day: string, rows: readonly FieldSession[]): Promise<void> {
  for (const [arm, of] of groupBy(rows, ({ arm }) => arm!)) {
    const file = partitionFileOf(folder, { day, arm });
    makeFolder(path.dirname(file));
    await writePartitionFile(file, of);
  }
}

/** Returns the bytes of all files below a folder. */
export const sizeOfFolder = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
