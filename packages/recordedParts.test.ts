import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataModule } from '../src/telemetry/schema/dataModule.ts';
import { checkFor } from '../src/telemetry/schema/checkOf.ts';
import { SessionEvent, SessionHeader } from '../src/telemetry/schema/sessionLog.ts';
import { FIELDS_OF_OURS, KINDS_OF_OURS, recordedEvent, recordedHeader } from './recordedParts.ts';
import { exampleLog } from '../src/telemetry/exampleLog.testing.ts';

/** What records in a page of others: the recorders, and the rules of `@pitwall/abr` that a page puts in charge of its player. */
const FOLDERS = ['src/telemetry/shell', 'src/player/host', 'src/player/bridge', 'packages/abr'];
const root = path.dirname(import.meta.dirname);
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test(ing)?\.ts$/.test(file))
    .map((file) => ({ file, source: readFileSync(path.join(root, folder, file), 'utf8') })),
);

const kindsOf = ({ anyOf }: { anyOf: readonly (typeof SessionEvent.anyOf)[number][] }): string[] =>
  anyOf.map(({ properties }) => properties.kind.const);

describe('the schemas of entries that record hls.js, Shaka or any element', () => {
  test.each(KINDS_OF_OURS)(
    '%s is a kind of event that neither a recorder nor a rule writes there',
    (kind) => {
      expect(kindsOf(SessionEvent)).toContain(kind);
      expect(kindsOf(recordedEvent)).not.toContain(kind);
      const writers = sources.filter(({ source }) => source.includes(`kind: '${kind}'`));
      expect(writers.map(({ file }) => file)).toEqual([]);
    },
  );

  test('the kinds that are kept are those of the format, unchanged', () => {
    expect(kindsOf(recordedEvent).length).toBe(kindsOf(SessionEvent).length - KINDS_OF_OURS.length);
    for (const schema of recordedEvent.anyOf) expect(SessionEvent.anyOf).toContain(schema);
  });

  test.each(FIELDS_OF_OURS)(
    '%s of the environment may be absent, so that a header without it fits',
    (field) => {
      const { properties, required } = SessionHeader.properties.environment;
      expect(Object.keys(properties)).toContain(field);
      expect(required).not.toContain(field);
    },
  );

  test('a log of such a page fits the part and the whole; a field of ours does not fit the part', () => {
    const { environment, ...header } = exampleLog();
    const rest = Object.fromEntries(Object.entries(header).filter(([key]) => key !== 'events'));
    const kept = Object.entries(environment).filter(([name]) => !FIELDS_OF_OURS.includes(name));
    const ofPage = { ...rest, environment: Object.fromEntries(kept) };
    const part = checkFor(recordedHeader);
    expect(part(ofPage)).toBeNull();
    expect(checkFor(SessionHeader)(ofPage)).toBeNull();
    const simulated = { ...rest, environment: { ...ofPage.environment, simulator: null } };
    expect(part(simulated)?.path).toBe('/environment/simulator');
  });

  test('written as data they are the schemas', async () => {
    const source = dataModule({ SessionEvent: recordedEvent, SessionHeader: recordedHeader });
    const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as object;
    expect({ ...module }).toEqual(
      JSON.parse(JSON.stringify({ SessionEvent: recordedEvent, SessionHeader: recordedHeader })),
    );
  });
});
