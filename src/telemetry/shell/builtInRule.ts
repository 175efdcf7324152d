import type { MediaPlayerClass } from 'dashjs';

/** Which of dash.js' own rules are switched on, as one name and with its numbers; for players that do not tell. */
export function builtInRule(player: MediaPlayerClass): {
  rule: string;
  parameters: Record<string, number | boolean>;
} {
  const rules = player.getSettings().streaming?.abr?.rules ?? {};
  const active = Object.entries(rules).filter(([, settings]) => settings?.active);
  const names = active.map(([name]) => name);
  const has = (name: string): boolean => names.includes(name);
  return { rule: nameOf(has, names), parameters: Object.fromEntries(names.map((name) => [name, true])) };
}

function nameOf(has: (name: string) => boolean, names: readonly string[]): string {
  // With neither, dash.js puts both back in (ABRRulesCollection._updateRules), but only when nothing else is active.
  if (names.length === 0 || (has('throughputRule') && has('bolaRule'))) return 'dashjs-dynamic';
  if (has('throughputRule')) return 'dashjs-throughput';
  return has('bolaRule') ? 'dashjs-bola' : names.join('+');
}
