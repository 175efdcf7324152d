import { ALIGNMENTS, type Alignment } from '../../analysis/comparison/alignedTime.ts';
import type { Range } from '../../charts/range.ts';
import { formatQueryValue } from '../../shared/format.ts';

/** What the charts show: bands of arms, or each session. */
const VIEWS = ['arms', 'sessions'] as const;

/** What a link to the compare view carries: `?log=A&log=B&ref=B&view=arms&align=wall&from=12.5&to=60`. */
export interface CompareLink {
  /** Addresses of logs, relative to the page or whole. */
  readonly logs: readonly string[];
  /** Addresses of files that list logs, one a line or as a JSON array, relative to the list. */
  readonly lists: readonly string[];
  /** Letter of the reference session; null: the first. */
  readonly reference: string | null;
  /** This and the alignment: null where nobody chose. */
  readonly view: (typeof VIEWS)[number] | null;
  readonly alignment: Alignment | null;
  /** null: all. */
  readonly range: Range | null;
}

/** Reads `location.search`; what makes no sense counts as absent. */
export function readCompareLink(search: string): CompareLink {
  const query = new URLSearchParams(search);
  const all = (name: string): string[] => query.getAll(name).filter((value) => value.trim() !== '');
  const reference = query.get('ref')?.toUpperCase() ?? '';
  const alignment = query.get('align');
  return {
    logs: all('log'),
    lists: all('logs'),
    reference: /^[A-T]$/.test(reference) ? reference : null,
    view: VIEWS.find((each) => each === query.get('view')) ?? null,
    alignment: ALIGNMENTS.find((each) => each === alignment) ?? null,
    range: rangeOf(query.get('from'), query.get('to')),
  };
}

/** The query that opens the same view, without the question mark. */
export function writeCompareLink({ logs, lists, reference, view, alignment, range }: CompareLink): string {
  const parts = [
    ...lists.map((list) => `logs=${formatQueryValue(list)}`),
    ...logs.map((log) => `log=${formatQueryValue(log)}`),
    ...(lists.length + logs.length === 0 ? ['compare'] : []),
    ...(reference === null || reference === 'A' ? [] : [`ref=${reference}`]),
    ...(view === null ? [] : [`view=${view}`]),
    ...(alignment === null ? [] : [`align=${alignment}`]),
    ...(range === null ? [] : [`from=${formatSeconds(range.fromMs)}`, `to=${formatSeconds(range.toMs)}`]),
  ];
  return parts.join('&');
}

function rangeOf(from: string | null, to: string | null): Range | null {
  if (from === null || to === null || from.trim() === '' || to.trim() === '') return null;
  const [fromMs, toMs] = [Number(from) * 1000, Number(to) * 1000];
  return Number.isFinite(fromMs + toMs) && fromMs >= 0 && toMs > fromMs ? { fromMs, toMs } : null;
}

const formatSeconds = (ms: number): string => String(Math.round(ms / 100) / 10);
