import { deployment2017 } from './claims/deployment2017.ts';
import { letter2020 } from './claims/letter2020.ts';
import type { Paper, PaperCampaign } from './paperCampaign.ts';
import { racing2024 } from './claims/racing2024.ts';
import { study2019 } from './claims/study2019.ts';
import { thesis2018 } from './claims/thesis2018.ts';

/** The papers that Pitwall is built from, the newest first. */
export const papers: readonly Paper[] = [racing2024, letter2020, study2019, thesis2018, deployment2017];

/** All that can be played, paper by paper. */
export const paperCampaigns: readonly PaperCampaign[] = papers.flatMap(({ campaigns }) => campaigns);

/** What is played when nothing is named, in its order. */
export const inTurn: readonly PaperCampaign[] = paperCampaigns
  .filter(({ place }) => place !== null)
  .sort((a, b) => a.place! - b.place!);
