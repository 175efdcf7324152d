/*
 * The inputs of the net (src/abr/rules/neural/netInputs.ts), of many sessions at once. Compiled with chunk_env.c.
 */
#include "chunk_env.h"
#include <math.h>

/* Downloads after which a session is no longer young. */
#define YOUNG 48
/* Of the share of the rate that audio needs, mostly some hundredths. */
#define AUDIO_WEIGHT 4
#define MAX_AUDIO 3

static double clip(double x, double least, double most) { return x < least ? least : x > most ? most : x; }

static double ln_ratio(double x) { return clip(x, -6, 6) / 2; }

/* What concerns no rung in particular. The order is the net's: netInputs.ts has the same. */
static void write_context(const Session *s, const Videos *v, float *c) {
  int video = s->video, top = v->rungs[video] - 1, i = 0;
  double segment_ms = v->segment_ms[video], buffer_ms = s->buffer_ms;
  double left = v->segments[video] - s->segment;
  const double *kbps = v->bitrate_kbps + video * MAX_RUNGS;
  double segment_ln = log(segment_ms);
  c[i++] = clip(buffer_ms / 20000, 0, 6);
  c[i++] = clip(log(1 + buffer_ms / segment_ms), 0, 6);
  c[i++] = clip((s->cap_ms - buffer_ms) / 20000, -1, 4);
  c[i++] = s->is_live ? 3 : clip(left * segment_ms / 60000, 0, 3);
  c[i++] = s->is_live ? 0 : 1 / left;
  c[i++] = segment_ln - log(4000);
  c[i++] = clip(s->latency_ln, -3, 3);
  c[i++] = clip(s->latency_mean, -3, 3);
  c[i++] = clip(s->downloads / 20.0, 0, 1);
  c[i++] = s->worth[top] - s->worth[0];
  c[i++] = log(kbps[top] / kbps[0]) / 3;
  c[i++] = log(top + 1) / 2;
  c[i++] = clip(sqrt(s->slow_var), 0, 2);
  c[i++] = clip(sqrt(s->fast_var), 0, 2);
  c[i++] = clip(s->fast_mean - s->slow_mean, -3, 3);
  c[i++] = 1.0 / (s->downloads < YOUNG ? s->downloads : YOUNG);
  for (int h = 0; h < HISTORY; h++) {
    int at = h < s->downloads ? h : s->downloads - 1;
    c[i++] = clip(s->took_ln[at] - segment_ln, -5, 5) / 2;
  }
  c[i++] = clip(s->slow_mean - s->lowest_ln, 0, 6) / 3;
  c[i++] = clip(4 * s->drop_share, 0, 2);
  c[i++] = s->is_new;
  c[i++] = s->protocol == H2 ? clip(AUDIO_WEIGHT * s->audio_kbps / exp(s->slow_mean), 0, MAX_AUDIO) : 0;
  c[i++] = clip(s->audio_ahead_ms / 20000, -2, 1);
}

typedef struct {
  double harmonic, lowest, low; /* ln kbit/s */
} Rates;

static Rates rates_of(const Session *s) {
  int few = s->downloads < 5 ? s->downloads : 5, known = s->downloads < HISTORY ? s->downloads : HISTORY;
  double inverse = 0, lowest = s->rate_ln[0];
  for (int h = 0; h < few; h++) inverse += exp(-s->rate_ln[h]);
  for (int h = 1; h < known; h++)
    if (s->rate_ln[h] < lowest) lowest = s->rate_ln[h];
  Rates rates = {log(few / inverse), lowest, s->slow_mean - sqrt(s->slow_var)};
  return rates;
}

static double ahead_bytes(const Session *s, const Videos *v, int rung) {
  int video = s->video, columns = v->columns[video];
  const double *row = v->sizes_bytes + v->size_from[video] + rung * columns;
  double sum = 0;
  int known = 0;
  for (int k = s->segment + 1; k <= s->segment + 4 && k < columns; k++, known++) sum += row[k];
  return known ? sum / known : row[s->segment];
}

static void write_rung(const Session *s, const Videos *v, const Rates *rates, int r, float *x) {
  int video = s->video, top = v->rungs[video] - 1, i = 0;
  double segment_ms = v->segment_ms[video];
  double size_bytes = v->sizes_bytes[v->size_from[video] + r * v->columns[video] + s->segment];
  double bits = size_bytes * 8, size_ln = log(bits / segment_ms), bits_ln = log(bits);
  const double *worth = s->worth;
  for (int h = 0; h < HISTORY; h++) {
    int at = h < s->downloads ? h : s->downloads - 1;
    x[i++] = ln_ratio(size_ln - s->rate_ln[at]);
  }
  x[i++] = ln_ratio(size_ln - rates->harmonic);
  x[i++] = ln_ratio(size_ln - s->slow_mean);
  x[i++] = ln_ratio(size_ln - s->fast_mean);
  x[i++] = ln_ratio(size_ln - rates->lowest);
  double ready_ms = s->buffer_ms - s->first_byte_ms;
  x[i++] = clip((ready_ms - exp(bits_ln - rates->harmonic)) / 10000, -2, 6);
  x[i++] = clip((ready_ms - exp(bits_ln - rates->lowest)) / 10000, -2, 6);
  x[i++] = clip((ready_ms - exp(bits_ln - rates->low)) / 10000, -2, 6);
  x[i++] = worth[r] - worth[0];
  x[i++] = worth[r] - worth[s->rung];
  x[i++] = fabs(worth[r] - worth[s->rung]);
  x[i++] = r == s->rung;
  x[i++] = r < top ? worth[r + 1] - worth[r] : 0;
  x[i++] = r > 0 ? worth[r] - worth[r - 1] : 0;
  x[i++] = r == top;
  x[i++] = r == 0;
  x[i++] = clip(log(ahead_bytes(s, v, r) / size_bytes), -2, 2);
  x[i++] = clip(log(v->bitrate_kbps[video * MAX_RUNGS + r] * segment_ms / bits), -2, 2);
  x[i++] = worth[top] - worth[r];
}

/* Inputs of the net: context [n][CONTEXT], rungs [n][width][RUNG] (0 beyond the ladder). */
void observe(const Session *all, int n, const Traces *t, const Videos *v, int width, float *context, float *rungs) {
  for (int k = 0; k < n; k++) {
    const Session *s = all + k;
    if (s->done) continue;
    Rates rates = rates_of(s);
    write_context(s, v, context + k * CONTEXT);
    int count = v->rungs[s->video];
    for (int r = 0; r < width; r++) {
      float *row = rungs + ((long)k * width + r) * RUNG;
      if (r < count) write_rung(s, v, &rates, r, row);
      else for (int i = 0; i < RUNG; i++) row[i] = 0;
    }
  }
}
