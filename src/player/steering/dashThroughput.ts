import type { MediaPlayerClass } from 'dashjs';
import type { PathwayChange } from '../../abr/ruleInput.ts';

/** dash.js' throughput history, one for each pathway. */
interface PathwayThroughput {
  /** Makes dash.js' rules and estimate know only what was measured over this pathway, or go on with what they know. */
  use(change: PathwayChange): void;
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

/** The part of dash.js' HTTPRequest that matters here; `actualurl` is where the answer came from. */
interface HttpRequest {
  readonly url?: string | null;
  readonly actualurl?: string | null;
}

/** Samples by media type. dash.js hands out the very objects that it writes into. */
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
  const use = ({ pathway, keepsHistory }: PathwayChange): void => {
    if (model && pathway !== present) {
      kept.set(present, copyOf(model));
      if (!keepsHistory) restore(model, kept.get(pathway));
    }
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
        use({ pathway, keepsHistory: false });
        own.addEntry(mediaType, request);
        use({ pathway: now, keepsHistory: false });
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

/** dash.js writes into the samples of a media type, too: a copy has its own. */
const copyOf = (model: ThroughputModel): Dictionary[] =>
  HISTORIES.map((name) => structuredClone(model[name]()));

/** Without a history, dash.js begins as at the start of the session. */
function restore(model: ThroughputModel, history: readonly Dictionary[] = []): void {
  for (const [at, name] of HISTORIES.entries()) {
    const live = model[name]();
    for (const mediaType of Object.keys(live)) delete live[mediaType];
    Object.assign(live, history[at]);
  }
}
