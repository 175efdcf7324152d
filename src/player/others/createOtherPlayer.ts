import { unknownId } from '../../shared/unknownId.ts';
import { HLS_RULE, SHAKA_RULE } from '../../telemetry/shell/ownRules.ts';
import type { Player, PlayerSetup } from '../player.ts';

/**
 * The players of the page, with what each plays, and the rule that each comes with. dash.js is in the page's own chunk; the others
 * are loaded when they are chosen.
 */
export const PLAYERS = [
  { id: 'dashjs', label: 'dash.js', plays: ['dash'], ownRule: 'dashjs-dynamic' },
  { id: 'hlsjs', label: 'hls.js', plays: ['hls'], ownRule: HLS_RULE },
  { id: 'shaka', label: 'Shaka', plays: ['dash', 'hls'], ownRule: SHAKA_RULE },
] as const;

export type PlayerId = (typeof PLAYERS)[number]['id'];

/** The player that plays an address unless another one is named. */
export const usualPlayer = (mpdUrl: string): PlayerId => (formatOf(mpdUrl) === 'hls' ? 'hlsjs' : 'dashjs');

/** A playlist is named by its end; everything else is a DASH manifest. */
export const formatOf = (address: string): 'dash' | 'hls' =>
  /\.m3u8$/i.test(address.split(/[?#]/)[0] ?? '') ? 'hls' : 'dash';

/** Loads the player that a set-up names, or that its address needs. Rejects with one sentence where it cannot play that. */
export async function createOtherPlayer(setup: PlayerSetup): Promise<Player> {
  const id = setup.player ?? usualPlayer(setup.mpdUrl);
  const named = PLAYERS.find((each) => each.id === id);
  if (!named)
    throw new Error(
      unknownId(
        'player',
        id,
        PLAYERS.map((each) => each.id),
      ),
    );
  const format = formatOf(setup.mpdUrl);
  if (!named.plays.some((each) => each === format)) {
    const others = PLAYERS.filter(({ plays }) => plays.some((each) => each === format));
    const what = format === 'hls' ? 'an HLS playlist (.m3u8)' : 'a DASH manifest';
    throw new Error(
      `${named.label} does not play ${what}: choose ${others.map(({ label }) => label).join(' or ')}.`,
    );
  }
  refuseDashOnly(setup, named.label);
  if (named.id === 'hlsjs') return (await import('./hlsPlayer.ts')).createHlsPlayer(setup);
  return (await import('./shakaPlayer.ts')).createShakaPlayer(setup);
}

/** Loads a player, and the rule that will decide in it, so that a start need not wait for them. */
export async function warmOtherPlayer(id: string, rule: string): Promise<void> {
  if (id === 'hlsjs') await (await import('./hlsPlayer.ts')).warmHls(rule);
  if (id === 'shaka') await (await import('./shakaPlayer.ts')).warmShaka(rule);
}

/** What a link or the form asks of dash.js alone must not be dropped in silence. */
function refuseDashOnly(
  { steering, pathways = [], split, protection, sizes = 'stream' }: PlayerSetup,
  label: string,
): void {
  const asked = [
    ...(steering != null ? ['a steering policy'] : []),
    ...(pathways.length > 0 ? ['further servers (pathways)'] : []),
    ...(split != null && split !== '1' ? ['several ranges of a segment at once'] : []),
    ...(protection != null ? ['key-system settings'] : []),
    ...(sizes !== 'stream' ? ['a source of segment sizes'] : []),
  ];
  if (asked.length > 0)
    throw new Error(
      `Only dash.js takes ${asked.join(', ')} here: take that away, or do not choose ${label}.`,
    );
}
