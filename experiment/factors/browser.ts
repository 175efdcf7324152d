import * as Type from '@sinclair/typebox';
import { transportsBeside } from './besideOf.ts';
import {
  at,
  Name,
  texts,
  type Around,
  type Factor,
  type KnownBrowser,
  type Names,
  type OfTransfers,
} from './factor.ts';
import { isWarm } from './transfer.ts';
import { unknownId } from '../../src/shared/unknownId.ts';

/** Ids of the lab's browsers (docs/browsers.md). Absent: Chromium. */
export const browser: Factor<'browsers', 'browser', Type.TOptional<Names>, string> & OfTransfers = {
  field: 'browsers',
  key: 'browser',
  isOfTransfers: true,
  schema: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 10 })),
  examples: ['chromium', 'firefox'],
  values: texts,
  words: { question: 'the browser', counted: ['browser'] },
  column: { report: 'browser', terminal: 'browser' },
  notSimulated: 'The simulator has no browser: play this in the lab, or leave out "browsers".',
  faultsOf: (ids, campaign, known) =>
    ids.flatMap((id, index) => {
      const named = known.browsers.find((each) => each.id === id);
      return named
        ? faultsOfBrowser(named, index, campaign)
        : at(
            `/browsers/${index}`,
            unknownId(
              'browser',
              id,
              known.browsers.map((each) => each.id),
            ),
          );
    }),
  title: (id, { browsers }) => `, in ${browsers.find((each) => each.id === id)?.label ?? id}`,
};

/** What a browser cannot do that its campaign asks for. */
function faultsOfBrowser(named: KnownBrowser, index: number, campaign: Around): string[] {
  const { transports, beside = [] } = campaign;
  return [
    ...transports.flatMap((mode, place) => at(`/transports/${place}`, faultOfMode(named, mode))),
    ...beside.flatMap((text, place) =>
      transportsBeside(text).flatMap((mode) => at(`/beside/${place}`, faultOfMode(named, mode))),
    ),
    ...at(`/browsers/${index}`, isWarm(campaign) && !named.canBeWarm ? formatOnlyCold(named) : null),
  ];
}

/** One sentence about a transport mode that a browser does not have, or null. */
const faultOfMode = ({ label, modes }: KnownBrowser, mode: string): string | null =>
  modes.includes(mode) ? null : `${label} has no transport mode ${mode}; it has ${modes.join(', ')}.`;

/** One sentence about a browser whose sessions cannot begin warm. */
const formatOnlyCold = ({ label }: KnownBrowser): string =>
  `${label} cannot visit the origin before its session: leave out what needs a warm browser.`;
