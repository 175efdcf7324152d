import type { MediaPlayerClass } from 'dashjs';

/** dash.js' throughput history, one for each pathway. */
export interface PathwayThroughput {
  /** From here on dash.js' rules and its estimate know only what was measured over this pathway. */
  use(pathway: string): void;
  /** A request that two pathways carried measures neither: dash.js gets no sample of it. */
  leaveOut(requestUrl: string): void;
}

/** The public methods of dash.js' ThroughputModel (streaming/models/ThroughputModel.js) that matter here. */
interface ThroughputModel {
  addEntry(mediaType: string, httpRequest: HttpRequest): void;
  getThroughputDict(): Dictionary;
  getLatencyDict(): Dictionary;
  getEwmaThroughputDict(): Dictionary;
  getEwmaLatencyDict(): Dictionary;
  reset(): void;
}

/** Of dash.js' HTTPRequest; `actualurl` is where the answer came from. */
interface HttpRequest {
  readonly url?: string | null;
  readonly actualurl?: string | null;
}

/** By media type. dash.js hands out the very objects that it writes into. */
type Dictionary = Record<string, unknown>;

const HISTORIES = [
  'getThroughputDict',
  'getLatencyDict',
  'getEwmaThroughputDict',
  'getEwmaLatencyDict',
] as const;

/**
 * Gives dash.js a history of throughput for each pathway. It keeps one for each media type, whatever server the bytes came
 * from, and would go on to believe in the rate of a pathway that was left. Call it before `initialize`.
 */
export function keepThroughputByPathway(
  player: MediaPlayerClass,
  pathwayOf: (url: string) => string | null,
  first: string,
): PathwayThroughput {
  let present = first;
  const kept = new Map<string, Dictionary[]>();
  const mixed = new Set<string>();
  let model: ThroughputModel | null = null;
  const use = (pathway: string): void => {
    if (model && pathway !== present) exchange(model, { from: present, to: pathway, kept });
    present = pathway;
  };
  const extension = function (this: {
    parent: ThroughputModel;
  }): Pick<ThroughputModel, 'addEntry' | 'reset'> {
    const own = { ...this.parent };
    model = own;
    return {
      addEntry(mediaType, request) {
        const url = request.actualurl ?? request.url ?? '';
        if (mixed.delete(url)) return;
        const pathway = pathwayOf(url);
        if (pathway === null || pathway === present) return own.addEntry(mediaType, request);
        // It began before the change: it counts for its own pathway.
        const now = present;
        use(pathway);
        own.addEntry(mediaType, request);
        use(now);
      },
      reset() {
        kept.clear();
        mixed.clear();
        own.reset();
      },
    };
  };
  player.extend('ThroughputModel', extension, true);
  return { use, leaveOut: (url) => void mixed.add(url) };
}

function exchange(
  model: ThroughputModel,
  { from, to, kept }: { from: string; to: string; kept: Map<string, Dictionary[]> },
): void {
  const live = HISTORIES.map((name) => model[name]());
  kept.set(
    from,
    live.map((history) => ({ ...history })),
  );
  const next = kept.get(to);
  for (const [at, history] of live.entries()) {
    for (const mediaType of Object.keys(history)) delete history[mediaType];
    Object.assign(history, next?.[at]);
  }
}
