/*
 * The best causal planner for a link whose law is known and whose future is not: the law is a hidden Markov model (Regimes of
 * made_worlds.py), futures are drawn from it, and a plan is the value of buffer and rung by state of the link, by backward
 * induction over segments of mean size. Unlike the expert of expert.c it knows nothing of the future. Within a plan it
 * takes the state of the link as seen after each segment; at the first one it has a belief (causal.py).
 */
#include <math.h>
#include <stdlib.h>

#include "../env/chunk_env.h"

#define PAYLOAD 0.95
#define PATHS 32
#define STEPS 180
#define BUCKETS 64
#define AHEAD 20
/* Of what is in the buffer in the end, the share that is ever spent: SPENT of play_on.py. */
#define SPENT 0.4

typedef struct {
  int states, rungs;
  double step_ms, segment_ms, cap_ms, latency_ms, bucket_ms;
  double worth[MAX_RUNGS];
  double *bits; /* [state][PATHS][STEPS] that a future has carried after each step */
  int *state;   /* the same: where the link is then */
  double *value; /* [state][BUCKETS][rung of the segment before] */
} Causal;

static double chance(unsigned *x) {
  *x ^= *x << 13, *x ^= *x >> 17, *x ^= *x << 5;
  return (*x & 0xffffff) / 16777216.0;
}

static double normal(unsigned *x) {
  double sum = 0;
  for (int k = 0; k < 12; k++) sum += chance(x);
  return sum - 6;
}

static int drawn_state(const double *row, int states, double uniform) {
  int state = 0;
  while (state < states - 1 && uniform >= row[state]) uniform -= row[state++];
  return state;
}

static void draw_futures(Causal *c, const double *means, const double *deviations, const double *moves, double kbps,
                         unsigned seed) {
  unsigned generator = seed * 2654435761u + 12345u;
  for (int from = 0; from < c->states; from++)
    for (int path = 0; path < PATHS; path++) {
      double *bits = c->bits + (from * PATHS + path) * STEPS, sum = 0;
      int *at = c->state + (from * PATHS + path) * STEPS, state = from;
      for (int step = 0; step < STEPS; step++) {
        sum += kbps * exp(means[state] + deviations[state] * normal(&generator)) * c->step_ms;
        bits[step] = sum;
        at[step] = state;
        state = drawn_state(moves + state * c->states, c->states, chance(&generator));
      }
    }
}

/* How long so many bits take on a future, and in which state the link is then. */
static double took_ms(const Causal *c, int from, int path, double size_bits, int *state) {
  const double *bits = c->bits + (from * PATHS + path) * STEPS;
  int low = 0, high = STEPS - 1;
  if (bits[high] < size_bits) low = high;
  while (low < high) {
    int middle = (low + high) / 2;
    if (bits[middle] < size_bits) low = middle + 1;
    else high = middle;
  }
  double before = low ? bits[low - 1] : 0, rate = (bits[low] - before) / c->step_ms;
  *state = c->state[(from * PATHS + path) * STEPS + low];
  return low * c->step_ms + (size_bits - before) / rate + c->latency_ms;
}

static double after_ms(const Causal *c, double buffer_ms, double ms) {
  double left_ms = (buffer_ms > ms ? buffer_ms - ms : 0) + c->segment_ms;
  return left_ms > c->cap_ms ? c->cap_ms : left_ms;
}

/* Of a buffer between two buckets, in proportion. */
static double value_of(const Causal *c, const double *value, int state, double buffer_ms, int rung) {
  double place = buffer_ms / c->bucket_ms;
  int at = place >= BUCKETS - 1 ? BUCKETS - 2 : (int)place;
  const double *row = value + ((long)state * BUCKETS + at) * c->rungs + rung;
  return row[0] + (place - at) * (row[c->rungs] - row[0]);
}

/* What a download of so many ms from this buffer costs in stalls and leaves in value. */
static double outcome(const Causal *c, const double *value, double buffer_ms, double ms, int state, int rung) {
  double stall_s = ms > buffer_ms ? (ms - buffer_ms) / 1000 : 0;
  return value_of(c, value, state, after_ms(c, buffer_ms, ms), rung) - stall_s;
}

/* One segment earlier. */
static void induce(const Causal *c, const double *ms, const int *states, const double *value, double *before) {
  double gain[MAX_RUNGS];
  for (int from = 0; from < c->states; from++)
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      for (int rung = 0; rung < c->rungs; rung++) {
        double sum = 0;
        for (int path = 0; path < PATHS; path++) {
          int at = (from * c->rungs + rung) * PATHS + path;
          sum += outcome(c, value, bucket * c->bucket_ms, ms[at], states[at], rung);
        }
        gain[rung] = c->worth[rung] + sum / PATHS;
      }
      for (int last = 0; last < c->rungs; last++) {
        double best = -INFINITY;
        for (int rung = 0; rung < c->rungs; rung++) {
          double now = gain[rung] - fabs(c->worth[rung] - c->worth[last]);
          if (now > best) best = now;
        }
        before[((long)from * BUCKETS + bucket) * c->rungs + last] = best;
      }
    }
}

static void plan_values(Causal *c, const double *size_bits) {
  long cells = (long)c->states * BUCKETS * c->rungs;
  int samples = c->states * c->rungs * PATHS, *states = malloc(samples * sizeof *states);
  double *ms = malloc(samples * sizeof *ms), *other = malloc(cells * sizeof *other);
  for (int from = 0; from < c->states; from++)
    for (int rung = 0; rung < c->rungs; rung++)
      for (int path = 0; path < PATHS; path++) {
        int at = (from * c->rungs + rung) * PATHS + path;
        ms[at] = took_ms(c, from, path, size_bits[rung], states + at);
      }
  for (long cell = 0; cell < cells; cell++) {
    double left = cell / c->rungs % BUCKETS * c->bucket_ms / c->segment_ms;
    c->value[cell] = SPENT * left * c->worth[cell % c->rungs];
  }
  for (int segment = 0; segment < AHEAD; segment++) {
    induce(c, ms, states, c->value, other);
    double *spare = c->value;
    c->value = other;
    other = spare;
  }
  free(ms);
  free(other);
  free(states);
}

/* Bits of a segment with what goes beside it. */
static double bits_of(const Session *s, double bytes) {
  return (bytes + (s->protocol == UNKNOWN ? 0 : s->audio_bytes)) * 8 / PAYLOAD;
}

/* A plan for a session that has begun, over a link with this law at `kbps`; to be given to causal_forget. `moves` is [from][to]. */
Causal *causal_plan(const Session *s, const Videos *v, int states, const double *means, const double *deviations,
                    const double *moves, double step_ms, double kbps, unsigned seed) {
  int video = s->video, columns = v->columns[video];
  double size_bits[MAX_RUNGS];
  Causal *c = calloc(1, sizeof *c);
  c->states = states;
  c->rungs = v->rungs[video];
  c->step_ms = step_ms;
  c->segment_ms = v->segment_ms[video];
  c->cap_ms = s->cap_ms;
  c->latency_ms = s->usual_rtt_ms;
  c->bucket_ms = (c->cap_ms + c->segment_ms) / (BUCKETS - 1);
  c->bits = malloc(sizeof(double) * states * PATHS * STEPS);
  c->state = malloc(sizeof(int) * states * PATHS * STEPS);
  c->value = malloc(sizeof(double) * states * BUCKETS * c->rungs);
  for (int rung = 0; rung < c->rungs; rung++) {
    const double *row = v->sizes_bytes + v->size_from[video] + rung * columns;
    double sum = 0;
    for (int at = s->segment; at < v->segments[video]; at++) sum += row[at];
    size_bits[rung] = bits_of(s, sum / (v->segments[video] - s->segment));
    c->worth[rung] = s->worth[rung];
  }
  draw_futures(c, means, deviations, moves, kbps, seed);
  plan_values(c, size_bits);
  return c;
}

/* What each rung of the next segment is worth, in seconds of stall, to a player with this belief about the state. */
void causal_advise(const Causal *c, const Session *s, const Videos *v, const double *belief, double *out) {
  if (s->done) return;
  const double *sizes = v->sizes_bytes + v->size_from[s->video] + s->segment;
  for (int rung = 0; rung < c->rungs; rung++) {
    double size_bits = bits_of(s, sizes[rung * v->columns[s->video]]), sum = 0;
    for (int from = 0; from < c->states; from++) {
      double gain = 0;
      if (belief[from] < 1e-3) continue;
      for (int path = 0, state; path < PATHS; path++) {
        double ms = took_ms(c, from, path, size_bits, &state);
        gain += outcome(c, c->value, s->buffer_ms, ms, state, rung);
      }
      sum += belief[from] * gain / PATHS;
    }
    out[rung] = c->worth[rung] - fabs(c->worth[rung] - c->worth[s->rung]) + sum;
  }
}

void causal_forget(Causal *c) {
  free(c->bits);
  free(c->state);
  free(c->value);
  free(c);
}
