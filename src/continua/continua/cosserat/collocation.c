/* The collocation rod assembled from its elements: residual c_eq (eq 19), its matrices, gravity on the fine
 * grid (algorithm 1) with its Jacobian (eqs 25 to 28), and poses of the fine grid. The elements above this
 * text are generated from `elements.py`; the order of the parameters is that of `properties.py`.
 *
 * State (12 N,) of N nodes: [x2- of the base, x2 of node 0, x1 and x2 of node 1, ..., x1 and x2- of node N - 1];
 * the velocity of node 0 and the wrench beyond the last node are known, and left out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 0, COMPLIANCE = 1, DAMPING = 7, INERTIA = 13, TIP = 19, GRAVITY = 55 };

typedef struct {
    int nodes, sub;   /* nodes of the collocation, subintervals of gravity's grid between two of them */
    const double *p;  /* parameters */
    const double *w;  /* (6,) pressure wrench of eq 7 */
} Rod;

/* a = b + scale * c d, row-major 3 x 3. */
static void multiply_add(double scale, const double *c, const double *d, double *a) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a[3 * i + j] += scale * (c[3 * i] * d[j] + c[3 * i + 1] * d[3 + j] + c[3 * i + 2] * d[6 + j]);
}

/* y = R^T v. */
static void rotate_back(const double *R, const double *v, double *y) {
    for (int i = 0; i < 3; ++i) y[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
}

/* Q = [y]x R^T: how y = R^T v turns with R from the left. */
static void turning(const double *y, const double *R, double *Q) {
    for (int j = 0; j < 3; ++j) {
        const double *r = R + 3 * j;
        Q[j] = y[1] * r[2] - y[2] * r[1];
        Q[3 + j] = y[2] * r[0] - y[0] * r[2];
        Q[6 + j] = y[0] * r[1] - y[1] * r[0];
    }
}

/* Node i of a state or rate: (12,), with the velocity of node 0, which is zero. */
static const double *node_of(const double *x, int i, double *first) {
    if (i > 0) return x + 12 * i;
    memset(first, 0, 6 * sizeof(double));
    memcpy(first + 6, x + 6, 6 * sizeof(double));
    return first;
}

/* Strain (6,) in the middle of subinterval j of interval i (figure 2). */
static void middle_strain(const Rod *rod, const double *x, int i, int j, double *strain) {
    const double t = (j + 0.5) / rod->sub, *C = rod->p + COMPLIANCE;
    for (int c = 0; c < 6; ++c)
        strain[c] = C[c] * ((1.0 - t) * x[12 * i + 6 + c] + t * x[12 * i + 18 + c]) + (c == 2);
}

/* Gravity's force per interval (N - 1, 3) N, and gravity in the axes of the last section (3,).
 *
 * J, (n, n) or NULL: a times the derivative is added to the rows of the balances of force; tip_turn (N, 9) gets the derivative of the
 * last section's gravity with the nodes' curvatures. */
static void gravity_load(const Rod *rod, const double *x, double *load, double *at_tip, double a, double *J,
                         double *tip_turn) {
    const int N = rod->nodes, sub = rod->sub, n = 12 * N;
    const double *g = rod->p + GRAVITY, *Cm = rod->p + COMPLIANCE + 3;
    const double delta = rod->p[LENGTH] / (sub * (N - 1)), mass = delta * rod->p[INERTIA];
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, turned[N][9]; /* sum_j R_j+1 Jr(delta u_j) du_j of each node */
    memset(turned, 0, sizeof turned);
    for (int i = 0; i < N - 1; ++i) {
        double total[3] = {0}, before[9] = {0}, own[2][9] = {{0}}, inside[2][9] = {{0}}, gamma[3], Q[9];
        for (int j = 0; j <= sub; ++j) {
            const double weight = j == 0 || j == sub ? 0.5 : 1.0;
            rotate_back(R, g, gamma);
            for (int c = 0; c < 3; ++c) total[c] += weight * gamma[c];
            if (J) {
                turning(gamma, R, Q);
                for (int c = 0; c < 9; ++c) before[c] += weight * Q[c];
                for (int e = 0; e < 2; ++e) multiply_add(weight, Q, inside[e], own[e]);
            }
            if (j == sub) break;
            double strain[6], phi[3], E[9], left[9], next[9] = {0};
            middle_strain(rod, x, i, j, strain);
            for (int c = 0; c < 3; ++c) phi[c] = delta * strain[3 + c];
            const double *arg[1] = {phi};
            double *res[2] = {E, left};
            turn(arg, res, 0, 0, 0);
            if (J) {
                double P[9] = {0}, t = (j + 0.5) / sub;
                multiply_add(delta, R, left, P);
                for (int c = 0; c < 9; ++c) {
                    inside[0][c] += (1.0 - t) * P[c] * Cm[c % 3];
                    inside[1][c] += t * P[c] * Cm[c % 3];
                }
            }
            multiply_add(1.0, R, E, next);
            memcpy(R, next, sizeof R);
        }
        for (int c = 0; c < 3; ++c) load[3 * i + c] = mass * total[c];
        if (!J) continue;
        for (int l = 0; l <= i + 1; ++l) {
            double block[9] = {0};
            multiply_add(1.0, before, turned[l], block);
            if (l >= i)
                for (int c = 0; c < 9; ++c) block[c] += own[l - i][c], turned[l][c] += inside[l - i][c];
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    J[(size_t)(12 * i + 12 + r) * n + 12 * l + 9 + c] += a * mass * block[3 * r + c];
        }
    }
    rotate_back(R, g, at_tip);
    if (!J) return;
    double Q[9];
    turning(at_tip, R, Q);
    memset(tip_turn, 0, N * 9 * sizeof(double));
    for (int l = 0; l < N; ++l) multiply_add(1.0, Q, turned[l], tip_turn + 9 * l);
}

/* F (n,) = c_eq(x, xd, u): transmission at the base (eq 17), N - 1 intervals, condition at the tip. */
static void residual(const Rod *rod, const double *x, const double *xd, double *F) {
    const int N = rod->nodes;
    const double *p = rod->p, *D = p + DAMPING, h = p[LENGTH] / (N - 1);
    double load[3 * (N - 1)], at_tip[3], first[12], first_rate[12];
    gravity_load(rod, x, load, at_tip, 0.0, NULL, NULL);
    for (int c = 0; c < 6; ++c)
        F[c] = x[6 + c] + D[c] * xd[6 + c] - x[c] - D[c] * xd[c] - rod->w[c];
    for (int i = 0; i < N - 1; ++i) {
        const double *arg[10] = {node_of(x, i, first), x + 12 * (i + 1), node_of(xd, i, first_rate),
                                 xd + 12 * (i + 1), load + 3 * i, p + COMPLIANCE, D, p + INERTIA, rod->w, &h};
        double *res[1] = {F + 6 + 12 * i};
        interval_residual(arg, res, 0, 0, 0);
    }
    const double *arg[6] = {x + 12 * (N - 1), xd + 12 * (N - 1), at_tip, D, p + TIP, rod->w};
    double *res[1] = {F + 12 * N - 6};
    tip_residual(arg, res, 0, 0, 0);
}

/* J (n, n), row-major = a dc_eq/dx + b dc_eq/dxd. */
static void matrix(const Rod *rod, const double *x, const double *xd, double a, double b, double *J) {
    const int N = rod->nodes, n = 12 * N;
    const double *p = rod->p, *D = p + DAMPING, h = p[LENGTH] / (N - 1);
    double load[3 * (N - 1)], at_tip[3], tip_turn[9 * N], first[12], first_rate[12], block[2][144];
    memset(J, 0, (size_t)n * n * sizeof(double));
    gravity_load(rod, x, load, at_tip, a, J, tip_turn);
    for (int c = 0; c < 6; ++c) {
        J[c * n + c] = -a - b * D[c];
        J[c * n + 6 + c] = a + b * D[c];
    }
    for (int i = 0; i < N - 1; ++i) {
        const double *arg[12] = {node_of(x, i, first), x + 12 * (i + 1), node_of(xd, i, first_rate),
                                 xd + 12 * (i + 1), load + 3 * i, p + COMPLIANCE, D, p + INERTIA, rod->w, &h,
                                 &a, &b};
        double *res[2] = {block[0], block[1]};
        interval_matrix(arg, res, 0, 0, 0);
        for (int r = 0; r < 12; ++r) {
            double *row = J + (size_t)(6 + 12 * i + r) * n;
            for (int c = i > 0 ? 0 : 6; c < 12; ++c) row[12 * i + c] += block[0][12 * r + c];
            for (int c = 0; c < 12; ++c) row[12 * (i + 1) + c] += block[1][12 * r + c];
        }
    }
    const double *arg[8] = {x + 12 * (N - 1), xd + 12 * (N - 1), at_tip, D, p + TIP, rod->w, &a, &b};
    double *res[1] = {block[0]};
    tip_matrix(arg, res, 0, 0, 0);
    for (int r = 0; r < 6; ++r) {
        double *row = J + (size_t)(n - 6 + r) * n;
        for (int c = 0; c < 12; ++c) row[12 * (N - 1) + c] += block[0][12 * r + c];
        for (int l = 0; l < N; ++l)
            for (int c = 0; c < 3; ++c)
                for (int k = 0; k < 3; ++k)
                    row[12 * l + 9 + c] -= a * p[TIP + 6 * r + k] * tip_turn[9 * l + 3 * k + c];
    }
}

/* Rotations (K, 9) and positions (K, 3) m of the fine grid's K = sub (N - 1) + 1 sections in the base section.
 * tip_rate, (6, n) or NULL: body twist of the last one per change of the state. */
static void poses(const Rod *rod, const double *x, double *rotation, double *position, double *tip_rate) {
    const int N = rod->nodes, sub = rod->sub, n = 12 * N;
    const double delta = rod->p[LENGTH] / (sub * (N - 1)), *C = rod->p + COMPLIANCE;
    double *R = rotation, *q = position;
    memset(R, 0, 9 * sizeof(double));
    R[0] = R[4] = R[8] = 1.0;
    memset(q, 0, 3 * sizeof(double));
    if (tip_rate) memset(tip_rate, 0, 6 * n * sizeof(double));
    for (int i = 0; i < N - 1; ++i)
        for (int j = 0; j < sub; ++j, R += 9, q += 3) {
            double strain[6], E[9], e[3], T[36];
            middle_strain(rod, x, i, j, strain);
            for (int c = 0; c < 6; ++c) strain[c] *= delta;
            const double *arg[1] = {strain};
            double *res[3] = {E, e, T};
            motion(arg, res, 0, 0, 0);
            memset(R + 9, 0, 9 * sizeof(double));
            multiply_add(1.0, R, E, R + 9);
            for (int r = 0; r < 3; ++r)
                q[3 + r] = q[r] + R[3 * r] * e[0] + R[3 * r + 1] * e[1] + R[3 * r + 2] * e[2];
            if (!tip_rate) continue;
            for (int c = 0; c < 12 * (i + 2); ++c) { /* twist of the new section: Ad(E, e)^-1 of the old one's */
                double w[3] = {tip_rate[3 * n + c], tip_rate[4 * n + c], tip_rate[5 * n + c]};
                double v[3] = {tip_rate[c] + w[1] * e[2] - w[2] * e[1],
                               tip_rate[n + c] + w[2] * e[0] - w[0] * e[2],
                               tip_rate[2 * n + c] + w[0] * e[1] - w[1] * e[0]};
                double out[6];
                rotate_back(E, v, out);
                rotate_back(E, w, out + 3);
                for (int r = 0; r < 6; ++r) tip_rate[r * n + c] = out[r];
            }
            const double t = (j + 0.5) / sub;
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) {
                    tip_rate[r * n + 12 * i + 6 + c] += (1.0 - t) * delta * T[6 * r + c] * C[c];
                    tip_rate[r * n + 12 * i + 18 + c] += t * delta * T[6 * r + c] * C[c];
                }
        }
}

/* ---- what Python calls: `count` states at once, with their own parameters and pressures ------------------- */

static Rod rod_of(int nodes, int sub, int parameters, const double *p, const double *w, int k) {
    return (Rod){nodes, sub, p + (size_t)parameters * k, w ? w + 6 * (size_t)k : NULL};
}

void rod_residual(int nodes, int sub, int parameters, int count, const double *p, const double *w,
                  const double *x, const double *xd, double *F) {
    for (int k = 0; k < count; ++k) {
        const size_t at = (size_t)12 * nodes * k;
        Rod rod = rod_of(nodes, sub, parameters, p, w, k);
        residual(&rod, x + at, xd + at, F + at);
    }
}

void rod_matrix(int nodes, int sub, int parameters, int count, const double *p, const double *w,
                const double *x, const double *xd, double a, double b, double *J) {
    for (int k = 0; k < count; ++k) {
        const size_t at = (size_t)12 * nodes * k;
        Rod rod = rod_of(nodes, sub, parameters, p, w, k);
        matrix(&rod, x + at, xd + at, a, b, J + 12 * nodes * at);
    }
}

/* tip_rate: (count, 6, n) or NULL. */
void rod_poses(int nodes, int sub, int parameters, int count, const double *p, const double *x,
               double *rotation, double *position, double *tip_rate) {
    const size_t K = (size_t)sub * (nodes - 1) + 1, n = 12 * (size_t)nodes;
    for (int k = 0; k < count; ++k) {
        Rod rod = rod_of(nodes, sub, parameters, p, NULL, k);
        poses(&rod, x + n * k, rotation + 9 * K * k, position + 3 * K * k, tip_rate ? tip_rate + 6 * n * k : NULL);
    }
}
