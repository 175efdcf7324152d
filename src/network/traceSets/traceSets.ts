import fcc from './fcc.json' with { type: 'json' };
import ghent4g from './ghent-4g.json' with { type: 'json' };
import hsdpa from './hsdpa.json' with { type: 'json' };
import hsdpaLogs from './hsdpa-logs.json' with { type: 'json' };
import { unknownId } from '../../shared/unknownId.ts';

/** Recorded traces that others publish. Pitwall ships their names and hashes, and not one of their files. */
export interface TraceSet {
  readonly id: string;
  readonly label: string;
  /** Repository and folder, with the commit whose files the hashes are of. */
  readonly published: string;
  /** Licence of the place where the traces are published. */
  readonly licence: string;
  /** Name of each file, and of its text with line ends of one character: the first 32 hex digits of SHA-256. */
  readonly files: Readonly<Record<string, string>>;
}

export const traceSets: readonly TraceSet[] = [
  {
    id: 'hsdpa',
    label: '3G (HSDPA) on buses, cars, ferries, metros, trains and trams in Norway; test set of Pensieve',
    published: 'github.com/thu-media/Comyco, src/cooked_test_traces, commit 8cd3197c',
    licence: 'BSD 2-Clause; logs: Riiser et al., MMSys 2013',
    files: hsdpa,
  },
  {
    id: 'hsdpa-logs',
    label: '3G (HSDPA) in Norway, whole logs',
    published: 'github.com/UMass-LIDS/sabre, example/mmsys18/3Glogs, commit 09b03bb0',
    licence: 'BSD 2-Clause; logs: Riiser et al., MMSys 2013',
    files: hsdpaLogs,
  },
  {
    id: 'fcc',
    label: 'home lines in the USA; test set of Genet',
    published:
      'github.com/duowuyms/NetLLM, adaptive_bitrate_streaming/data/traces/test/fcc-test, commit 105bcf07',
    licence: 'MIT; data: FCC, Measuring Broadband America',
    files: fcc,
  },
  {
    id: 'ghent-4g',
    label: '4G (LTE) in Ghent, Belgium',
    published: 'github.com/UMass-LIDS/sabre, example/mmsys18/4Glogs, commit 09b03bb0',
    licence: 'BSD 2-Clause; logs: van der Hooft et al., IEEE Communications Letters 2016',
    files: ghent4g,
  },
];

/** How a recorded network is named among profiles and paths. */
export const TRACE = 'trace:';

/** A trace of a set, or (`name` is null) all of them. */
interface NamedTrace {
  readonly set: TraceSet;
  readonly name: string | null;
}

/** What `trace:SET` or `trace:SET/NAME` names; null for a path: `./SET/NAME` is one. */
export function namedTrace(entry: string): NamedTrace | null {
  if (!entry.startsWith(TRACE)) return null;
  const [id, name = null, ...more] = entry.slice(TRACE.length).split('/');
  const set = traceSets.find((each) => each.id === id);
  return set && more.length === 0 ? { set, name } : null;
}

/** What is wrong with `trace:SET/NAME`, in one sentence; null also for a path. */
export function faultOfNamed(entry: string): string | null {
  const named = namedTrace(entry);
  if (!named) return null;
  const { set, name } = named;
  const names = Object.keys(set.files);
  if (name === null) return `${entry} is a whole set: name one of its traces, as in ${entry}/${names[0]}.`;
  return names.includes(name) ? null : unknownId(`trace of ${set.id}`, name, names);
}

/** Says what is missing, where it is published and what to do. */
export function formatLacking(set: TraceSet, names: readonly string[]): string {
  const all = Object.keys(set.files).length;
  const which = names.length === 1 ? names[0]! : `${names.length} traces`;
  return (
    `trace:${set.id}: ${which} of this set of ${all} (${set.label}) ${names.length === 1 ? 'is' : 'are'} not on this machine. ` +
    `Get the folder from ${set.published} (${set.licence}), and run: pitwall traces add FOLDER`
  );
}
