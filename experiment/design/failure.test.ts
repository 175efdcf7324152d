import { describe, expect, it, test } from 'vitest';
import { failures, isRepeated, type FailureId } from './failure.ts';
import { faultsOf } from '../../src/shared/registry.ts';

test('failures are entries like any other', () => expect(faultsOf(failures)).toEqual([]));

describe('a session is tried again', () => {
  it.each<[boolean, FailureId[]]>([
    [false, []],
    [true, ['browser-did-not-start']],
    [true, ['link-did-not-answer', 'guard-tripped']],
    [false, ['link-did-not-answer', 'guard-tripped', 'browser-did-not-start']],
    [false, ['stream-did-not-start']],
    [false, ['browser-did-not-start', 'player-gave-up']],
  ])('%s after %j', (expected, tries) => expect(isRepeated(tries)).toBe(expected));
});
