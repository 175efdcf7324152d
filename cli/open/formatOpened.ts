/** What is served, in words. */
export function formatOpened(
  start: string,
  { logs, report }: { logs: number; report: string | null },
): string {
  return [
    '',
    `Side by side:  ${start}`,
    ...(report === null ? [] : [`Report:        ${report}`]),
    '',
    logs === 1 ? '1 log' : `${logs} logs${logs > 20 ? '; the page shows the first 20' : ''}`,
    '',
    'Ctrl-C stops.',
  ].join('\n');
}
