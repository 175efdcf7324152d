/*
 * The path of a session: congestionWindow.ts, congestionAvoidance.ts, lossRecovery.ts, exchanges.ts, connections.ts, lane.ts
 * and sharedLink.ts of src/sim/player, where everything is explained. Not here: limits of UDP, and a second pathway.
 */
#include <math.h>

#include "player_env.h"

#define MIN_PACKETS 2
#define NOTHING_BITS 1e-3
#define NANOSECOND 1e-6
#define CUBIC_C 0.4
#define CUBIC_BETA 0.7
#define CUBIC_PARTS 4
#define DUPLICATES 3
#define QUIC_ACK_DELAY_MS 26.0
#define MAX_TIMER_MS 120000.0
#define MAX_REPEATS 6
#define RECORD_BYTES 16384.0

/* The path as it is now, for one connection. */
typedef struct {
  double now_ms, rtt_ms, rate_kbps, shared_kbps, others_bits;
  int is_shared;
} PathNow;

/* A stretch of time in which a connection is served at one rate. */
typedef struct {
  double from_ms, until_ms, rtt_ms;
} Stretch;

static double min2(double a, double b) { return a < b ? a : b; }

static double max2(double a, double b) { return a > b ? a : b; }

/* seededRandom of src/shared/random.ts. */
static double next_random(PlayerSession *s) {
  unsigned state = s->random += 0x6d2b79f5u;
  unsigned mixed = (state ^ state >> 15) * (state | 1u);
  mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61u);
  return (mixed ^ mixed >> 14) / 4294967296.0;
}

static int is_quic(const PlayerSession *s) { return s->set.protocol == H3; }

static int recovers(const PlayerSession *s) { return s->set.has_sender && s->set.has_losses; }

/* ---- the place in the trace ---- */

static double of_piece(const double *values, const PlayerSession *s, const Paths *p, double otherwise) {
  if (!values) return otherwise;
  double value = values[p->from[s->set.path] + s->piece];
  return value < 0 ? otherwise : value;
}

double rtt_of(const PlayerSession *s, const Paths *p) { return of_piece(p->rtt_ms, s, p, s->set.rtt_ms); }

static double rate_of(const PlayerSession *s, const Paths *p) {
  return p->rate_kbps[p->from[s->set.path] + s->piece] * s->set.scale;
}

static double nothing_bits(const PlayerSession *s, const Paths *p) {
  return max2(NOTHING_BITS, rate_of(s, p) * NANOSECOND);
}

static double loss_share(const PlayerSession *s, const Paths *p, int is_down) {
  return is_down ? of_piece(p->loss_down, s, p, s->set.loss_down) : of_piece(p->loss_up, s, p, s->set.loss_up);
}

static Loss loss_of(const PlayerSession *s, const Paths *p) {
  double share = loss_share(s, p, 1), again = of_piece(p->again_down, s, p, s->set.again_down);
  Loss loss = {share, -1};
  if (again < 0 || share >= 1) return loss;
  loss.first = (share * (1 - again)) / (1 - share);
  loss.again = again;
  return loss;
}

static void go_on(const PlayerSession *s, const Paths *p, int *piece, double *ends_ms) {
  const double *end_ms = p->end_ms + p->from[s->set.path];
  int last = *piece == p->from[s->set.path + 1] - p->from[s->set.path] - 1;
  double begins_ms = last ? 0 : end_ms[*piece];
  *piece = last ? 0 : *piece + 1;
  *ends_ms += end_ms[*piece] - begins_ms;
}

void start_path(PlayerSession *s, const Paths *p) {
  s->random = s->set.loss_seed;
  s->piece = 0;
  s->piece_ends_ms = p->end_ms[p->from[s->set.path]] - s->set.start_ms;
  while (s->piece_ends_ms <= 0) go_on(s, p, &s->piece, &s->piece_ends_ms);
}

/* ---- how a transport sends ---- */

static void set_cubic(Sending *g, double emulated, int quic) {
  double n = emulated;
  g->is_cubic = 1;
  g->beta = CUBIC_BETA;
  g->alpha = g->alpha_after = (3 * (1 - CUBIC_BETA)) / (1 + CUBIC_BETA);
  g->max_growth = 1.5;
  g->counts_no_pause = g->is_friendly_slowly = 1;
  if (!quic) return;
  g->is_friendly_slowly = 0;
  if (n > 0) {
    g->beta = (n - 1 + CUBIC_BETA) / n;
    g->alpha = (3 * (n * n) * (1 - g->beta)) / (1 + g->beta);
    g->alpha_after = n;
    return;
  }
  g->max_growth = 2;
  g->counts_no_pause = 0;
  g->is_quinn = 1;
}

static void set_pacing(Sending *g, double slow_start, double after, double burst, double together) {
  g->paces = g->has_pacing = 1;
  g->pace_slow_start = slow_start;
  g->pace_after = after;
  g->burst_packets = burst;
  g->together_packets = together;
}

void set_sending(PlayerSession *s) {
  Sending *g = &s->sending;
  const PlayerScene *set = &s->set;
  int quic = is_quic(s);
  g->packet_bits = PACKET_BITS;
  g->initial_bits = set->initial_packets * PACKET_BITS;
  g->queue_bits = set->queue_packets * PACKET_BITS;
  g->is_whole = set->has_losses;
  g->forgets = 1;
  g->ack_packets = quic ? 10 : 2;
  g->ack_max_ms = quic ? 25 : 40;
  g->ack_max_rtts = quic ? 0.25 : INFINITY;
  if (!set->has_sender) return;
  if (!set->is_instrumented) {
    g->beta = quic ? 0.7 : 0.5;
    g->paces = quic;
    return;
  }
  g->beta = 0.5;
  if (set->is_cubic) set_cubic(g, set->emulated_connections, quic);
  if (quic) {
    g->packet_bits = (1452 + 28) * 8;
    g->initial_bits = set->initial_packets * ((1200 + 28) * 8.0);
    g->forgets = 0;
    set_pacing(g, 1.25, 1.25, 10, 1);
    return;
  }
  g->has_hystart = set->is_cubic;
  if (set->paces_tcp) set_pacing(g, 2, 1.2, 0, 2);
  if (set->has_16k_records) g->first_bits = RECORD_BYTES * 8;
}

/* ---- CubicAvoidance and Reno ---- */

/* cubeRoot of src/shared/exactMath. */
static double cube_root(double x) {
  double scale = 1;
  if (!(x > 0)) return 0;
  for (; x >= 8; x /= 8) scale *= 2;
  for (; x < 1; x *= 8) scale /= 2;
  double root = 1 + (x - 1) / 7;
  for (int step = 0; step < 6; step++) root -= (root * root * root - x) / (3 * root * root);
  return root * scale;
}

static void begin_curve(Window *w, double at_ms, double origin, double lowest, double prior) {
  w->has_begun = 1;
  w->since_ms = at_ms;
  w->origin_packets = origin;
  w->k_seconds = cube_root((origin - lowest) / CUBIC_C);
  w->friendly_packets = w->lowest_packets = lowest;
  w->prior_packets = prior;
}

static void note_loss(const Sending *g, Window *w, double prior_bits, double left_bits, double now_ms, double rtt_ms) {
  if (!g->is_cubic) return;
  double prior = prior_bits / g->packet_bits, left = left_bits / g->packet_bits;
  double max = prior < w->max_packets ? (prior * (1 + g->beta)) / 2 : prior;
  double lowest = g->is_quinn ? max * g->beta : left;
  w->max_packets = max;
  begin_curve(w, g->is_quinn ? now_ms : now_ms + rtt_ms, max2(max, lowest), lowest, prior);
}

static double grown_part(const Sending *g, Window *w, double packets, double now_ms, double rtt_ms, double share) {
  double seconds = (now_ms + rtt_ms - w->since_ms) / 1000;
  double since = seconds - w->k_seconds, curve = CUBIC_C * (since * since * since) + w->origin_packets;
  if (g->is_quinn) w->friendly_packets = w->lowest_packets + (g->alpha * 1000 * (seconds - rtt_ms / 1000)) / rtt_ms;
  else w->friendly_packets += share * (w->friendly_packets < w->prior_packets ? g->alpha : g->alpha_after);
  if (curve < w->friendly_packets && !g->is_friendly_slowly) return max2(packets, w->friendly_packets);
  double target = max2(max2(min2(curve, packets * g->max_growth), w->friendly_packets), packets);
  return packets + (target - packets) * share;
}

static double grown_bits(const Sending *g, Window *w, const PathNow *path, double share) {
  if (!g->is_cubic) return w->bits + g->packet_bits * share;
  double packets = w->bits / g->packet_bits;
  if (!w->has_begun) begin_curve(w, path->now_ms, packets, packets, packets);
  for (int part = 0; part < CUBIC_PARTS; part++)
    packets = grown_part(g, w, packets, path->now_ms + (part * path->rtt_ms) / CUBIC_PARTS, path->rtt_ms,
                         share / CUBIC_PARTS);
  return packets * g->packet_bits;
}

/* ---- CongestionWindow ---- */

static double packet_ms(const PathNow *path, double bits) {
  double kbps = path->is_shared ? path->shared_kbps : path->rate_kbps;
  return kbps > 0 ? bits / kbps : 0;
}

static double pace_kbps(const Sending *g, const Window *w, double rtt_ms) {
  if (!g->has_pacing || rtt_ms <= 0) return INFINITY;
  double ratio = w->bits < w->threshold_bits / 2 ? g->pace_slow_start : g->pace_after;
  return (ratio * w->bits) / rtt_ms;
}

static double burst_left_bits(const Sending *g, const Window *w) {
  double burst_bits = (g->has_pacing ? g->burst_packets : 0) * g->packet_bits;
  return max2(0, burst_bits - (w->round_bits - w->left_bits));
}

static double ack_delay_ms(const Sending *g, const Window *w, const PathNow *path) {
  if (w->bits < w->threshold_bits) return 0;
  double arrived_ms = (g->ack_packets - 1) * packet_ms(path, g->packet_bits);
  double together = g->has_pacing ? g->together_packets : g->ack_packets;
  double paced_ms = ((g->ack_packets - together) * g->packet_bits) / pace_kbps(g, w, path->rtt_ms);
  return min2(min2(g->ack_max_ms, g->ack_max_rtts * path->rtt_ms), max2(arrived_ms, paced_ms));
}

static void begin_round(const Sending *g, Window *w, const PathNow *path, double bits, double ack_ms) {
  double whole_bits = floor(bits / g->packet_bits + 1e-9) * g->packet_bits;
  w->left_bits = w->round_bits = g->is_whole ? whole_bits : bits;
  w->round_ends_ms = path->now_ms + path->rtt_ms + packet_ms(path, min2(g->packet_bits, bits)) + ack_ms;
}

static double max_in_flight_bits(const Sending *g, const PathNow *path) {
  if (!path->is_shared) return path->rate_kbps * path->rtt_ms + g->queue_bits;
  return max2(PACKET_BITS, path->shared_kbps * path->rtt_ms + g->queue_bits - path->others_bits);
}

static void lower_window(const Sending *g, Window *w, double in_flight_bits, const PathNow *path) {
  w->bits = w->threshold_bits = max2(MIN_PACKETS * g->packet_bits, g->beta * in_flight_bits);
  note_loss(g, w, in_flight_bits, w->bits, path->now_ms, path->rtt_ms);
}

static void forget_window(const Sending *g, Window *w, double paused_ms, double time_out_ms) {
  double halvings = floor(paused_ms / time_out_ms), min = min2(w->bits, g->initial_bits);
  if (halvings > 0) w->bits = max2(min, w->bits / ldexp(1, (int)min2(halvings, 30)));
}

/* Whether a round begins with it. */
static int wake_window(const Sending *g, Window *w, const PathNow *path, double data_bits) {
  double paused_ms = path->now_ms - w->rested_ms;
  if (g->counts_no_pause && w->has_begun) w->since_ms += paused_ms;
  if (path->now_ms < w->round_ends_ms) return 0;
  if (g->forgets) forget_window(g, w, paused_ms, path->rtt_ms + RTO_MIN_MS);
  begin_round(g, w, path, w->bits, ack_delay_ms(g, w, path));
  double sent_bits = min2(w->bits, data_bits);
  int is_too_much = !g->paces && sent_bits > g->queue_bits + PACKET_BITS;
  if (is_too_much) w->left_bits = g->queue_bits + PACKET_BITS;
  if (is_too_much || (path->is_shared && sent_bits > max_in_flight_bits(g, path))) {
    lower_window(g, w, w->bits, path);
    w->has_lost = 1;
  }
  return 1;
}

static int is_queueing(const Window *w, const PathNow *path) {
  double threshold_ms = min2(16, max2(4, path->rtt_ms / 8));
  return w->bits >= 16 * PACKET_BITS && w->bits > path->rate_kbps * (path->rtt_ms + threshold_ms);
}

static void grow_window(const Sending *g, Window *w, const PathNow *path, double share) {
  if (g->has_hystart && is_queueing(w, path)) w->threshold_bits = min2(w->threshold_bits, w->bits);
  if (w->bits < w->threshold_bits) w->bits = min2((1 + share) * w->bits, w->threshold_bits);
  else w->bits = grown_bits(g, w, path, share);
}

static void turn_window(const Sending *g, Window *w, const PathNow *path, double share, double lost_bits) {
  double max_bits = max_in_flight_bits(g, path);
  if (w->has_lost) w->has_lost = 0;
  else if (w->bits > max_bits) lower_window(g, w, max_bits, path);
  else grow_window(g, w, path, share);
  double ack_ms = lost_bits > 0 ? 0 : ack_delay_ms(g, w, path);
  begin_round(g, w, path, max2(0, w->bits - lost_bits), ack_ms);
}

static void allow_bits(Window *w, double bits) {
  w->left_bits += bits;
  w->round_bits += bits;
}

static void detect_loss(const Sending *g, Window *w, double lost_at_ms, const PathNow *path) {
  if (lost_at_ms < w->recovery_ms) return;
  w->recovery_ms = path->now_ms;
  double prior_bits = w->bits;
  lower_window(g, w, prior_bits, path);
  allow_bits(w, w->left_bits * min2(1, w->bits / prior_bits) - w->left_bits);
}

/* Whether a round begins with it. */
static int repeat_bits(const Sending *g, Window *w, double bits, const PathNow *path) {
  int is_new_round = w->left_bits < 1 && w->round_ends_ms <= path->now_ms;
  if (is_new_round) begin_round(g, w, path, bits, 0);
  else allow_bits(w, bits);
  return is_new_round;
}

/* ---- LossRecovery ---- */

static double timer_ms(int quic, double rtt_ms, int time_outs) {
  double rto_ms = rtt_ms + RTO_MIN_MS;
  if (!quic && time_outs == 0) return min2(2 * rtt_ms, rto_ms);
  double ms = quic ? (rtt_ms + QUIC_ACK_DELAY_MS) * ldexp(1, time_outs) : rto_ms * ldexp(1, time_outs - 1);
  return min2(ms, MAX_TIMER_MS);
}

static void draw_gap(PlayerSession *s, Recovery *r) {
  double share = r->loss.first;
  double drawn = floor(log(1 - next_random(s)) / log(1 - share));
  r->gap_bits = share > 0 ? s->sending.packet_bits * (1 + (share < 1 ? drawn : 0)) : INFINITY;
}

static double until_loss_bits(PlayerSession *s, Recovery *r, Loss loss) {
  if (loss.first != r->loss.first || loss.again != r->loss.again) {
    r->loss = loss;
    draw_gap(s, r);
  }
  return r->gap_bits;
}

static double due_ms(const PlayerSession *s, int lane) {
  double min = INFINITY;
  for (int i = 0; i < s->hole_count; i++)
    if (s->holes[i].lane == lane) min = min2(min, s->holes[i].due_ms);
  return min;
}

static int has_holes(const PlayerSession *s, int lane) {
  for (int i = 0; i < s->hole_count; i++)
    if (s->holes[i].lane == lane) return 1;
  return 0;
}

static double end_recovery_round(Recovery *r) {
  double served_bits = r->served_bits, known_bits = r->known_bits;
  r->served_bits = r->known_bits = 0;
  r->has_delivered = 0;
  return served_bits > 0 ? known_bits / served_bits : 1;
}

/* When so many packets after a hole have arrived; below 0: not in this stretch. */
static double arrival_ms(const Hole *hole, double packets, double packet_bits, double bits, Stretch in) {
  double missing_bits = packets * packet_bits - hole->later_bits;
  if (!(missing_bits > 0 && missing_bits <= bits + 1e-6)) return -1;
  return in.from_ms + ((in.until_ms - in.from_ms) * missing_bits) / bits;
}

static void note_arrival(PlayerSession *s, int lane, double bits, Stretch in) {
  Recovery *r = &s->lanes[lane].recovery;
  double reordering = is_quic(s) ? 1.125 : 1.25, packet_bits = s->sending.packet_bits;
  r->time_outs = 0;
  r->has_delivered = 1;
  r->delivered_ms = in.until_ms;
  for (int i = 0; i < s->hole_count; i++) {
    Hole *hole = s->holes + i;
    if (hole->lane != lane) continue;
    double first_ms = arrival_ms(hole, 1, packet_bits, bits, in);
    double third_ms = arrival_ms(hole, DUPLICATES, packet_bits, bits, in);
    if (first_ms >= 0 && !hole->is_reported) {
      hole->due_ms = max2(first_ms + in.rtt_ms, hole->lost_at_ms + reordering * in.rtt_ms);
      hole->is_reported = 1;
    }
    if (third_ms >= 0) hole->due_ms = min2(hole->due_ms, third_ms + in.rtt_ms);
    hole->later_bits += bits;
  }
}

static void note_served(PlayerSession *s, int lane, double bits, Stretch in) {
  Recovery *r = &s->lanes[lane].recovery;
  double arrived_bits = min2(max2(r->gap_bits - s->sending.packet_bits, 0), bits);
  r->gap_bits -= bits;
  r->served_bits += bits;
  if (!has_holes(s, lane)) r->known_bits += bits;
  if (arrived_bits <= 0) return;
  double ms_per_bit = (in.until_ms - in.from_ms) / bits;
  in.until_ms = in.from_ms + arrived_bits * ms_per_bit;
  note_arrival(s, lane, arrived_bits, in);
}

/* Whether the last packet of a body is lost. */
static int end_body(PlayerSession *s, int lane, Stretch in) {
  Recovery *r = &s->lanes[lane].recovery;
  double packet_bits = s->sending.packet_bits, packets = floor(r->gap_bits / packet_bits + 1e-9);
  double rest_bits = r->gap_bits == INFINITY ? 0 : r->gap_bits - packets * packet_bits;
  if (rest_bits > 0) r->gap_bits = packets * packet_bits;
  if (packets == 0) return 1;
  in.from_ms = in.until_ms;
  if (rest_bits > 0) note_arrival(s, lane, rest_bits, in);
  return 0;
}

static void draw_after_loss(PlayerSession *s, Recovery *r) {
  double again = r->loss.again;
  int is_again = again >= 0 && next_random(s) < again;
  if (is_again) r->gap_bits = s->sending.packet_bits;
  else draw_gap(s, r);
  if (again >= 0 && !is_again) r->gap_bits += s->sending.packet_bits;
}

static void lose_packet(PlayerSession *s, int lane, int slot, Stretch in) {
  Recovery *r = &s->lanes[lane].recovery;
  Fetch *f = s->fetches + slot;
  draw_after_loss(s, r);
  double sent_bits = f->bits - f->left_bits - f->lost_bits;
  double bits = min2(s->sending.packet_bits, sent_bits);
  if (bits <= 0) return;
  f->lost_bits += bits;
  double now_ms = in.until_ms, first_bits = max2(s->sending.packet_bits, s->sending.first_bits);
  double timer_from_ms = is_quic(s) ? now_ms : max2(now_ms, r->delivered_ms + in.rtt_ms);
  if (s->hole_count == MAX_HOLES) {
    s->failed = 1;
    return;
  }
  double due = timer_from_ms + timer_ms(is_quic(s), in.rtt_ms, r->time_outs);
  Hole hole = {bits, now_ms, 0, due, lane, slot, sent_bits <= first_bits, 0};
  s->holes[s->hole_count++] = hole;
}

static void remove_hole(PlayerSession *s, int at) {
  for (int i = at + 1; i < s->hole_count; i++) s->holes[i - 1] = s->holes[i];
  s->hole_count -= 1;
}

static void time_out(PlayerSession *s, int lane, const PathNow *path) {
  Recovery *r = &s->lanes[lane].recovery;
  r->time_outs += 1;
  double due = path->now_ms + timer_ms(is_quic(s), path->rtt_ms, r->time_outs);
  for (int i = 0; i < s->hole_count; i++) {
    Hole *hole = s->holes + i;
    if (hole->lane == lane && !hole->is_reported) hole->due_ms = max2(hole->due_ms, due);
  }
}

/* ---- lanes ---- */

static int find_served(const PlayerSession *s, const Lane *l, double nothing, int *slots) {
  int count = 0, lossy = recovers(s);
  for (int i = 0; i < l->transfer_count; i++) {
    if (lossy && !(s->fetches[l->transfers[i]].left_bits > nothing)) continue;
    slots[count++] = l->transfers[i];
    if (!is_quic(s)) break;
  }
  return count;
}

static int may_go(const PlayerSession *s, const Lane *l, double nothing) {
  int slots[SLOTS];
  return (!s->set.has_sender || l->window.left_bits > nothing) && find_served(s, l, nothing, slots) > 0;
}

static double turn_ms(const PlayerSession *s, int lane, double nothing) {
  const Lane *l = s->lanes + lane;
  int slots[SLOTS];
  if (!s->set.has_sender || l->window.left_bits > nothing) return INFINITY;
  if (recovers(s) && !l->recovery.has_delivered && has_holes(s, lane)) return INFINITY;
  return find_served(s, l, nothing, slots) > 0 ? l->window.round_ends_ms : INFINITY;
}

static int is_done_at(const PlayerSession *s, const Lane *l, int at, double nothing) {
  const Fetch *f = s->fetches + l->transfers[at];
  if (f->left_bits > nothing) return 0;
  if (!recovers(s)) return 1;
  return f->lost_bits <= nothing && (is_quic(s) || at == 0 || is_done_at(s, l, at - 1, nothing));
}

static int place_of_slot(const Lane *l, int slot) {
  int at = 0;
  while (l->transfers[at] != slot) at++;
  return at;
}

int is_done(const PlayerSession *s, const Paths *p, int slot) {
  const Lane *l = s->lanes + s->fetches[slot].lane;
  return is_done_at(s, l, place_of_slot(l, slot), nothing_bits(s, p));
}

static double first_left_bits(const PlayerSession *s, const Fetch *f) {
  return min2(s->sending.first_bits, f->bits) - (f->bits - f->left_bits - f->lost_bits);
}

static int lacks_first(const PlayerSession *s, const Lane *l, int slot) {
  const Fetch *f = s->fetches + slot;
  if (f->left_bits == f->bits && l->recovery.gap_bits <= s->sending.packet_bits) return 1;
  for (int i = 0; i < s->hole_count; i++)
    if (s->holes[i].is_first && s->holes[i].slot == slot) return 1;
  return 0;
}

int is_served(const PlayerSession *s, const Paths *p, int slot) {
  const Lane *l = s->lanes + s->fetches[slot].lane;
  double nothing = nothing_bits(s, p);
  int slots[SLOTS], at = place_of_slot(l, slot);
  if (first_left_bits(s, s->fetches + slot) > nothing) return 0;
  if (!recovers(s)) {
    int count = find_served(s, l, nothing, slots);
    for (int i = 0; i < count; i++)
      if (slots[i] == slot) return 1;
    return 0;
  }
  if (!is_quic(s) && at > 0 && !is_done_at(s, l, at - 1, nothing)) return 0;
  return !lacks_first(s, l, slot);
}

static double until_change_bits(PlayerSession *s, Lane *l, Loss loss, double nothing) {
  int slots[SLOTS], count = find_served(s, l, nothing, slots);
  double body_bits = INFINITY, record_bits = INFINITY;
  for (int i = 0; i < count; i++) {
    const Fetch *f = s->fetches + slots[i];
    double first_bits = first_left_bits(s, f);
    body_bits = min2(body_bits, f->left_bits);
    if (first_bits > nothing) record_bits = min2(record_bits, first_bits);
  }
  double bits = min2(count * body_bits, count * record_bits);
  if (!s->set.has_sender) return bits;
  bits = min2(bits, l->window.left_bits);
  if (recovers(s)) bits = min2(bits, until_loss_bits(s, &l->recovery, loss));
  double burst_bits = s->sending.has_pacing ? burst_left_bits(&s->sending, &l->window) : 0;
  return burst_bits > nothing ? min2(bits, burst_bits) : bits;
}

static double max_kbps(const PlayerSession *s, const Lane *l, double rtt_ms, double nothing) {
  if (!s->sending.has_pacing || burst_left_bits(&s->sending, &l->window) > nothing) return INFINITY;
  return pace_kbps(&s->sending, &l->window, rtt_ms);
}

static void serve(PlayerSession *s, int lane, double bits, Stretch in, Loss loss, double nothing) {
  Lane *l = s->lanes + lane;
  int slots[SLOTS], count = find_served(s, l, nothing, slots);
  for (int i = 0; i < count; i++) s->fetches[slots[i]].left_bits -= bits / count;
  if (s->set.has_sender) l->window.left_bits -= bits;
  if (!recovers(s) || count == 0) return;
  until_loss_bits(s, &l->recovery, loss);
  note_served(s, lane, bits, in);
  for (int i = 0; i < count; i++)
    if (s->fetches[slots[i]].left_bits <= nothing && end_body(s, lane, in)) lose_packet(s, lane, slots[i], in);
  if (until_loss_bits(s, &l->recovery, loss) <= nothing) {
    int at = count > 1 ? (int)floor(next_random(s) * count) : 0;
    lose_packet(s, lane, slots[at], in);
  }
}

/* ---- TraceLink ---- */

static PathNow path_of(const PlayerSession *s, const Paths *p, int lane) {
  double kbps = rate_of(s, p);
  PathNow path = {s->now_ms, rtt_of(s, p), kbps / s->active_count, 0, 0, 0};
  if (lane < 0 || s->active_count < 2) return path;
  path.is_shared = 1;
  path.shared_kbps = kbps;
  for (int i = 0; i < s->active_count; i++)
    if (s->active[i] != lane && s->set.has_sender) path.others_bits += s->lanes[s->active[i]].window.bits;
  return path;
}

static int find_going(const PlayerSession *s, const Paths *p, int *going) {
  double nothing = nothing_bits(s, p);
  int count = 0;
  for (int i = 0; i < s->active_count; i++)
    if (may_go(s, s->lanes + s->active[i], nothing)) going[count++] = s->active[i];
  return count;
}

static void find_speeds(const PlayerSession *s, const Paths *p, const int *going, int count, double ms, double *speeds) {
  double rate = rate_of(s, p), rtt_ms = rtt_of(s, p), nothing = nothing_bits(s, p), limits[MAX_LANES];
  int order[MAX_LANES], all_free = 1;
  for (int i = 0; i < count; i++) {
    limits[i] = max_kbps(s, s->lanes + going[i], rtt_ms, nothing);
    speeds[i] = (ms * rate) / count;
    if (!(limits[i] * count >= rate)) all_free = 0;
  }
  if (all_free) return;
  for (int i = 0; i < count; i++) {
    int at = i;
    for (; at > 0 && limits[order[at - 1]] > limits[i]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
  double left_kbps = rate;
  for (int i = 0, lanes = count; i < count; i++, lanes--) {
    double kbps = min2(limits[order[i]], left_kbps / lanes);
    speeds[order[i]] = ms * kbps;
    left_kbps -= kbps;
  }
}

static double when_served(const PlayerSession *s, const Paths *p, double bits) {
  const double *rate_kbps = p->rate_kbps + p->from[s->set.path];
  int piece = s->piece;
  double ends_ms = s->piece_ends_ms, at_ms = s->now_ms;
  for (;;) {
    double rate = rate_kbps[piece] * s->set.scale, piece_bits = (ends_ms - at_ms) * rate;
    if (rate > 0 && piece_bits >= bits) return at_ms + bits / rate;
    bits -= piece_bits;
    at_ms = ends_ms;
    go_on(s, p, &piece, &ends_ms);
  }
}

static double served_ms(PlayerSession *s, const Paths *p) {
  int going[MAX_LANES], count = find_going(s, p, going);
  double bits[MAX_LANES], speeds[MAX_LANES], min_bits = INFINITY, min_ms = INFINITY;
  if (count == 0) return INFINITY;
  Loss loss = loss_of(s, p);
  double nothing = nothing_bits(s, p);
  for (int i = 0; i < count; i++) {
    bits[i] = until_change_bits(s, s->lanes + going[i], loss, nothing);
    min_bits = min2(min_bits, bits[i]);
  }
  if (!recovers(s) && !s->sending.has_pacing) return when_served(s, p, min_bits * count);
  find_speeds(s, p, going, count, 1, speeds);
  for (int i = 0; i < count; i++)
    if (speeds[i] > 0) min_ms = min2(min_ms, bits[i] / speeds[i]);
  return min2(s->now_ms + min_ms, s->piece_ends_ms);
}

double next_of_path_ms(PlayerSession *s, const Paths *p) {
  double next_ms = INFINITY, nothing = nothing_bits(s, p);
  int lossy = recovers(s), slots[SLOTS];
  for (int i = 0; i < s->active_count; i++) {
    int lane = s->active[i];
    const Lane *l = s->lanes + lane;
    int count = lossy ? l->transfer_count : find_served(s, l, nothing, slots);
    for (int at = 0; at < count; at++)
      if (is_done_at(s, l, at, nothing)) return s->now_ms;
    next_ms = min2(next_ms, turn_ms(s, lane, nothing));
    if (lossy) next_ms = min2(next_ms, due_ms(s, lane));
  }
  return min2(max2(s->now_ms, next_ms), served_ms(s, p));
}

static void repair(PlayerSession *s, int lane, const PathNow *path) {
  Lane *l = s->lanes + lane;
  const Sending *g = &s->sending;
  if (!recovers(s) || due_ms(s, lane) > path->now_ms) return;
  Hole repairs[MAX_HOLES];
  int time_outs[MAX_HOLES], count = 0;
  for (int i = 0; i < s->hole_count;) {
    Hole hole = s->holes[i];
    if (hole.lane != lane || hole.due_ms > path->now_ms) {
      i++;
      continue;
    }
    remove_hole(s, i);
    s->fetches[hole.slot].lost_bits -= hole.bits;
    if (!hole.is_reported) time_out(s, lane, path);
    time_outs[count] = hole.is_reported ? 0 : l->recovery.time_outs;
    repairs[count++] = hole;
  }
  for (int i = 0; i < count; i++) {
    s->fetches[repairs[i].slot].left_bits += repairs[i].bits;
    detect_loss(g, &l->window, repairs[i].lost_at_ms, path);
    if (time_outs[i] > (is_quic(s) ? 2 : 1)) {
      l->window.bits = (is_quic(s) ? 2 : 1) * g->packet_bits;
      allow_bits(&l->window, -l->window.left_bits);
    }
    if (repeat_bits(g, &l->window, repairs[i].bits, path)) end_recovery_round(&l->recovery);
  }
}

static double lost_bits(const PlayerSession *s, int lane) {
  double sum = 0;
  for (int i = 0; i < s->hole_count; i++)
    if (s->holes[i].lane == lane) sum += s->holes[i].bits;
  return sum;
}

static void turn_lane(PlayerSession *s, int lane, const PathNow *path, double nothing) {
  Lane *l = s->lanes + lane;
  if (!s->set.has_sender || turn_ms(s, lane, nothing) > path->now_ms) return;
  if (!recovers(s)) {
    turn_window(&s->sending, &l->window, path, 1, 0);
    return;
  }
  double share = end_recovery_round(&l->recovery);
  turn_window(&s->sending, &l->window, path, share, lost_bits(s, lane));
}

void advance_path(PlayerSession *s, const Paths *p, double at_ms) {
  int going[MAX_LANES], count = find_going(s, p, going);
  double speeds[MAX_LANES];
  while (s->now_ms < at_ms) {
    double until_ms = min2(at_ms, s->piece_ends_ms);
    Stretch in = {s->now_ms, until_ms, rtt_of(s, p)};
    find_speeds(s, p, going, count, until_ms - s->now_ms, speeds);
    Loss loss = loss_of(s, p);
    double nothing = nothing_bits(s, p);
    for (int i = 0; i < count; i++) serve(s, going[i], speeds[i], in, loss, nothing);
    s->now_ms = until_ms;
    while (s->now_ms >= s->piece_ends_ms) go_on(s, p, &s->piece, &s->piece_ends_ms);
  }
  if (!s->set.has_sender) return;
  double nothing = nothing_bits(s, p);
  for (int i = 0; i < s->active_count; i++) {
    int lane = s->active[i];
    PathNow path = path_of(s, p, lane);
    repair(s, lane, &path);
    turn_lane(s, lane, &path, nothing);
  }
}

void start_transfer(PlayerSession *s, const Paths *p, int slot) {
  Fetch *f = s->fetches + slot;
  Lane *l = s->lanes + f->lane;
  int is_active = 0;
  for (int i = 0; i < s->active_count; i++) is_active |= s->active[i] == f->lane;
  if (!is_active) s->active[s->active_count++] = f->lane;
  if (l->transfer_count == 0 && s->set.has_sender) {
    PathNow path = path_of(s, p, f->lane);
    if (wake_window(&s->sending, &l->window, &path, f->bits) && recovers(s)) end_recovery_round(&l->recovery);
  }
  l->transfers[l->transfer_count++] = slot;
  f->is_sent = 1;
}

void stop_transfer(PlayerSession *s, int slot) {
  int lane = s->fetches[slot].lane, at = 0;
  Lane *l = s->lanes + lane;
  for (at = place_of_slot(l, slot); at + 1 < l->transfer_count; at++) l->transfers[at] = l->transfers[at + 1];
  l->transfer_count -= 1;
  for (int i = 0; i < s->hole_count;)
    if (s->holes[i].slot == slot) remove_hole(s, i);
    else i++;
  if (l->transfer_count > 0) return;
  for (at = 0; s->active[at] != lane;) at++;
  for (; at + 1 < s->active_count; at++) s->active[at] = s->active[at + 1];
  s->active_count -= 1;
  l->window.rested_ms = s->now_ms;
}

/* ---- connections.ts and exchanges.ts ---- */

static int is_lost(PlayerSession *s, const Paths *p, int is_down) {
  if (!recovers(s)) return 0;
  double share = loss_share(s, p, is_down);
  return share > 0 && next_random(s) < share;
}

static int is_exchange_lost(PlayerSession *s, const Paths *p, int answers) {
  int lost = is_lost(s, p, 0);
  for (int i = 0; i < answers; i++) lost |= is_lost(s, p, 1);
  return lost;
}

double request_delay_ms(PlayerSession *s, const Paths *p, double rtt_ms) {
  int fired = is_quic(s) ? 0 : 1;
  double ms = 0;
  for (int repeat = 0; repeat < MAX_REPEATS && is_lost(s, p, 0); repeat++)
    ms += timer_ms(is_quic(s), rtt_ms, fired + repeat);
  return ms;
}

static double ready_ms(PlayerSession *s, const Paths *p, double rtt_ms) {
  double transport_delay_ms = 0, secure_delay_ms = 0;
  if (!is_quic(s))
    for (int repeat = 0; repeat < MAX_REPEATS && is_exchange_lost(s, p, 1); repeat++)
      transport_delay_ms += 1000 * (repeat < 4 ? 1 : ldexp(1, repeat - 3));
  for (int repeat = 0; repeat < MAX_REPEATS && is_exchange_lost(s, p, 2); repeat++)
    secure_delay_ms += (is_quic(s) ? 999 : 2 * rtt_ms) * ldexp(1, repeat);
  double transport_ms = is_quic(s) ? 0 : rtt_ms + transport_delay_ms;
  double secure_ms = s->set.early_data ? 0 : rtt_ms + secure_delay_ms;
  return s->now_ms + transport_ms + secure_ms;
}

static int free_lane(const PlayerSession *s) {
  int lane = 0;
  for (int i = 0; i < s->lane_count;)
    if (s->open[i] == lane) {
      lane++;
      i = 0;
    } else i++;
  return lane;
}

/* A connection for a request made now; -1 when it has to wait for one to be free. */
int take_lane(PlayerSession *s, const Paths *p, int *is_new) {
  int max = s->set.connections > 0 ? s->set.connections : s->set.protocol == H1 ? MAX_LANES : 1;
  int quietest = -1;
  for (int i = s->lane_count - 1; i >= 0 && quietest < 0; i--)
    if (s->lanes[s->open[i]].load == 0) quietest = s->open[i];
  for (int i = 0; i < s->lane_count && (quietest < 0 || s->lanes[quietest].load > 0); i++)
    if (quietest < 0 || s->lanes[s->open[i]].load < s->lanes[quietest].load) quietest = s->open[i];
  *is_new = 0;
  if (quietest >= 0 && (s->lanes[quietest].load == 0 || s->lane_count >= max)) {
    if (s->set.protocol == H1 && s->lanes[quietest].load > 0) return -1;
    s->lanes[quietest].load += 1;
    return quietest;
  }
  int lane = free_lane(s);
  Lane fresh = {0};
  fresh.ready_ms = ready_ms(s, p, rtt_of(s, p));
  fresh.load = 1;
  fresh.window.bits = s->sending.initial_bits;
  fresh.window.threshold_bits = INFINITY;
  fresh.window.recovery_ms = -INFINITY;
  fresh.recovery.gap_bits = INFINITY;
  fresh.recovery.delivered_ms = -INFINITY;
  fresh.recovery.loss.again = -1;
  s->lanes[lane] = fresh;
  s->open[s->lane_count++] = lane;
  *is_new = 1;
  return lane;
}

void leave_lane(PlayerSession *s, int lane, int is_aborted) {
  int at = 0;
  s->lanes[lane].load -= 1;
  while (s->open[at] != lane) at++;
  for (; at + 1 < s->lane_count; at++) s->open[at] = s->open[at + 1];
  if (is_aborted && s->set.protocol == H1) s->lane_count -= 1;
  else s->open[s->lane_count - 1] = lane;
}
