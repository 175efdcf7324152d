import * as Type from '@sinclair/typebox';
import { ALONE, faultOfBeside, rulesBeside } from './besideOf.ts';
import { at, Name, texts, type Factor, type Names } from './factor.ts';

/** What shares the link with the viewer, in the format of `besideOf`. Absent: every viewer is alone. */
export const beside: Factor<'beside', 'beside', Type.TOptional<Names>, string> = {
  field: 'beside',
  key: 'beside',
  schema: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 20 })),
  examples: [ALONE, 'tcp-cubic:flows=4'],
  values: texts,
  words: {
    question: 'what shares the link',
    counted: ['load beside the viewer', 'loads beside the viewer'],
    compared: `loads beside the viewer, "${ALONE}" among them,`,
  },
  column: { report: 'beside', terminal: 'beside' },
  needs: {
    instrumentedOrigin: true,
    link: 'What runs beside the viewer shares an emulated link, and loopback is none: fill in "profiles", or leave out "beside".',
  },
  notSimulated: 'The player model has the link for itself: play this in the lab, or leave out "beside".',
  faultsOf: (loads, { seconds }, known) =>
    loads.flatMap((text, index) => [
      ...at(`/beside/${index}`, faultOfBeside(text, { seconds })),
      ...rulesBeside(text).flatMap((rule) => at(`/beside/${index}`, known.faultOfRule(rule))),
    ]),
  title: (load) => `, beside ${load}`,
};
