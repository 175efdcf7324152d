/*
 * The clairvoyant expert: what each next rung is worth to an oracle, which knows the trace and plays on as well as can be.
 *
 * Backward induction over segment, stalls since the session began, buffer and last rung. Since every ms is either played,
 * stalled or waited out, segment, buffer and stalls give the place in the trace: trace time = begin + elapsed - latencies,
 * elapsed = segments x length + buffer at begin - buffer + stalls. What a rung costs does not depend on the rung before, so
 * each cell works out one transition per rung. Between cells it interpolates.
 */
#include "../env/chunk_env.h"
#include <math.h>
#include <stdlib.h>

#define PAYLOAD 0.95
#define DRAIN_STEP_MS 500.0
#define STALL_CELLS 16
#define BUFFER_STEP_MS 500.0

typedef struct {
  int pieces;
  double *end_ms, *rate, *bits; /* from where the session stands, laps of the trace written out */
} Road;

typedef struct {
  int rungs, segments, first, buffer_cells;
  double segment_ms, buffer_ms, latency_ms, cap_ms, audio_bytes;
  double worth[MAX_RUNGS];
  const double *sizes;
  int columns;
  Road road;
  float *value; /* [segment - first][stall][buffer][last rung] */
} Plan;

/* Stalls grow by the cell: 0, 0.2, 0.5 ... about 40 s, finer where it matters. */
static double stall_of(int cell) { return 120.0 * cell + 140.0 * cell * (double)cell + 1.0e-3 * cell; }

static double stall_cell(double stall_ms) {
  double cell = (sqrt(120.0 * 120.0 + 4 * 140.0 * stall_ms) - 120.0) / 280.0;
  return cell > STALL_CELLS - 1 ? STALL_CELLS - 1 : cell;
}

static Road road_from(const Session *s, const Traces *t, double span_ms) {
  int from = t->from[s->trace], pieces = t->from[s->trace + 1] - from, room = 256, n = 0, piece = s->piece;
  double at_ms = 0, bits = 0, place_ms = s->at_ms;
  Road road = {0, malloc(room * sizeof(double)), malloc(room * sizeof(double)), malloc(room * sizeof(double))};
  while (at_ms < span_ms) {
    if (n == room) {
      room *= 2;
      road.end_ms = realloc(road.end_ms, room * sizeof(double));
      road.rate = realloc(road.rate, room * sizeof(double));
      road.bits = realloc(road.bits, room * sizeof(double));
    }
    double lasts_ms = t->end_ms[from + piece] - place_ms, rate = t->rate_kbps[from + piece] * s->scale;
    at_ms += lasts_ms;
    bits += rate * lasts_ms;
    road.end_ms[n] = at_ms;
    road.rate[n] = rate;
    road.bits[n++] = bits;
    place_ms = t->end_ms[from + piece];
    if (++piece == pieces) { piece = 0; place_ms = 0; }
  }
  road.pieces = n;
  return road;
}

static int piece_at(const Road *road, double at_ms) {
  int low = 0, high = road->pieces - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (road->end_ms[middle] > at_ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

/* When so many bits have come since the beginning; `piece` is where to look on from. Beyond the road: its last rate. */
static double arrival_ms(const Road *road, double bits, int *piece) {
  int last = road->pieces - 1;
  while (*piece < last && road->bits[*piece] < bits) ++*piece;
  double rate = road->rate[*piece];
  return road->end_ms[*piece] - (road->bits[*piece] - bits) / (rate > 1 ? rate : 1);
}

static double value_at(const Plan *p, int segment, double stall_ms, double buffer_ms, int rung) {
  if (segment >= p->segments) return 0;
  double s = stall_cell(stall_ms), b = (buffer_ms - p->segment_ms) / BUFFER_STEP_MS;
  if (b < 0) b = 0;
  if (b > p->buffer_cells - 1) b = p->buffer_cells - 1;
  int s0 = (int)s, b0 = (int)b, s1 = s0 < STALL_CELLS - 1 ? s0 + 1 : s0, b1 = b0 < p->buffer_cells - 1 ? b0 + 1 : b0;
  double fs = s - s0, fb = b - b0;
  const float *v = p->value + ((long)(segment - p->first) * STALL_CELLS * p->buffer_cells) * p->rungs + rung;
  int r = p->rungs, c = p->buffer_cells;
  double low = v[(s0 * c + b0) * r] * (1 - fb) + v[(s0 * c + b1) * r] * fb;
  double high = v[(s1 * c + b0) * r] * (1 - fb) + v[(s1 * c + b1) * r] * fb;
  return low * (1 - fs) + high * fs;
}

/* Of each rung for this segment: what it and everything after it are worth, but for the change from the rung before. */
static void worths(const Plan *p, int segment, double stall_ms, double buffer_ms, double *out) {
  int passed = segment - p->first;
  double elapsed_ms = passed * p->segment_ms + p->buffer_ms - buffer_ms + stall_ms;
  double at_ms = elapsed_ms - passed * p->latency_ms;
  if (at_ms < 0) at_ms = 0;
  int piece = piece_at(&p->road, at_ms);
  double here = p->road.bits[piece] - (p->road.end_ms[piece] - at_ms) * p->road.rate[piece];
  for (int r = 0; r < p->rungs; r++) {
    double bits = (p->sizes[r * p->columns + segment] + p->audio_bytes) * 8 / PAYLOAD;
    int from = piece;
    double delay_ms = arrival_ms(&p->road, here + bits, &from) - at_ms + p->latency_ms;
    double left_ms = buffer_ms - delay_ms, stalled_ms = left_ms < 0 ? -left_ms : 0;
    double filled_ms = (left_ms > 0 ? left_ms : 0) + p->segment_ms, excess_ms = filled_ms - p->cap_ms;
    if (excess_ms > 0) filled_ms -= ceil(excess_ms / DRAIN_STEP_MS) * DRAIN_STEP_MS;
    out[r] = p->worth[r] - stalled_ms / 1000 + value_at(p, segment + 1, stall_ms + stalled_ms, filled_ms, r);
  }
}

static void induce(Plan *p) {
  double after[MAX_RUNGS];
  for (int segment = p->segments - 1; segment > p->first; segment--) {
    float *v = p->value + (long)(segment - p->first) * STALL_CELLS * p->buffer_cells * p->rungs;
    for (int s = 0; s < STALL_CELLS; s++)
      for (int b = 0; b < p->buffer_cells; b++, v += p->rungs) {
        worths(p, segment, stall_of(s), p->segment_ms + b * BUFFER_STEP_MS, after);
        for (int last = 0; last < p->rungs; last++) {
          double best = -INFINITY;
          for (int r = 0; r < p->rungs; r++) {
            double with = after[r] - fabs(p->worth[r] - p->worth[last]);
            if (with > best) best = with;
          }
          v[last] = (float)best;
        }
      }
  }
}

/* The plan of a session from where it stands to `last_segment` (exclusive). Freed by `forget`. */
void *plan(const Session *s, const Traces *t, const Videos *v, int last_segment) {
  Plan *p = calloc(1, sizeof(Plan));
  int video = s->video;
  p->rungs = v->rungs[video];
  p->segments = last_segment < v->segments[video] ? last_segment : v->segments[video];
  p->first = s->segment;
  p->segment_ms = v->segment_ms[video];
  p->buffer_ms = s->buffer_ms;
  /* Of new connections what they come to on average. */
  p->latency_ms = s->usual_rtt_ms * (1 + s->reconnects * (s->protocol == H3 ? 1 : 2));
  p->audio_bytes = s->audio_bytes;
  p->cap_ms = s->cap_ms;
  for (int r = 0; r < p->rungs; r++) p->worth[r] = s->worth[r];
  p->sizes = v->sizes_bytes + v->size_from[video];
  p->columns = v->columns[video];
  double most_ms = p->cap_ms > s->buffer_ms ? p->cap_ms : s->buffer_ms;
  p->buffer_cells = 2 + (int)((most_ms - p->segment_ms) / BUFFER_STEP_MS);
  int ahead = p->segments - p->first;
  p->road = road_from(s, t, ahead * p->segment_ms + 3 * stall_of(STALL_CELLS) + 120000);
  p->value = malloc((long)(ahead + 1) * STALL_CELLS * p->buffer_cells * p->rungs * sizeof(float));
  induce(p);
  return p;
}

/* What each rung is worth to the session of the plan, in seconds of stall, the change from the rung before taken off. */
void advise(const void *plan, const Session *s, double stalled_ms, double *out) {
  const Plan *p = plan;
  if (s->segment >= p->segments) return;
  worths(p, s->segment, stalled_ms, s->buffer_ms, out);
  for (int r = 0; r < p->rungs; r++) out[r] -= fabs(p->worth[r] - p->worth[s->rung]);
}

void forget(void *plan) {
  Plan *p = plan;
  free(p->road.end_ms);
  free(p->road.rate);
  free(p->road.bits);
  free(p->value);
  free(p);
}
