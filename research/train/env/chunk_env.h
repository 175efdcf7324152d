/*
 * Many sessions of the chunk model at once, and what a net sees of them and of those of the player model: see chunk_env.c and
 * player_env.c. Times in ms, rates in kbit/s.
 */
#ifndef CHUNK_ENV_H
#define CHUNK_ENV_H

#define HISTORY 8
#define CONTEXT 29
#define RUNG 26
#define MAX_RUNGS 24
/* Of the net that play_on.c plays. */
#define WIDTH 64
#define NARROW 48

/* Nobody says so, as in the published tests; or what carries the session. */
enum { UNKNOWN, H1, H2, H3 };

/* All traces one after the other; trace i has the pieces from[i] to from[i + 1] (exclusive). */
typedef struct {
  const int *from;
  const double *end_ms, *rate_kbps;
} Traces;

/* All videos one after the other; video i has rungs[i] rungs of columns[i] sizes each, rung after rung, from size_from[i]. */
typedef struct {
  const int *rungs, *segments, *columns, *size_from;
  const double *sizes_bytes, *segment_ms;
  const double *bitrate_kbps; /* [video][MAX_RUNGS] */
} Videos;

typedef struct {
  /* What is played. */
  int trace, video;
  double scale, usual_rtt_ms, swing, cap_ms;
  int seed; /* of what is drawn while it is played */
  double worth[MAX_RUNGS]; /* q / mu by rung: quality in seconds of stall */
  int protocol;
  double audio_bytes, reconnects; /* a segment; share of the later requests that open a connection */
  double audio_kbps; /* of audio beside the video: from the beginning in the chunk model, once some has arrived in the player model */
  double audio_ahead_ms; /* the audio's buffer level less the video's, while audio is still to come; always 0 in the chunk model */
  int is_live; /* nobody knows how much is left */
  /* Where it stands. */
  int segment, piece, rung, done;
  double at_ms, buffer_ms, first_byte_ms, delay_ms, stall_ms, sleep_ms;
  int is_new; /* the last request's connection */
  double audio_bits; /* on their way beside the video */
  /* What was measured, newest first. */
  int downloads;
  double rate_ln[HISTORY], took_ln[HISTORY];
  double latency_ln, latency_mean, slow_mean, slow_var, fast_mean, fast_var, lowest_ln, drop_share;
} Session;

/* Weights, [inputs][outputs]. */
typedef struct {
  const float *context, *context_bias, *rung, *own, *own_bias, *mean, *last, *narrow, *narrow_bias, *score;
} Net;

void measure(Session *s, double size_bytes);
void observe(const Session *all, int n, const Traces *t, const Videos *v, int width, float *context, float *rungs);
int best_rung(const Net *net, const float *context, const float *rungs, int count);

#endif
