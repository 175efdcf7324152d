import { floodSection } from './floodSection.ts';
import type { OriginSection } from './originSection.ts';
import { slowSection } from './slowSection.ts';
import { speedSection } from './speedSection.ts';

export const originSections: readonly OriginSection[] = [speedSection, slowSection, floodSection];
