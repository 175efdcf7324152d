import { existsSync } from 'node:fs';
import path from 'node:path';
import { aggregateOf } from './aggregateOf.ts';
import { formatAggregate } from './formatAggregate.ts';
import { resultsFile, runName } from './campaignFiles.ts';
import { paperCampaigns } from './papers.ts';
import { resultsFault } from './resultsFault.ts';
import { writePages } from './writePages.ts';
import { makeFolder } from '../../node/makeFolder.ts';
import { loadSource } from '../report/loadSource.ts';
import { writeAtomically } from '../../node/writeAtomically.ts';
import { reportModel } from '../../src/report/model/reportModel.ts';
import { sessionsCsv } from '../../src/report/text/reportData.ts';

export interface AggregateOptions {
  /** Of runs; empty: all of campaigns of papers that are in `out`. */
  readonly folders: readonly string[];
  readonly out: string;
  readonly root: string;
}

/** Writes what is kept of runs into campaigns/results, and from all that is there the pages of the papers. @throws Error in one sentence */
export async function aggregatePapers({ folders, out, root }: AggregateOptions): Promise<void> {
  for (const folder of folders.length > 0 ? folders : foldersIn(out)) await aggregateFolder(folder, root);
  for (const page of await writePages(root)) say(`${path.relative('.', page)}: written`);
}

const foldersIn = (out: string): string[] =>
  paperCampaigns
    .flatMap(({ id }) => [runName(id, false), runName(id, true)])
    .map((name) => path.join(out, name))
    .filter((folder) => existsSync(path.join(folder, 'plan.json')));

async function aggregateFolder(folder: string, root: string): Promise<void> {
  const source = await loadSource(folder);
  const { name } = source.plan.campaign;
  const fault = await resultsFault(source, root);
  if (fault !== null) throw new Error(`${folder}: ${fault}`);
  const model = reportModel(source);
  const file = resultsFile(root, name, 'json');
  makeFolder(path.dirname(file));
  writeAtomically(file, formatAggregate(aggregateOf(source, model)));
  writeAtomically(resultsFile(root, name, 'csv'), sessionsCsv(model));
  const { finished, planned } = model.counts;
  say(`${path.relative('.', file)}: ${finished} of ${planned} sessions`);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
