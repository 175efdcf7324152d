/** Why fields are unknown, in one cell: "protocol=no-tao status=failed"; null where all is known. */
export function formatReasons(missing: Readonly<Record<string, string>>): string | null {
  const reasons = Object.entries(missing).map(([field, reason]) => `${field}=${reason}`);
  return reasons.length > 0 ? reasons.join(' ') : null;
}
