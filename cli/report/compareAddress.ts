/** Where a page that `pitwall open` serves shows sessions of its campaign side by side. */
export const compareAddress =
  (page: string) =>
  (sessions: readonly string[]): string =>
    `${page}?${sessions.map((id) => `log=campaign/sessions/${encodeURIComponent(id)}.json`).join('&')}`;
