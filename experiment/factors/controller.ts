import * as Type from '@sinclair/typebox';
import { at, Name, texts, type Factor, type Names, type OfTransfers } from './factor.ts';
import { sendersOf } from './sendersOf.ts';

/** Congestion controllers in the format of `sendersOf`. Absent: cubic for TCP and QUIC. */
export const controller: Factor<'controllers', 'controller', Type.TOptional<Names>, string> & OfTransfers = {
  field: 'controllers',
  key: 'controller',
  isOfTransfers: true,
  schema: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 20 })),
  examples: ['cubic', 'tcp=reno:quic=bbr'],
  values: texts,
  words: { question: 'the congestion controller', counted: ['controller'] },
  column: { report: 'controllers', terminal: 'controller', isWithoutList: () => true },
  needs: { instrumentedOrigin: true },
  faultsOf: (controllers) =>
    controllers.flatMap((text, index) => {
      const senders = sendersOf(text);
      return senders.ok ? [] : at(`/controllers/${index}`, senders.error);
    }),
  title: (text) => ` by ${text}`,
};
