import type { Claim, Paper, PaperCampaign } from '../paperCampaign.ts';
import { parts } from '../parts/deployment2017.ts';

const about = { first: 'h3-racing', second: 'h1', within: 'dashjs-dynamic/cubic' };

/** By rising round trip: 10, 69, 128 and 234 ms. */
const NETWORKS = ['constant-10mbps', 'wifi', 'lte', '3g'];

const table1: PaperCampaign = {
  id: '2017-deployment-table-1',
  label: 'Table 1 (video latency), Table 2, Figs. 7 and 9: returning browsers, by round-trip time',
  place: null,
  metrics: ['join-time', 'handshake-time', 'zero-rtt-share', 'rebuffer-rate', 'mean-bitrate', 'quic-share'],
  claims: [
    ...NETWORKS.map((network): Claim => ({
      ...about,
      metric: 'join-time',
      network,
      expects: 'lower',
      sizePercent: -8,
      says: '8.0 % less at the mean on desktops, more with a longer round trip (Table 1, Fig. 9)',
    })),
    ...NETWORKS.map((network): Claim => ({
      ...about,
      metric: 'handshake-time',
      network,
      expects: 'lower',
      says: 'nearly independent of the round-trip time, over TCP proportional to it (Fig. 7)',
      cannotFail: 'all connections have 0-RTT, which takes 0 ms',
    })),
    {
      ...about,
      metric: 'rebuffer-rate',
      network: 'fixed-5mbps-100ms-1-loss',
      expects: 'lower',
      sizePercent: -18,
      says: '18 % less at the mean on desktops (Table 2)',
    },
  ],
};

export const deployment2017: Paper = {
  id: '2017-quic-deployment',
  label: 'Langley et al., The QUIC Transport Protocol: Design and Internet-Scale Deployment, SIGCOMM 2017',
  campaigns: [table1],
  parts,
};
