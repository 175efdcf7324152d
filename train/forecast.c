/*
 * Stochastic model predictive control: the rung that is worth most on average over what a forecast says of the next rates, by
 * value iteration over the buffer and the rung before, in the manner of Fugu (Yan et al., NSDI 2020). Compiled with chunk_env.c.
 */
#include <math.h>

#include "chunk_env.h"

/* More than forecast.py has. */
#define MAX_BINS 64
/* Of the buffer; between them values are interpolated. A buffer holds 60 s at most (scenes.py), and the grid 79 s. */
#define GRID_MS 1000.0
#define MAX_GRID 80

static double value_at(const double *value, int points, double buffer_ms) {
  double at = buffer_ms / GRID_MS;
  int low = (int)at;
  if (low >= points - 1) return value[points - 1];
  return value[low] + (at - low) * (value[low + 1] - value[low]);
}

/* One rung from one buffer: what it costs in stalls, and what is to be had after it, on average over the times it may take. */
static double expected(const double *took_ms, const float *odds, int bins, double buffer_ms, double segment_ms, double cap_ms,
                       const double *after, int points) {
  double sum = 0;
  for (int i = 0; i < bins; i++) {
    double left_ms = buffer_ms - took_ms[i], filled_ms = (left_ms > 0 ? left_ms : 0) + segment_ms;
    sum += odds[i] * ((left_ms < 0 ? left_ms / 1000 : 0) + value_at(after, points, filled_ms < cap_ms ? filled_ms : cap_ms));
  }
  return sum;
}

static void times_of(const Session *s, const Videos *v, int rung, int step, const double *off_ln, int bins, double first_byte_ms,
                     double *took_ms) {
  int columns = v->columns[s->video], segment = s->segment + step;
  double bits = 8 * v->sizes_bytes[v->size_from[s->video] + rung * columns + (segment < columns ? segment : columns - 1)];
  for (int i = 0; i < bins; i++) took_ms[i] = first_byte_ms + bits / exp(s->slow_mean + off_ln[i]);
}

/*
 * To `out` [n][width] goes what each rung of the next segment is worth, in seconds of stall, for the next `steps` segments; rungs
 * that are not there stay. `odds` [n][steps][bins] are those of ln rate less the slow mean, and off_ln [bins] where the bins are.
 */
void forecast_values(const Session *all, int n, const Videos *v, const float *odds, const double *off_ln, int bins, int steps,
                     int width, double *out) {
  double next[MAX_RUNGS][MAX_GRID], now[MAX_RUNGS][MAX_GRID], own[MAX_RUNGS][MAX_GRID];
  for (int k = 0; k < n; k++) {
    const Session *s = all + k;
    if (s->done) continue;
    int rungs = v->rungs[s->video], left = v->segments[s->video] - s->segment, ahead = steps < left ? steps : left;
    double segment_ms = v->segment_ms[s->video], first_byte_ms = 85 * exp(s->latency_mean) - 5, took_ms[MAX_BINS];
    int points = (int)fmin(MAX_GRID, ceil(s->cap_ms / GRID_MS) + 1);
    for (int r = 0; r < rungs; r++)
      for (int b = 0; b < points; b++) next[r][b] = 0;
    for (int step = ahead - 1; step > 0; step--) {
      const float *at = odds + ((long)k * steps + step) * bins;
      for (int r = 0; r < rungs; r++) {
        times_of(s, v, r, step, off_ln, bins, first_byte_ms, took_ms);
        for (int b = 0; b < points; b++)
          own[r][b] = s->worth[r] + expected(took_ms, at, bins, b * GRID_MS, segment_ms, s->cap_ms, next[r], points);
      }
      for (int last = 0; last < rungs; last++)
        for (int b = 0; b < points; b++) {
          double best = -1e300;
          for (int r = 0; r < rungs; r++) {
            double value = own[r][b] - fabs(s->worth[r] - s->worth[last]);
            if (value > best) best = value;
          }
          now[last][b] = best;
        }
      for (int r = 0; r < rungs; r++)
        for (int b = 0; b < points; b++) next[r][b] = now[r][b];
    }
    for (int r = 0; r < rungs; r++) {
      times_of(s, v, r, 0, off_ln, bins, first_byte_ms, took_ms);
      double value = expected(took_ms, odds + (long)k * steps * bins, bins, s->buffer_ms, segment_ms, s->cap_ms, next[r], points);
      out[(long)k * width + r] = s->worth[r] - fabs(s->worth[r] - s->worth[s->rung]) + value;
    }
  }
}
