/* Many sessions of the chunk model at once, and what a net sees of them: see chunk_env.c. Times in ms, rates in kbit/s. */
#ifndef CHUNK_ENV_H
#define CHUNK_ENV_H

#define HISTORY 8
#define CONTEXT 26
#define RUNG 26
#define MAX_RUNGS 24
/* Of the net that play_on.c plays. */
#define WIDTH 64
#define NARROW 48

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
  int luck;
  double worth[MAX_RUNGS]; /* q / mu by rung: quality in seconds of stall */
  /* Where it stands. */
  int segment, piece, rung, done;
  double at_ms, buffer_ms, rtt_ms, delay_ms, stall_ms, sleep_ms;
  /* What was measured, newest first. */
  int downloads;
  double rate_ln[HISTORY], took_ln[HISTORY];
  double latency_ln, latency_mean, slow_mean, slow_var, fast_mean, fast_var, lowest_ln, drop_share;
} Session;

#endif
