/*
 * The chunk model (src/sim/chunk/chunkWorld.ts) for many sessions at once, some of them with connections and audio beside
 * the video in the manner of the player model (src/sim/player). Compiled with -ffp-contract=off, so that a session of the
 * chunk model is the same to the last bit as in TypeScript; research/train/training.test.ts compares them, and works out what
 * carries the others.
 */
#include "chunk_env.h"
#include <math.h>

#define PAYLOAD 0.95
#define DRAIN_STEP_MS 500.0
/* A third of the mean rate and less is a drop. */
#define DROP_LN 1.1
#define DROP_SLOW 0.01
/* The lowest rate is forgotten: with each download it comes nearer to the mean by this share. */
#define LOWEST_BACK 0.002

static int pieces_of(const Traces *t, int trace) { return t->from[trace + 1] - t->from[trace]; }

static void leave_finished_pieces(Session *s, const Traces *t) {
  const double *end_ms = t->end_ms + t->from[s->trace];
  int pieces = pieces_of(t, s->trace);
  while (s->at_ms >= end_ms[s->piece]) {
    if (++s->piece < pieces) continue;
    s->at_ms -= end_ms[s->piece - 1];
    s->piece = 0;
  }
}

static double transfer(Session *s, const Traces *t, double bits) {
  const double *end_ms = t->end_ms + t->from[s->trace], *rate_kbps = t->rate_kbps + t->from[s->trace];
  int piece = s->piece, pieces = pieces_of(t, s->trace);
  double at_ms = s->at_ms, taken_ms = 0;
  for (;;) {
    double rate = rate_kbps[piece] * s->scale;
    double rest_ms = end_ms[piece] - at_ms;
    double rest_bits = rate * rest_ms;
    if (rest_bits >= bits && rate > 0) {
      double needed_ms = bits / rate;
      s->at_ms = at_ms + needed_ms;
      s->piece = piece;
      return taken_ms + needed_ms;
    }
    bits -= rest_bits;
    taken_ms += rest_ms;
    at_ms = end_ms[piece];
    if (++piece == pieces) { piece = 0; at_ms = 0; }
  }
}

/* Bits that the trace carries in this time from where the session stands. */
static double bits_within(const Session *s, const Traces *t, double span_ms) {
  const double *end_ms = t->end_ms + t->from[s->trace], *rate_kbps = t->rate_kbps + t->from[s->trace];
  int piece = s->piece, pieces = pieces_of(t, s->trace);
  double at_ms = s->at_ms, bits = 0;
  while (end_ms[piece] - at_ms < span_ms) {
    bits += rate_kbps[piece] * (end_ms[piece] - at_ms);
    span_ms -= end_ms[piece] - at_ms;
    at_ms = end_ms[piece];
    if (++piece == pieces) { piece = 0; at_ms = 0; }
  }
  return (bits + rate_kbps[piece] * span_ms) * s->scale;
}

/* Seed of a segment of a session, the same however often it is played. */
static unsigned seed_of(const Session *s) {
  return (unsigned)s->seed * 2654435761u + (unsigned)s->segment * 40503u + 12345u;
}

/* From 0 to 1, the next one. */
static double chance(unsigned *x) {
  *x ^= *x << 13, *x ^= *x >> 17, *x ^= *x << 5;
  return (*x & 0xffffff) / 16777216.0;
}

/* About a standard normal. */
static double normal(unsigned *x) {
  double sum = 0;
  for (int k = 0; k < 12; k++) sum += chance(x);
  return sum - 6;
}

/* Of the last request: what the rule neural keeps (withDownload of neuralState.ts). */
void measure(Session *s, double size_bytes) {
  double body_ms = s->delay_ms - s->first_byte_ms, least_ms = 0.25 * s->delay_ms;
  if (body_ms < least_ms) body_ms = least_ms;
  double rate_ln = log((size_bytes * 8) / body_ms), took_ln = log(s->delay_ms);
  for (int i = HISTORY - 1; i > 0; i--) {
    s->rate_ln[i] = s->rate_ln[i - 1];
    s->took_ln[i] = s->took_ln[i - 1];
  }
  s->rate_ln[0] = rate_ln;
  s->took_ln[0] = took_ln;
  s->latency_ln = log((s->first_byte_ms + 5) / 85);
  double drop = s->downloads ? s->slow_mean - rate_ln : 0;
  double lowest = s->lowest_ln + LOWEST_BACK * (s->slow_mean - s->lowest_ln);
  s->lowest_ln = s->downloads && lowest < rate_ln ? lowest : rate_ln;
  s->downloads += 1;
  double first = 1.0 / s->downloads;
  double slow = first > 0.1 ? first : 0.1, fast = first > 0.35 ? first : 0.35;
  double share = first > DROP_SLOW ? first : DROP_SLOW;
  s->drop_share += share * ((drop > DROP_LN) - s->drop_share);
  double off = rate_ln - s->slow_mean;
  s->slow_mean += slow * off;
  s->slow_var = (1 - slow) * (s->slow_var + slow * off * off);
  off = rate_ln - s->fast_mean;
  s->fast_mean += fast * off;
  s->fast_var = (1 - fast) * (s->fast_var + fast * off * off);
  s->latency_mean += fast * (s->latency_ln - s->latency_mean);
}

/*
 * Sets when the first byte comes; returns how long the body takes. A new connection is two round trips with TCP and TLS
 * 1.3, one with QUIC, as in src/sim/player/connections.ts; in half of the sessions the first segment finds one that
 * brought the manifest. Audio is asked for just after the video: over h2 it comes behind it, and before the next video
 * where nobody waits between the two; over h1 and h3 both get half of the rate while there are both.
 */
static double deliver(Session *s, const Traces *t, double bits) {
  unsigned generator = seed_of(s);
  double rtt_ms = s->swing > 0 ? s->usual_rtt_ms * exp(s->swing * normal(&generator)) : s->usual_rtt_ms;
  s->first_byte_ms = rtt_ms;
  s->is_new = 0;
  if (s->protocol == UNKNOWN) return transfer(s, t, bits);
  s->is_new = chance(&generator) < (s->downloads == 0 && s->reconnects < 0.5 ? 0.5 : s->reconnects);
  if (s->is_new) s->first_byte_ms += (s->protocol == H3 ? 1 : 2) * rtt_ms;
  double audio_bits = s->audio_bytes * 8 / PAYLOAD;
  if (s->protocol == H2) {
    /* Nothing takes no time, also where the link stands still. */
    if (s->audio_bits > 0) s->first_byte_ms += transfer(s, t, s->audio_bits);
    s->audio_bits = audio_bits;
    return transfer(s, t, bits);
  }
  s->audio_bits += audio_bits;
  double beside = s->audio_bits < bits ? s->audio_bits : bits;
  s->audio_bits -= beside;
  return transfer(s, t, bits + beside);
}

static void fetch(Session *s, const Traces *t, const Videos *v, int rung) {
  int video = s->video;
  double size_bytes = v->sizes_bytes[v->size_from[video] + rung * v->columns[video] + s->segment];
  double delay_ms = deliver(s, t, (size_bytes * 8) / PAYLOAD);
  delay_ms += s->first_byte_ms;
  double left_ms = s->buffer_ms - delay_ms;
  double filled_ms = (left_ms > 0 ? left_ms : 0) + v->segment_ms[video];
  double excess_ms = filled_ms - s->cap_ms;
  s->stall_ms = left_ms < 0 ? -left_ms : 0;
  s->sleep_ms = excess_ms > 0 ? ceil(excess_ms / DRAIN_STEP_MS) * DRAIN_STEP_MS : 0;
  if (s->sleep_ms > 0) {
    double left_bits = s->audio_bits > 0 ? s->audio_bits - bits_within(s, t, s->sleep_ms) : 0;
    s->audio_bits = left_bits > 0 ? left_bits : 0;
    s->at_ms += s->sleep_ms;
    leave_finished_pieces(s, t);
  }
  s->buffer_ms = filled_ms - s->sleep_ms;
  s->delay_ms = delay_ms;
  s->rung = rung;
  s->segment += 1;
  s->done = s->segment >= v->segments[video];
  measure(s, size_bytes);
}

int session_bytes(void) { return (int)sizeof(Session); }

/*
 * Begins n sessions at `start_ms` of their traces with the first segment at `first_rung` and `buffer_ms` in the buffer
 * (0 as in every published test). `worth` is [n][MAX_RUNGS]. Latencies swing around rtt_ms by e to the power of `swing` times
 * a normal number that is a segment's own. `protocol` is one of the enum; audio and connections count where it is known.
 */
void begin(Session *all, int n, const Traces *t, const Videos *v, const int *trace, const int *video,
           const double *start_ms, const double *scale, const double *rtt_ms, const double *swing, const double *cap_ms,
           const double *worth, const int *first_segment, const int *first_rung, const double *buffer_ms,
           const int *seed, const int *protocol, const double *audio_bytes, const double *reconnects) {
  for (int k = 0; k < n; k++) {
    Session *s = all + k;
    Session fresh = {0};
    *s = fresh;
    s->trace = trace[k];
    s->video = video[k];
    s->scale = scale[k];
    s->usual_rtt_ms = rtt_ms[k];
    s->swing = swing[k];
    s->seed = seed[k];
    s->cap_ms = cap_ms[k];
    for (int r = 0; r < MAX_RUNGS; r++) s->worth[r] = worth[k * MAX_RUNGS + r];
    s->protocol = protocol[k];
    s->audio_bytes = audio_bytes[k];
    s->audio_kbps = audio_bytes[k] * 8 / v->segment_ms[video[k]];
    s->reconnects = reconnects[k];
    s->segment = first_segment[k];
    s->at_ms = start_ms[k];
    s->buffer_ms = buffer_ms[k];
    leave_finished_pieces(s, t);
    fetch(s, t, v, first_rung[k]);
  }
}

/* Fetches the next segment of each session that is not done; reward in seconds of stall, 0 for those that are. */
void step(Session *all, int n, const Traces *t, const Videos *v, const int *rung, double *reward, double *stall_ms) {
  for (int k = 0; k < n; k++) {
    Session *s = all + k;
    reward[k] = stall_ms[k] = 0;
    if (s->done) continue;
    double before = s->worth[s->rung], now = s->worth[rung[k]];
    fetch(s, t, v, rung[k]);
    stall_ms[k] = s->stall_ms;
    reward[k] = now - fabs(now - before) - s->stall_ms / 1000;
  }
}

/* The viewer goes elsewhere, and of what is in the buffer a share is left: 1 where nobody does. */
void seek(Session *all, int n, const double *share) {
  for (int k = 0; k < n; k++) all[k].buffer_ms *= share[k];
}

void buffers(const Session *all, int n, double *buffer_ms) {
  for (int k = 0; k < n; k++) buffer_ms[k] = all[k].buffer_ms;
}

void status(const Session *all, int n, int *done, int *rung) {
  for (int k = 0; k < n; k++) {
    done[k] = all[k].done;
    rung[k] = all[k].rung;
  }
}

/* The rate of each body, as the net has it but in kbit/s of all bits, and the ms that it took; two numbers each. */
void last_rates(const Session *all, int n, double *out) {
  for (int k = 0; k < n; k++, out += 2) {
    out[0] = exp(all[k].rate_ln[0]) / PAYLOAD;
    out[1] = exp(all[k].took_ln[0]);
  }
}

/* What the last request of each was: ms to the first byte, ms in all, and whether its connection was new; three numbers each. */
void requests(const Session *all, int n, double *out) {
  for (int k = 0; k < n; k++, out += 3) {
    out[0] = all[k].first_byte_ms;
    out[1] = all[k].delay_ms;
    out[2] = all[k].is_new;
  }
}
