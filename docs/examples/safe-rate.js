/** Takes the highest level whose bitrate fits into a share of the measured throughput. */
const make = (parameters) => ({
  id: 'safe-rate',
  label: 'Safe rate',
  parameters,
  tuned: (changes) => make({ ...parameters, ...changes }),

  start: (context) => ({ ladder: context.ladder, rateKbps: null }),

  observe(state, event) {
    if (event.kind === 'ladder') return { ...state, ladder: event.ladder };
    if (event.kind !== 'download' || event.aborted) return state;
    const rateKbps = (event.sizeBytes * 8) / (event.lastByteMs - event.startMs);
    const { weight } = parameters;
    const before = state.rateKbps ?? rateKbps;
    return { ...state, rateKbps: weight * rateKbps + (1 - weight) * before };
  },

  decide({ ladder, rateKbps }) {
    const limitKbps = (rateKbps ?? 0) * parameters.safety;
    const above = ladder.findIndex(({ bitrateKbps }) => bitrateKbps > limitKbps);
    const rung = above < 0 ? ladder.length - 1 : Math.max(0, above - 1);
    return { rung, because: `${Math.round(limitKbps)} kbit/s are safe.`, values: { limitKbps } };
  },
});

export default make({ safety: 0.8, weight: 0.4 });
