import { lossSection } from './lossSection.ts';
import { objectsSection } from './objectsSection.ts';
import { overheadSection } from './overheadSection.ts';
import { rttSection } from './rttSection.ts';
import type { SenderSection } from './senderSection.ts';
import { shareSections } from './shareSection.ts';

export const senderSections: readonly SenderSection[] = [
  rttSection,
  lossSection,
  objectsSection,
  ...shareSections,
  overheadSection,
];
