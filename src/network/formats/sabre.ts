import { amountIn, amountOrNullIn, listOf } from '../jsonFields.ts';
import { placedJson } from '../placedJson.ts';
import { readingOf } from '../textFault.ts';
import { traceFromDurations } from '../traceFrom.ts';
import type { TraceFormat } from '../traceFormat.ts';

/** Sabre's traces (Spiteri et al., MMSys 2018; github.com/UMass-LIDS/sabre). Its latency is what we call RTT. */
export const sabre: TraceFormat = {
  id: 'sabre',
  label: 'Sabre JSON',
  meaning: 'a JSON list of {"duration_ms", "bandwidth_kbps", "latency_ms"}',
  looksLike: (text) => /^\uFEFF?\s*\[/.test(text),
  read: (text, name) =>
    readingOf(name, () => {
      const samples = listOf(placedJson(text), 'The trace').map((item) => ({
        timeMs: amountIn(item, 'duration_ms'),
        rateKbps: amountIn(item, 'bandwidth_kbps'),
        rttMs: amountOrNullIn(item, 'latency_ms'),
        place: item.place,
      }));
      return traceFromDurations(samples, name);
    }),
};
