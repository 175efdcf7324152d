/*
 * The net at play, many sessions to their ends or for some segments: each with a rung that is tried first, and then the
 * net's own greedy choices. What net.py says at once for a batch, for one state after the other and without Python between
 * them, since this is where a training spends its time. Weights are [inputs][outputs], as in a file of weights.
 */
#include <math.h>

#include "../env/chunk_env.h"

#pragma GCC optimize("fp-contract=fast")

#define IS_LAST 18

void step(Session *all, int n, const Traces *t, const Videos *v, const int *rung, double *reward, double *stall_ms);

/* As many numbers at a time as a register has; where they lie needs no alignment. A type that is wider than the registers is
 * kept in memory, and slows a training down by ten. */
#ifdef __AVX512F__
#define LANES 16
#else
#define LANES 8
#endif
typedef float Lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* out[outputs] += in[inputs] x kernel; outputs, a multiple of 16, is known where this is inlined: sums stay in registers. */
static inline __attribute__((always_inline)) void dense(const float *in, int inputs, const float *kernel, int outputs,
                                                        float *out) {
  Lanes sum[WIDTH / LANES];
  for (int o = 0; o < outputs / LANES; o++) sum[o] = *(const Lanes *)(out + LANES * o);
  for (int i = 0; i < inputs; i++)
    for (int o = 0; o < outputs / LANES; o++) sum[o] += in[i] * *(const Lanes *)(kernel + i * outputs + LANES * o);
  for (int o = 0; o < outputs / LANES; o++) *(Lanes *)(out + LANES * o) = sum[o];
}

static inline void rectify(float *x, int n) {
  for (int i = 0; i < n; i++) x[i] = x[i] > 0 ? x[i] : 0;
}

int best_rung(const Net *net, const float *context, const float *rungs, int count) {
  float shared[WIDTH], embedded[MAX_RUNGS][WIDTH], mean[WIDTH] = {0}, common[WIDTH], best_score = 0;
  int best = 0;
  for (int o = 0; o < WIDTH; o++) shared[o] = net->context_bias[o];
  dense(context, CONTEXT, net->context, WIDTH, shared);
  for (int o = 0; o < WIDTH; o++) common[o] = net->own_bias[o];
  for (int r = 0; r < count; r++) {
    for (int o = 0; o < WIDTH; o++) embedded[r][o] = shared[o];
    dense(rungs + r * RUNG, RUNG, net->rung, WIDTH, embedded[r]);
    rectify(embedded[r], WIDTH);
    for (int o = 0; o < WIDTH; o++) mean[o] += embedded[r][o] / count;
    if (rungs[r * RUNG + IS_LAST] > 0) dense(embedded[r], WIDTH, net->last, WIDTH, common);
  }
  dense(mean, WIDTH, net->mean, WIDTH, common);
  for (int r = 0; r < count; r++) {
    float mixed[WIDTH], narrow[NARROW], score = 0;
    for (int o = 0; o < WIDTH; o++) mixed[o] = common[o];
    dense(embedded[r], WIDTH, net->own, WIDTH, mixed);
    rectify(mixed, WIDTH);
    for (int o = 0; o < NARROW; o++) narrow[o] = net->narrow_bias[o];
    dense(mixed, WIDTH, net->narrow, NARROW, narrow);
    for (int o = 0; o < NARROW; o++) score += (narrow[o] > 0 ? narrow[o] : 0) * net->score[o];
    if (r == 0 || score > best_score) { best = r; best_score = score; }
  }
  return best;
}

/*
 * Each of n sessions takes `first[k]` and then plays on for `played_ms` of video more. By session, three numbers go to out: the sum of
 * its rewards in seconds of stall, one stall counting for `longest_s` at most; the mean worth of the rungs that it took; and
 * what it leaves in the buffer, in segments, 0 where it is over.
 */
void play_on(const Session *all, int n, const Traces *t, const Videos *v, const Net *net, const int *first, double played_ms,
             double longest_s, double *out) {
  float context[CONTEXT], rungs[MAX_RUNGS * RUNG];
  for (int k = 0; k < n; k++, out += 3) {
    Session s = all[k];
    int rung = first[k], count = v->rungs[s.video], at = 0;
    double total = 0, worth = 0, reward, stall_ms, segments = ceil(played_ms / v->segment_ms[s.video]);
    while (!s.done) {
      step(&s, 1, t, v, &rung, &reward, &stall_ms);
      double over_s = stall_ms / 1000 - longest_s;
      total += reward + (over_s > 0 ? over_s : 0);
      worth += s.worth[rung];
      if (at++ >= segments || s.done) break;
      observe(&s, 1, t, v, count, context, rungs);
      rung = best_rung(net, context, rungs, count);
    }
    out[0] = total;
    out[1] = at ? worth / at : 0;
    out[2] = s.done ? 0 : s.buffer_ms / v->segment_ms[s.video];
  }
}
