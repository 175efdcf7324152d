/*
 * Many sessions of the player model (src/sim/player) at once. Times in ms, rates in kbit/s. What each part means is said in
 * the TypeScript; here every operation on a number is the same, in the same order, so that a session is the same to the last
 * bit.
 */
#ifndef PLAYER_ENV_H
#define PLAYER_ENV_H

#include "chunk_env.h"

#define MAX_LANES 6
#define MAX_HOLES 256
#define PACKET_BITS 12000.0
#define RTO_MIN_MS 200.0

/* Who requests: the player its files, and the two streams. Each has one request at a time. */
enum { FILES, VIDEO, AUDIO, SLOTS };
enum { MANIFEST, INDEX, INIT, MEDIA };
enum { NO_WAIT, JOIN, STALL, SEEK };

/* All traces one after the other, as in Traces; where a piece has a value below 0, and where there is none, the scene's counts. */
typedef struct {
  const int *from;
  const double *end_ms, *rate_kbps, *rtt_ms, *loss_down, *loss_up, *again_down;
} Paths;

/* What is played, and PlayerModelSettings. Below 0: there is none. The order is that of SCENE in player_env.py. */
typedef struct {
  double start_ms, scale, rtt_ms, loss_down, loss_up, again_down;
  double target_ms, target_at_top_ms, poll_ms, play_ms, live_delay_ms, timeout_ms;
  double manifest_bytes, index_bytes, init_bytes;
  double audio_segment_ms, audio_bytes, audio_init_bytes;
  double worth[MAX_RUNGS];
  int path, video, first_segment, audio_segments;
  int protocol, early_data, connections, start_rung, asks_first, caches_init;
  int has_sender, initial_packets, queue_packets, has_losses;
  unsigned loss_seed;
  int is_instrumented, is_cubic, emulated_connections, paces_tcp, has_16k_records;
} PlayerScene;

/* How the transport of a session sends: Sending of congestionWindow.ts and CubicKind of congestionAvoidance.ts. */
typedef struct {
  double packet_bits, initial_bits, queue_bits, first_bits;
  int paces, has_pacing, forgets, has_hystart, is_whole;
  double pace_slow_start, pace_after, burst_packets, together_packets;
  double ack_packets, ack_max_ms, ack_max_rtts;
  int is_cubic, counts_no_pause, is_quinn, is_friendly_slowly;
  double beta, alpha, alpha_after, max_growth;
} Sending;

/* CongestionWindow, with the state of CubicAvoidance. */
typedef struct {
  double left_bits, round_ends_ms, bits, threshold_bits, round_bits, rested_ms, recovery_ms;
  double since_ms, max_packets, origin_packets, k_seconds, prior_packets, friendly_packets, lowest_packets;
  int has_lost, has_begun;
} Window;

typedef struct {
  double first, again;
} Loss;

/* LossRecovery but for its holes, which are the session's. */
typedef struct {
  double gap_bits, delivered_ms, served_bits, known_bits;
  Loss loss;
  int time_outs, has_delivered;
} Recovery;

typedef struct {
  double bits, lost_at_ms, later_bits, due_ms;
  int lane, slot, is_first, is_reported;
} Hole;

/* A connection, which is a lane. */
typedef struct {
  Window window;
  Recovery recovery;
  double ready_ms;
  int load, transfer_count, transfers[SLOTS];
} Lane;

/* A request, and its body once that is under way. */
typedef struct {
  double size_bytes, start_ms, request_start_ms, answer_ms, first_byte_ms;
  double bits, left_bits, lost_bits;
  int type, segment, rung, lane, is_new, has_request, has_answer, has_first_byte, is_sent;
} Fetch;

/* Stream of stream.ts. */
typedef struct {
  double look_ms, ends_ms;
  double again_ms; /* INFINITY while nothing waits to be requested again */
  double trouble_ms, round_wait_ms;
  int next, segments, rung, initialised, is_fetching, attempt, has_trouble;
  unsigned cached;
} Stream;

typedef struct {
  Session seen; /* what a net sees of it */
  PlayerScene set;
  Sending sending;
  /* fetches.ts, connections.ts */
  Fetch fetches[SLOTS];
  int running[SLOTS], running_count, lane_count, open[MAX_LANES];
  Lane lanes[MAX_LANES];
  /* sharedLink.ts */
  int active[MAX_LANES], active_count, piece;
  double piece_ends_ms;
  unsigned random;
  /* stream.ts, playback.ts, playerModel.ts */
  Stream video, audio;
  int is_open, is_asked, failed, gave_up, last_rung, shown, on_screen, wait, has_started, has_ended, stalls, audio_downloads;
  double now_ms, wait_at_ms, started_ms, playhead_ms, first_wait_ms, waits_ms, last_arrival_ms, audio_last_ms;
  double requested_ms[3]; /* of the last video segment: request, first byte, last byte */
  int hole_count;
  Hole holes[MAX_HOLES];
} PlayerSession;

/* player_path.c: what createSharedLink and createConnections make. */
void set_sending(PlayerSession *s);
void start_path(PlayerSession *s, const Paths *p);
int take_lane(PlayerSession *s, const Paths *p, int *is_new);
void leave_lane(PlayerSession *s, int lane, int is_aborted);
double request_delay_ms(PlayerSession *s, const Paths *p, double rtt_ms);
double rtt_of(const PlayerSession *s, const Paths *p);
void start_transfer(PlayerSession *s, const Paths *p, int slot);
void stop_transfer(PlayerSession *s, int slot);
int is_served(const PlayerSession *s, const Paths *p, int slot);
int is_done(const PlayerSession *s, const Paths *p, int slot);
double next_of_path_ms(PlayerSession *s, const Paths *p);
void advance_path(PlayerSession *s, const Paths *p, double at_ms);

#endif
