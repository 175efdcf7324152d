import type { Figure, KeyFigures } from '../../analysis/figures/figure.ts';
import { mbpsFromKbps, secondsFromMs } from '../../shared/units.ts';
import { formatCount, formatNumber } from '../../shared/format.ts';

/** A key figure in words; a null value is not known, and `sub` then says why. */
export interface FigureText {
  readonly id: 'bitrate' | 'buffer' | 'rebuffer' | 'join' | 'qoe';
  readonly label: string;
  readonly value: string | null;
  readonly unit: string;
  readonly sub: string;
}

/** The key figures as people read them; without a session, what each of them will say. */
export function formatFigures(figures: KeyFigures | null): readonly FigureText[] {
  return [bitrate(figures), buffer(figures), rebuffer(figures), join(figures), qoe(figures)];
}

function bitrate(figures: KeyFigures | null): FigureText {
  const head = { id: 'bitrate', label: 'Bitrate, rendered', unit: 'Mbit/s' } as const;
  if (!figures) return { ...head, value: null, sub: 'what is on screen' };
  const { bitrateNowKbps, bitrateMeanKbps, rungNow, rungCount, heightNow } = figures;
  const mean = fixed(bitrateMeanKbps, mbpsFromKbps, 2);
  const place = [
    rungNow.value === null ? null : `rung ${rungNow.value + 1} of ${rungCount}`,
    heightNow.value === null ? null : `${heightNow.value}p`,
  ];
  const known = place.filter((part) => part !== null).join(', ');
  const sub = [known, mean === null ? '' : `mean ${mean}`].filter((part) => part !== '').join('; ');
  return { ...head, ...withReason(bitrateNowKbps, fixed(bitrateNowKbps, mbpsFromKbps, 2), sub) };
}

function buffer(figures: KeyFigures | null): FigureText {
  const head = { id: 'buffer', label: 'Buffer', unit: 's' } as const;
  if (!figures) return { ...head, value: null, sub: 'video ahead of the playhead' };
  const { bufferNowMs, bufferTargetMs, bufferMeanMs } = figures;
  const target = fixed(bufferTargetMs, secondsFromMs, 0);
  const mean = fixed(bufferMeanMs, secondsFromMs, 1);
  const parts = [target === null ? '' : `target ${target} s`, mean === null ? '' : `mean ${mean} s`];
  const sub = parts.filter((part) => part !== '').join('; ');
  return { ...head, ...withReason(bufferNowMs, fixed(bufferNowMs, secondsFromMs, 1), sub) };
}

function rebuffer(figures: KeyFigures | null): FigureText {
  const head = { id: 'rebuffer', label: 'Rebuffer rate', unit: '%' } as const;
  if (!figures) return { ...head, value: null, sub: 'time stalled, of time watched' };
  const { rebufferRate, rebufferMs, stallCount } = figures;
  const stalls = `${secondsFromMs(rebufferMs).toFixed(1)} s in ${formatCount(stallCount, 'stall')}`;
  const value = fixed(rebufferRate, (rate) => rate * 100, 1);
  return { ...head, ...withReason(rebufferRate, value, stallCount === 0 ? 'no stall' : stalls) };
}

function join(figures: KeyFigures | null): FigureText {
  const head = { id: 'join', label: 'Join time', unit: 's' } as const;
  const sub = 'play asked for to first frame';
  if (!figures) return { ...head, value: null, sub };
  return { ...head, ...withReason(figures.joinMs, fixed(figures.joinMs, secondsFromMs, 2), sub) };
}

function qoe(figures: KeyFigures | null): FigureText {
  const head = { id: 'qoe', label: 'QoE', unit: 'per segment' } as const;
  if (!figures) return { ...head, value: null, sub: 'linear: bitrate − stalls − switches' };
  const mu = fixed(figures.qoeMu, (value) => value, 1)?.replace(/\.0$/, '');
  const sub = mu === undefined ? 'linear' : `linear, µ = ${mu} (top bitrate)`;
  return {
    ...head,
    ...withReason(
      figures.qoePerSegment,
      fixed(figures.qoePerSegment, (v) => v, 2),
      sub,
    ),
  };
}

const withReason = (figure: Figure, value: string | null, sub: string) => ({
  value,
  sub: figure.why ?? sub,
});

function fixed(figure: Figure, convert: (value: number) => number, digits: number): string | null {
  if (figure.value === null) return null;
  return formatNumber(convert(figure.value), digits);
}
