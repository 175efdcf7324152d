import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataModule } from '../src/telemetry/schema/dataModule.ts';
import { checkFor } from '../src/telemetry/schema/checkOf.ts';
import { SessionEvent, SessionHeader } from '../src/telemetry/schema/sessionLog.ts';
import { FIELDS_OF_OURS, KINDS_OF_OURS, recordedEvent, recordedHeader } from './recordedParts.ts';
import { exampleLog } from '../src/telemetry/exampleLog.testing.ts';

/** The recorders, as they are built into the entries. */
const folder = path.join(import.meta.dirname, '../src/telemetry/shell');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test(ing)?\.ts$/.test(file))
  .map((file) => ({ file, source: readFileSync(path.join(folder, file), 'utf8') }));

const kindsOf = ({ anyOf }: { anyOf: readonly (typeof SessionEvent.anyOf)[number][] }): string[] =>
  anyOf.map(({ properties }) => properties.kind.const);

describe('the schemas of entries that record hls.js, Shaka or any element', () => {
  test.each(KINDS_OF_OURS)('%s is a kind of event that no recorder of theirs writes', (kind) => {
    expect(kindsOf(SessionEvent)).toContain(kind);
    expect(kindsOf(recordedEvent)).not.toContain(kind);
    const writers = sources.filter(({ source }) => source.includes(`kind: '${kind}'`));
    expect(writers.map(({ file }) => file)).toEqual([]);
  });

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
