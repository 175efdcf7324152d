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

/** The ids of a plan's sessions, a pair's one after the other; none where the text is no plan. */
export function plannedIds(text: string): string[] {
  try {
    const { sessions } = JSON.parse(text) as { sessions?: unknown };
    if (!Array.isArray(sessions)) return [];
    const known = sessions.flatMap(
      (each: { id?: unknown; design?: { pair?: unknown; arm?: unknown } } | null) =>
        typeof each?.id === 'string'
          ? [{ id: each.id, key: `${String(each.design?.pair)}\n${String(each.design?.arm)}` }]
          : [],
    );
    return known.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ id }) => id);
  } catch {
    return [];
  }
}
