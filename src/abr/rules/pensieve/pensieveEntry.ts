/** What the rule is called, with weights and without. */
export const PENSIEVE_ENTRY = {
  id: 'pensieve',
  label: 'Pensieve',
  paper: 'Mao, Netravali, Alizadeh: Neural Adaptive Video Streaming with Pensieve, SIGCOMM 2017',
} as const;
