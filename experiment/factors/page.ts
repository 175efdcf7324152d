import * as Type from '@sinclair/typebox';
import { Label, Name, texts, type Factor } from './factor.ts';

/** A built page that plays sessions, and the name that arms have for it. */
const Page = Type.Object(
  {
    name: Label,
    /** `built` (the page of this checkout), a build of dash.js that replaces the one in it, or a built page (docs/gate.md). */
    page: Name,
  },
  { additionalProperties: false },
);

/** The pages that sessions play in. Absent: the page of this checkout. */
export const page: Factor<'pages', 'page', Type.TOptional<Type.TArray<typeof Page>>, string> = {
  field: 'pages',
  key: 'page',
  schema: Type.Optional(Type.Array(Page, { minItems: 1, maxItems: 20 })),
  examples: [
    { name: 'own', page: 'built' },
    { name: 'new', page: 'dashjs@5.1.0' },
  ],
  values: { ...texts, nameOf: ({ name }) => name },
  words: { question: 'the page', counted: ['page'] },
  column: { report: 'page', terminal: 'page' },
  notSimulated: 'A page plays in a browser: the simulator has none. Leave out "pages".',
  /** Two pages of one name would be one arm. */
  faultsOf(pages) {
    const names = pages.map(({ name }) => name);
    return names.flatMap((name, index) =>
      names.indexOf(name) === index ? [] : [`/pages/${index}/name: Two pages are called "${name}".`],
    );
  },
  title: (name) => `, page ${name}`,
};
