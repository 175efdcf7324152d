import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { at, type Around, type Factor, type KnownNames, type Stream } from './factor.ts';
import { rulesIn } from './rule.ts';

const Player = Type.Union([Type.Literal('dashjs'), Type.Literal('hlsjs'), Type.Literal('shaka')]);

export type PlayerName = Static<typeof Player>;

/** What people call each player. */
const LABELS: Readonly<Record<PlayerName, string>> = { dashjs: 'dash.js', hlsjs: 'hls.js', shaka: 'Shaka' };

/** The players of the page that sessions are played by. Absent: dash.js. */
export const player: Factor<'players', 'player', Type.TOptional<Type.TArray<typeof Player>>, PlayerName> = {
  field: 'players',
  key: 'player',
  schema: Type.Optional(Type.Array(Player, { minItems: 1, maxItems: 3 })),
  examples: ['dashjs', 'shaka'],
  // The schema has refused every other text.
  values: {
    nameOf: (name) => name,
    read: (name) => name as PlayerName,
    format: (name) => name,
    readCell: (cell) => cell as PlayerName,
  },
  words: { question: 'the player', counted: ['player'] },
  column: { report: 'player', terminal: 'player' },
  notSimulated: 'The player model is that of dash.js: play other players in the lab, or leave them out.',
  isSimulated: (names) => names.every((name) => name === 'dashjs'),
  faultsOf(names, campaign, known) {
    const others = names.filter((name) => name !== 'dashjs');
    return [
      ...at('/players', campaign.transfers ? 'Transfers have no player: leave out "players".' : null),
      ...campaign.streams.flatMap((stream, index) =>
        names.flatMap((name) => at(`/contents/${index}`, faultOfStream(name, stream))).slice(0, 1),
      ),
      ...(others.length > 0 ? faultsBeside(others, campaign, known) : []),
    ];
  },
  title: (name) => `, played by ${LABELS[name]}`,
};

const faultOfStream = (name: PlayerName, { isFar, isLive, isPlaylist }: Stream): string | null => {
  if (name === 'dashjs')
    return isPlaylist ? 'dash.js does not play an HLS playlist: leave out dashjs, or this content.' : null;
  if (name === 'shaka' || isPlaylist) return null;
  if (isLive)
    return 'hls.js plays HLS, and the lab’s live streams have no playlist: leave out hlsjs, or this content.';
  return isFar
    ? 'hls.js plays HLS, and whether a playlist lies beside this MPD is not known: name the playlist, or leave out hlsjs.'
    : null;
};

/** What is wrong with the rest of a campaign for players other than dash.js. */
function faultsBeside(others: readonly PlayerName[], campaign: Around, known: KnownNames): string[] {
  const { hosts = [], rules = [] } = campaign;
  const asked = ofDashOnly(campaign);
  const isSpread = others.includes('hlsjs') && hosts.some((text) => text !== 'one');
  return [
    ...at(
      '/players',
      asked.length > 0
        ? `Only dash.js takes ${asked.join(', ')}: leave that out, or all players but dashjs.`
        : null,
    ),
    ...at(
      '/hosts',
      isSpread ? 'HLS playlists name one host: leave out hlsjs, or play over the host "one".' : null,
    ),
    ...rules.flatMap((entry, index) =>
      rulesIn(entry).flatMap((rule) =>
        others
          .flatMap((name) => at(`/rules/${index}`, known.faultInPlayer?.(rule, name) ?? null))
          .slice(0, 1),
      ),
    ),
  ];
}

/** What a campaign asks for that only dash.js can do. */
const ofDashOnly = ({ steering, split = [], priorities, preset = '' }: Around): string[] => [
  ...(steering === undefined ? [] : ['"steering"']),
  ...(split.some((count) => count > 1) ? ['"split"'] : []),
  ...(priorities === undefined ? [] : ['"priorities"']),
  ...(preset.includes(':') ? ['parameters of "preset"'] : []),
];
