import { expect, test } from 'vitest';
import { benches } from './registry.ts';
import { faultsOf } from '../src/shared/registry.ts';

test('benches have ids and labels', () => expect(faultsOf(benches)).toEqual([]));
