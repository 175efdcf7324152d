/*
 * The player model (src/sim/player/playerModel.ts, fetches.ts, stream.ts and playback.ts) for many sessions at once, each up to
 * the moment at which its next video segment is asked for. Audio has one rung. Not here: steering, limits of UDP, holds of a
 * rule, jumps to where nothing is loaded.
 *
 * Compiled with -ffp-contract=off, so that a session is the same to the last bit as in TypeScript;
 * research/train/playerTraining.test.ts compares them.
 */
#include "player_env.h"

#include <math.h>
#include <string.h>

#define AUDIO_LEAD_MS 1000.0
#define ROUNDING_MS 1e-3
#define MIN_STALL_MS 100.0
/* Of stream.ts. */
#define ATTEMPTS 4
#define RETRY_MS 1000.0
#define FIRST_WAIT_MS 1000.0
#define LONGEST_WAIT_MS 8000.0
#define GIVE_UP_MS 120000.0
/* Between two decisions. A session with more ends as failed, so that none can hold up a training. */
#define MAX_EVENTS 200000

static double min2(double a, double b) { return a < b ? a : b; }

static double max2(double a, double b) { return a > b ? a : b; }

/* ---- fetches.ts ---- */

/* Arithmetic of payloadOf in fetches.ts. */
static double payload_of(int protocol) {
  if (protocol == H3) return (1452.0 - 3 - 16 - 8) / (1452 + 28);
  double tcp_bytes = 16384 + (protocol == H2 ? 9 + 2 * 22 : 22);
  return 16384 / (tcp_bytes + 52 * ceil(tcp_bytes / (1500 - 52)));
}

static void step_on(PlayerSession *s, const Paths *p, int slot) {
  Fetch *f = s->fetches + slot;
  double rtt_ms = rtt_of(s, p);
  if (f->lane < 0) {
    f->lane = take_lane(s, p, &f->is_new);
    if (f->lane < 0) return;
    f->has_request = 1;
    f->request_start_ms = max2(s->now_ms, s->lanes[f->lane].ready_ms);
  }
  if (f->request_start_ms > s->now_ms) return;
  if (!f->has_answer) {
    f->has_answer = 1;
    f->answer_ms = s->now_ms + rtt_ms + request_delay_ms(s, p, rtt_ms);
  }
  if (f->answer_ms > s->now_ms) return;
  if (!f->is_sent) {
    f->bits = f->left_bits = (f->size_bytes * 8) / payload_of(s->set.protocol);
    start_transfer(s, p, slot);
  }
  if (is_served(s, p, slot) && !f->has_first_byte) {
    f->has_first_byte = 1;
    f->first_byte_ms = s->now_ms;
  }
}

static void start_fetch(PlayerSession *s, const Paths *p, int slot, int type, double size_bytes) {
  Fetch fresh = {0};
  fresh.type = type;
  fresh.size_bytes = size_bytes;
  fresh.start_ms = s->now_ms;
  fresh.lane = -1;
  s->fetches[slot] = fresh;
  s->running[s->running_count++] = slot;
  step_on(s, p, slot);
}

static void end_fetch(PlayerSession *s, int slot, int is_aborted) {
  Fetch *f = s->fetches + slot;
  int at = 0;
  if (!f->has_first_byte && !is_aborted) f->first_byte_ms = s->now_ms;
  while (s->running[at] != slot) at++;
  for (; at + 1 < s->running_count; at++) s->running[at] = s->running[at + 1];
  s->running_count -= 1;
  if (f->is_sent) stop_transfer(s, slot);
  if (f->lane >= 0) leave_lane(s, f->lane, is_aborted);
}

static void abort_fetch(PlayerSession *s, const Paths *p, int slot) {
  end_fetch(s, slot, 1);
  for (int i = 0; i < s->running_count; i++) step_on(s, p, s->running[i]);
}

/* What has arrived, in the order of the requests. */
static int take_arrived(PlayerSession *s, const Paths *p, int *arrived) {
  int count = 0;
  for (int i = 0; i < s->running_count; i++)
    if (s->fetches[s->running[i]].is_sent && is_done(s, p, s->running[i])) arrived[count++] = s->running[i];
  for (int i = 0; i < count; i++) end_fetch(s, arrived[i], 0);
  for (int i = 0; i < s->running_count; i++) step_on(s, p, s->running[i]);
  return count;
}

static double next_of_fetches_ms(PlayerSession *s, const Paths *p) {
  double next_ms = next_of_path_ms(s, p);
  for (int i = 0; i < s->running_count; i++) {
    const Fetch *f = s->fetches + s->running[i];
    if (!f->is_sent && f->has_request) next_ms = min2(next_ms, f->has_answer ? f->answer_ms : f->request_start_ms);
  }
  return next_ms;
}

/* ---- playback.ts ---- */

static double duration_ms(const PlayerSession *s, const Videos *v) {
  return s->video.segments * v->segment_ms[s->set.video];
}

static double playable_until_ms(const PlayerSession *s) {
  double audio_ms = s->audio.segments * s->set.audio_segment_ms;
  return min2(s->video.ends_ms, s->audio.ends_ms >= audio_ms ? INFINITY : s->audio.ends_ms);
}

static double level_ms(const PlayerSession *s, const Stream *stream) { return max2(0, stream->ends_ms - s->playhead_ms); }

static int is_moving(const PlayerSession *s) { return s->wait == NO_WAIT && !s->has_ended; }

/* A wait belongs to the segment on screen after it; that of the first is the join time. */
static void close_wait(PlayerSession *s, int wait) {
  double wait_ms = s->now_ms - s->wait_at_ms;
  if (wait != JOIN && wait != STALL) return;
  if (s->shown <= 1) s->first_wait_ms += wait_ms;
  else s->waits_ms += wait_ms;
  if (wait == STALL && wait_ms >= MIN_STALL_MS - 1e-3) s->stalls += 1;
}

static void play(PlayerSession *s, const Videos *v) {
  int wait = s->wait;
  s->wait = NO_WAIT;
  if (!s->has_started) {
    s->has_started = 1;
    s->started_ms = s->now_ms;
  }
  int segment = (int)floor((s->playhead_ms + ROUNDING_MS) / v->segment_ms[s->set.video]);
  if (segment != s->on_screen) {
    s->on_screen = segment;
    s->shown += 1;
  }
  close_wait(s, wait);
}

static void settle(PlayerSession *s, const Videos *v) {
  double until_ms = playable_until_ms(s);
  if (s->has_ended) return;
  if (s->playhead_ms + ROUNDING_MS >= duration_ms(s, v)) {
    s->has_ended = 1;
    s->playhead_ms = duration_ms(s, v);
  } else if (until_ms - s->playhead_ms > ROUNDING_MS) play(s, v);
  else if (s->wait == NO_WAIT) {
    s->playhead_ms = until_ms;
    s->wait = STALL;
    s->wait_at_ms = s->now_ms;
  }
}

static double next_of_playback_ms(const PlayerSession *s, const Videos *v) {
  if (!is_moving(s)) return INFINITY;
  int on_screen = s->on_screen < 0 ? 0 : s->on_screen;
  double next_shown_ms = (on_screen + 1) * v->segment_ms[s->set.video];
  return s->now_ms + min2(next_shown_ms, playable_until_ms(s)) - s->playhead_ms;
}

/* ---- stream.ts ---- */

static int is_whole(const Stream *stream) { return stream->next >= stream->segments; }

static double target_ms(const PlayerSession *s, const Videos *v, int rung) {
  return rung == v->rungs[s->set.video] - 1 ? s->set.target_at_top_ms : s->set.target_ms;
}

static double wait_ms(const PlayerSession *s, const Videos *v, int slot) {
  const Stream *stream = slot == VIDEO ? &s->video : &s->audio;
  double segment_ms = slot == VIDEO ? v->segment_ms[s->set.video] : s->set.audio_segment_ms;
  double available_ms = s->set.live_delay_ms >= 0 ? (stream->next + 1) * segment_ms - s->set.live_delay_ms : 0;
  if (available_ms > s->now_ms) return available_ms - s->now_ms;
  double buffered_ms = level_ms(s, stream), target;
  if (slot == VIDEO) {
    target = target_ms(s, v, stream->rung);
    if (target > segment_ms) buffered_ms += segment_ms;
  } else target = max2(level_ms(s, &s->video) + AUDIO_LEAD_MS, segment_ms);
  return buffered_ms < target ? 0 : s->set.poll_ms;
}

static double video_bytes(const PlayerSession *s, const Videos *v, int rung) {
  int video = s->set.video, segment = s->set.first_segment + s->video.next;
  return v->sizes_bytes[v->size_from[video] + rung * v->columns[video] + segment];
}

/* The init segment first, where the decoder needs one that is not in the cache. */
static void request(PlayerSession *s, const Paths *p, const Videos *v, int slot) {
  Stream *stream = slot == VIDEO ? &s->video : &s->audio;
  double init_bytes = slot == VIDEO ? s->set.init_bytes : s->set.audio_init_bytes;
  int is_cached = s->set.caches_init && (stream->cached >> stream->rung & 1);
  int is_ready = init_bytes < 0 || is_cached || stream->initialised == stream->rung;
  if (is_ready) stream->initialised = stream->rung;
  stream->is_fetching = 1;
  stream->attempt = 0;
  double media_bytes = slot == VIDEO ? video_bytes(s, v, stream->rung) : s->set.audio_bytes;
  start_fetch(s, p, slot, is_ready ? MEDIA : INIT, is_ready ? media_bytes : init_bytes);
}

/* Whether a segment is to be asked for now; else it looks again later. */
static int is_due(PlayerSession *s, const Videos *v, int slot) {
  Stream *stream = slot == VIDEO ? &s->video : &s->audio;
  if (stream->is_fetching || is_whole(stream) || s->now_ms < stream->look_ms) return 0;
  double wait = wait_ms(s, v, slot);
  if (wait == 0) return 1;
  stream->look_ms = s->now_ms + wait;
  return 0;
}

static double due_ms(const PlayerSession *s, int slot) {
  return s->fetches[slot].start_ms + (s->set.timeout_ms < 0 ? INFINITY : s->set.timeout_ms);
}

static void end_round(PlayerSession *s, Stream *stream) {
  stream->is_fetching = 0;
  stream->again_ms = INFINITY;
  if (!stream->has_trouble) stream->trouble_ms = s->now_ms;
  stream->has_trouble = 1;
  if (s->now_ms - stream->trouble_ms >= GIVE_UP_MS) {
    s->gave_up = 1;
    return;
  }
  stream->look_ms = s->now_ms + stream->round_wait_ms;
  stream->round_wait_ms = min2(2 * stream->round_wait_ms, LONGEST_WAIT_MS);
}

static void end_trouble(Stream *stream) {
  stream->has_trouble = 0;
  stream->round_wait_ms = FIRST_WAIT_MS;
}

/* Gives up a request that takes too long, and makes it again. */
static void watch(PlayerSession *s, const Paths *p, int slot) {
  Stream *stream = slot == VIDEO ? &s->video : &s->audio;
  const Fetch *f = s->fetches + slot;
  if (!stream->is_fetching) return;
  if (stream->again_ms == INFINITY && s->now_ms >= due_ms(s, slot)) {
    abort_fetch(s, p, slot);
    stream->attempt += 1;
    stream->again_ms = s->now_ms + RETRY_MS;
    if (stream->attempt == ATTEMPTS) end_round(s, stream);
  } else if (stream->again_ms < INFINITY && s->now_ms >= stream->again_ms) {
    stream->again_ms = INFINITY;
    start_fetch(s, p, slot, f->type, f->size_bytes);
  }
}

static double next_of_stream_ms(const PlayerSession *s, int slot) {
  const Stream *stream = slot == VIDEO ? &s->video : &s->audio;
  if (stream->is_fetching) return stream->again_ms == INFINITY ? due_ms(s, slot) : stream->again_ms;
  return is_whole(stream) ? INFINITY : stream->look_ms;
}

/* ---- playerModel.ts ---- */

/* What the rule receives of a video segment, and what the net sees. */
static void observe_video(PlayerSession *s, const Fetch *f) {
  s->requested_ms[0] = f->start_ms;
  s->requested_ms[1] = f->first_byte_ms;
  s->requested_ms[2] = s->now_ms;
  s->seen.first_byte_ms = f->first_byte_ms - f->start_ms;
  s->seen.delay_ms = s->now_ms - f->start_ms;
  s->seen.is_new = f->is_new;
  measure(&s->seen, f->size_bytes);
}

static void note_media(PlayerSession *s, const Videos *v, int slot) {
  const Fetch *f = s->fetches + slot;
  if (slot == VIDEO) {
    observe_video(s, f);
    s->video.ends_ms = (s->video.next + 1) * v->segment_ms[s->set.video];
    s->video.next += 1;
    s->last_rung = s->video.rung;
    end_trouble(&s->video);
    return;
  }
  s->audio_downloads += 1;
  s->seen.audio_kbps = s->set.audio_bytes * 8 / s->set.audio_segment_ms;
  s->audio_last_ms = s->now_ms;
  s->audio.ends_ms = (s->audio.next + 1) * s->set.audio_segment_ms;
  s->audio.next += 1;
  end_trouble(&s->audio);
}

static void note_arrival(PlayerSession *s, const Paths *p, const Videos *v, int slot) {
  int type = s->fetches[slot].type;
  if (type == INDEX) return;
  if (type == MANIFEST) {
    s->is_open = 1;
    if (s->set.index_bytes >= 0) start_fetch(s, p, FILES, INDEX, s->set.index_bytes);
    return;
  }
  Stream *stream = slot == VIDEO ? &s->video : &s->audio;
  s->last_arrival_ms = s->now_ms;
  stream->is_fetching = 0;
  stream->look_ms = s->now_ms;
  if (type == MEDIA) {
    note_media(s, v, slot);
    return;
  }
  stream->cached |= 1u << stream->rung;
  stream->initialised = stream->rung;
  request(s, p, v, slot);
}

static void go_to(PlayerSession *s, const Paths *p, double at_ms) {
  double before_ms = s->now_ms;
  advance_path(s, p, at_ms);
  if (is_moving(s)) s->playhead_ms += at_ms - before_ms;
}

/* Looks for audio, and moves the clock on. */
static void move_on(PlayerSession *s, const Paths *p, const Videos *v) {
  double end_ms = s->has_started && s->set.play_ms >= 0 ? s->started_ms + s->set.play_ms : INFINITY;
  if (s->is_open) watch(s, p, AUDIO);
  if (s->is_open && is_due(s, v, AUDIO)) request(s, p, v, AUDIO);
  if (s->gave_up) return;
  double next_ms = min2(min2(next_of_fetches_ms(s, p), next_of_playback_ms(s, v)), end_ms);
  if (s->is_open) next_ms = min2(next_ms, min2(next_of_stream_ms(s, VIDEO), next_of_stream_ms(s, AUDIO)));
  next_ms = max2(s->now_ms, next_ms);
  if (next_ms == INFINITY) s->failed = 1;
  else go_to(s, p, next_ms);
}

static void stop_session(PlayerSession *s) {
  if (!s->has_ended) {
    close_wait(s, s->wait);
    s->has_ended = 1;
  }
  s->seen.done = 1;
}

static void see_buffers(PlayerSession *s) {
  int has_audio = s->audio.ends_ms != INFINITY && !is_whole(&s->audio);
  s->seen.buffer_ms = level_ms(s, &s->video);
  s->seen.audio_ahead_ms = has_audio ? level_ms(s, &s->audio) - s->seen.buffer_ms : 0;
}

/* To the moment at which the next video segment is asked for, or to the end. */
static void run(PlayerSession *s, const Paths *p, const Videos *v) {
  int arrived[SLOTS];
  for (int events = 0;; events++) {
    if (events > MAX_EVENTS) s->failed = 1;
    if (s->gave_up) {
      stop_session(s);
      return;
    }
    int count = take_arrived(s, p, arrived);
    for (int i = 0; i < count; i++) note_arrival(s, p, v, arrived[i]);
    settle(s, v);
    int is_over = s->has_started && s->set.play_ms >= 0 && s->now_ms >= s->started_ms + s->set.play_ms;
    if (s->has_ended || is_over || s->failed) {
      stop_session(s);
      return;
    }
    if (s->is_open) watch(s, p, VIDEO);
    if (s->is_open && is_due(s, v, VIDEO)) break;
    move_on(s, p, v);
  }
  s->is_asked = 1;
  double segment_ms = v->segment_ms[s->set.video], target = target_ms(s, v, s->video.rung);
  see_buffers(s);
  s->seen.segment = s->set.first_segment + s->video.next;
  s->seen.rung = s->video.rung;
  s->seen.cap_ms = target > segment_ms ? target - segment_ms : target;
}

static void answer(PlayerSession *s, const Paths *p, const Videos *v, int rung) {
  s->is_asked = 0;
  s->video.rung = rung;
  request(s, p, v, VIDEO);
  move_on(s, p, v);
  run(s, p, v);
}

static void begin_session(PlayerSession *s, const Paths *p, const Videos *v, const PlayerScene *set) {
  int video = set->video, top = v->rungs[video] - 1;
  memset(s, 0, sizeof *s - sizeof s->holes);
  s->set = *set;
  s->seen.video = video;
  s->seen.protocol = set->protocol;
  s->seen.is_live = set->live_delay_ms >= 0;
  for (int r = 0; r < MAX_RUNGS; r++) s->seen.worth[r] = set->worth[r];
  s->video.segments = v->segments[video] - set->first_segment;
  s->audio.segments = set->audio_segments;
  s->audio.ends_ms = set->audio_segments > 0 ? 0 : INFINITY;
  s->video.rung = set->start_rung < top ? set->start_rung : top;
  s->video.initialised = s->audio.initialised = -1;
  s->video.again_ms = s->audio.again_ms = INFINITY;
  end_trouble(&s->video);
  end_trouble(&s->audio);
  s->wait = JOIN;
  s->on_screen = -1;
  set_sending(s);
  start_path(s, p);
  if (set->manifest_bytes >= 0) start_fetch(s, p, FILES, MANIFEST, set->manifest_bytes);
  else s->is_open = 1;
  run(s, p, v);
  if (!set->asks_first) answer(s, p, v, s->video.rung);
}

/* All stalls so far, the present one included, and the wait of a session that ended before it began. */
static double stalled_ms(const PlayerSession *s) {
  if (s->shown == 0 && s->has_ended) return s->first_wait_ms;
  return s->waits_ms + (s->wait == STALL && !s->has_ended ? s->now_ms - s->wait_at_ms : 0);
}

int player_session_bytes(void) { return (int)sizeof(PlayerSession); }

int player_scene_bytes(void) { return (int)sizeof(PlayerScene); }

/* Begins n sessions. The first segment is the start rung's, unless the scene asks for it. */
void player_begin(PlayerSession *all, int n, const Paths *p, const Videos *v, const PlayerScene *scenes) {
  for (int k = 0; k < n; k++) begin_session(all + k, p, v, scenes + k);
}

/*
 * Answers each session that is not over; reward in seconds of stall, as `step` of chunk_env.c. A wait counts when it is
 * over, or for as long as it has lasted. The first segment has no reward, and none has one that was given up.
 */
static double step_one(PlayerSession *s, const Paths *p, const Videos *v, int rung, double *stall_ms) {
  double before_ms = stalled_ms(s), before = s->set.worth[s->last_rung], now = s->set.worth[rung];
  int next = s->video.next;
  answer(s, p, v, rung);
  *stall_ms = stalled_ms(s) - before_ms;
  int is_given_up = s->gave_up || (!s->seen.done && s->video.next == next);
  return (next == 0 || is_given_up ? 0 : now - fabs(now - before)) - *stall_ms / 1000;
}

void player_step(PlayerSession *all, int n, const Paths *p, const Videos *v, const int *rung, double *reward,
                 double *stall_ms) {
  for (int k = 0; k < n; k++) {
    reward[k] = stall_ms[k] = 0;
    if (!all[k].seen.done) reward[k] = step_one(all + k, p, v, rung[k], stall_ms + k);
  }
}

void player_observe(const PlayerSession *all, int n, const Paths *p, const Videos *v, int width, float *context,
                    float *rungs) {
  (void)p;
  for (int k = 0; k < n; k++)
    observe(&all[k].seen, 1, 0, v, width, context + k * CONTEXT, rungs + (long)k * width * RUNG);
}

/*
 * The viewer jumps ahead within what is loaded, as far as an end or a live edge allows, and of the shorter buffer a share is
 * left: 1 where nobody does.
 */
void player_seek(PlayerSession *all, int n, const Videos *v, const double *share) {
  for (int k = 0; k < n; k++) {
    PlayerSession *s = all + k;
    double left_ms = playable_until_ms(s) - s->playhead_ms;
    double last_ms = min2(duration_ms(s, v) - 1, s->seen.is_live ? s->now_ms : INFINITY);
    double to_ms = min2(s->playhead_ms + (1 - share[k]) * left_ms, last_ms);
    if (s->seen.done || share[k] >= 1 || !s->has_started || left_ms * share[k] <= ROUNDING_MS) continue;
    if (to_ms <= s->playhead_ms) continue;
    if (s->wait == STALL) close_wait(s, STALL);
    s->wait = SEEK;
    s->playhead_ms = to_ms;
    s->on_screen = -1;
    settle(s, v);
    see_buffers(s);
  }
}

void player_buffers(const PlayerSession *all, int n, double *buffer_ms) {
  for (int k = 0; k < n; k++) buffer_ms[k] = all[k].seen.buffer_ms;
}

void player_status(const PlayerSession *all, int n, int *done, int *rung) {
  for (int k = 0; k < n; k++) {
    done[k] = all[k].seen.done;
    rung[k] = all[k].video.rung;
  }
}

/* Of the last video segment of each, in session time: ms of its request, of its first and of its last byte. */
void player_requests(const PlayerSession *all, int n, double *out) {
  for (int k = 0; k < n; k++, out += 3) memcpy(out, all[k].requested_ms, sizeof all[k].requested_ms);
}

/* Twelve numbers of each, as TOTALS of player_env.py names them. */
void player_totals(const PlayerSession *all, int n, double *out) {
  for (int k = 0; k < n; k++) {
    const PlayerSession *s = all + k;
    double numbers[] = {s->now_ms, s->playhead_ms, level_ms(s, &s->video), s->first_wait_ms, s->waits_ms, s->stalls,
                        s->last_arrival_ms, s->audio_downloads, s->audio_last_ms, s->seen.is_new, s->video.next, s->failed};
    for (int i = 0; i < 12; i++) *out++ = numbers[i];
  }
}

/*
 * As play_on of play_on.c. A branch that fails or gives up has no worth: it is left out, as a rung that was not tried. In a live session no
 * more is left in the buffer than at the branch: a stall moves playback away from the edge, and what then lies between them is
 * no gain.
 */
void player_play_on(const PlayerSession *all, int n, const Paths *p, const Videos *v, const Net *net, const int *first,
                    double played_ms, double longest_s, double *out) {
  float context[CONTEXT], rungs[MAX_RUNGS * RUNG];
  for (int k = 0; k < n; k++, out += 3) {
    PlayerSession s;
    memcpy(&s, all + k, sizeof s - sizeof s.holes + all[k].hole_count * sizeof(Hole));
    int rung = first[k], count = v->rungs[s.set.video], at = 0;
    double total = 0, worth = 0, stall_ms, segments = ceil(played_ms / v->segment_ms[s.set.video]);
    while (!s.seen.done) {
      total += step_one(&s, p, v, rung, &stall_ms);
      double over_s = stall_ms / 1000 - longest_s;
      total += over_s > 0 ? over_s : 0;
      worth += s.set.worth[rung];
      if (at++ >= segments || s.seen.done) break;
      observe(&s.seen, 1, 0, v, count, context, rungs);
      rung = best_rung(net, context, rungs, count);
    }
    double left_ms = level_ms(&s, &s.video), before_ms = level_ms(all + k, &all[k].video);
    if (s.seen.is_live && left_ms > before_ms) left_ms = before_ms;
    out[0] = s.failed || s.gave_up ? -INFINITY : total;
    out[1] = at ? worth / at : 0;
    out[2] = s.seen.done ? 0 : left_ms / v->segment_ms[s.set.video];
  }
}
