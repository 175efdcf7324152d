/** Files that a campaign's folder keeps beside its logs (experiment/session/README.md), and what else ends in .json there. */
export const NO_LOG =
  /(\.(partial|netlog|race-faults|beside-\d+)|(^|\/)(plan|registration(-\d+-of-\d+)?|campaign|package|figures))\.json$/i;

/**
 * Which of a folder's files are session logs, by their paths: those in a folder named `sessions` where there is one. In the
 * order of the campaign's plan (`planned`, ids of sessions) as far as it names them, so that the sessions of a pair come together.
 */
export function logFiles(paths: readonly string[], planned: readonly string[] = []): string[] {
  const candidates = paths.filter((path) => /\.json$/i.test(path) && !NO_LOG.test(path));
  const inSessions = candidates.filter((path) => /(^|\/)sessions\/[^/]+$/.test(path));
  const rank = new Map(planned.map((id, place) => [id, place]));
  const place = (path: string): number => rank.get(path.replace(/^.*\/|\.json$/gi, '')) ?? planned.length;
  return (inSessions.length > 0 ? inSessions : candidates).sort(
    (one, other) => place(one) - place(other) || (one < other ? -1 : 1),
  );
}

/** What a campaign's plan says about the logs beside it. */
export interface Planned {
  /** Ids of the plan's sessions, those of a pair one after the other; none where the text is no plan. */
  readonly ids: readonly string[];
  /** The factor that the plan's campaign declares to be compared; absent where the text says none. */
  readonly compared?: string | undefined;
}

/** Reads the text of a `plan.json`; an empty one is no plan. */
export function readPlanned(text: string): Planned {
  try {
    const { sessions, campaign } = JSON.parse(text) as {
      sessions?: readonly ({ id?: unknown; design?: { pair?: string; arm?: string } } | null)[];
      campaign?: { compare?: string } | null;
    };
    const known = (sessions ?? []).flatMap((each) =>
      typeof each?.id === 'string'
        ? [{ id: each.id, key: [each.design?.pair, each.design?.arm].join('\n') }]
        : [],
    );
    const ids = known.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ id }) => id);
    return { ids, compared: campaign?.compare };
  } catch {
    return { ids: [] };
  }
}
