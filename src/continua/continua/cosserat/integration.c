/* Time steps and equilibria of the collocation rod.
 *
 * Alexander's three-stage method as in `rod/sdirk.py`: order 3, L-stable, stiffly accurate, with the error of
 * an embedded method of order 2, filtered. Here it works on the implicit form (eq 19): a stage solves
 * c_eq(x + h sum a_ij k_j, k_i, u) = 0 for the rate k_i by Newton's method with the matrix
 * gamma h dc/dx + dc/dxd, which is kept while it serves, so that the matrix in front of the rates (eq 21) is
 * never inverted.
 */

#define GAMMA 0.4358665215084590
static const double TABLEAU[3][3] = {
    {GAMMA, 0.0, 0.0},
    {0.5 * (1.0 - GAMMA), GAMMA, 0.0},
    {-1.5 * GAMMA * GAMMA + 4.0 * GAMMA - 0.25, 1.5 * GAMMA * GAMMA - 5.0 * GAMMA + 1.25, GAMMA},
};

enum { MAX_ITERATIONS = 8, MAX_STEPS = 2000, MAX_EQUILIBRIUM = 60 };
/* Share of the tolerance that Newton may leave; a slower contraction renews the matrix. */
static const double NEWTON_SHARE = 0.03, SLOW = 0.3;

typedef struct {
    int n;
    double *A;       /* (n, n) factors */
    int *pivot, *end; /* row exchanged with, and one past the last column of each row that is not zero */
    double h;        /* step that the factors are of; 0: none */
    double *k[3], *x, *F, *base; /* (n,) stages, state at work, residual, what the stage starts from */
} Work;

/* Rows end early, since a node meets only its neighbours; gravity fills the lower triangle only. */
static int factor(Work *s) {
    const int n = s->n;
    double *A = s->A;
    for (int i = 0; i < n; ++i) {
        int e = n;
        while (e > i + 1 && A[(size_t)i * n + e - 1] == 0.0) --e;
        s->end[i] = e;
    }
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[(size_t)i * n + k]) > fabs(A[(size_t)best * n + k])) best = i;
        double *row = A + (size_t)k * n;
        if (!(fabs(A[(size_t)best * n + k]) > 0.0) || !isfinite(A[(size_t)best * n + k])) return 0;
        s->pivot[k] = best;
        if (best != k) {
            double *other = A + (size_t)best * n;
            for (int j = 0; j < n; ++j) {
                const double held = row[j];
                row[j] = other[j], other[j] = held;
            }
            const int held = s->end[k];
            s->end[k] = s->end[best], s->end[best] = held;
        }
        const int end = s->end[k];
        const double inverse = 1.0 / row[k];
        for (int i = k + 1; i < n; ++i) {
            double *restrict target = A + (size_t)i * n;
            if (target[k] == 0.0) continue;
            const double scale = target[k] *= inverse;
            for (int j = k + 1; j < end; ++j) target[j] -= scale * row[j];
            if (s->end[i] < end) s->end[i] = end;
        }
    }
    return 1;
}

/* y (n,) <- A^-1 y. */
static void solve(const Work *s, double *y) {
    const int n = s->n;
    for (int k = 0; k < n; ++k) {
        const double held = y[k];
        y[k] = y[s->pivot[k]], y[s->pivot[k]] = held;
    }
    for (int i = 0; i < n; ++i) {
        double total = y[i];
        for (int j = 0; j < i; ++j) total -= s->A[(size_t)i * n + j] * y[j];
        y[i] = total;
    }
    for (int i = n - 1; i >= 0; --i) {
        double total = y[i];
        for (int j = i + 1; j < s->end[i]; ++j) total -= s->A[(size_t)i * n + j] * y[j];
        y[i] = total / s->A[(size_t)i * n + i];
    }
}

/* Largest entry in units of scale (n,); infinite for what is no number. */
static double size_of(int n, const double *y, const double *scale) {
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        const double each = fabs(y[i]) / scale[i];
        if (!(each <= largest)) largest = isfinite(each) ? each : INFINITY;
    }
    return largest;
}

static int renew(const Rod *rod, Work *s, const double *x, const double *k, double h) {
    matrix(rod, x, k, GAMMA * h, 1.0, s->A);
    s->h = factor(s) ? h : 0.0;
    return s->h > 0.0;
}

/* Solve a stage for k, from the guess in it; s->x is left at the stage's state. */
static int stage(const Rod *rod, Work *s, const double *scale, double tolerance, double h, double *k) {
    const int n = s->n;
    double before = 0.0;
    int renewed = 0;
    for (int iteration = 0; iteration < MAX_ITERATIONS; ++iteration) {
        for (int i = 0; i < n; ++i) s->x[i] = s->base[i] + GAMMA * h * k[i];
        if (s->h != h) {
            if (!renew(rod, s, s->x, k, h)) return 0;
            before = 0.0, renewed = 1;
        }
        residual(rod, s->x, k, s->F);
        solve(s, s->F);
        const double now = GAMMA * h * size_of(n, s->F, scale);
        if (!isfinite(now)) return 0;
        for (int i = 0; i < n; ++i) k[i] -= s->F[i];
        const double contraction = before > 0.0 ? now / before : SLOW;
        if (contraction < 1.0 && now * contraction <= (1.0 - contraction) * NEWTON_SHARE * tolerance) {
            for (int i = 0; i < n; ++i) s->x[i] = s->base[i] + GAMMA * h * k[i];
            return 1;
        }
        if (contraction > SLOW) {
            if (renewed > 2) return 0;
            s->h = 0.0;
        }
        before = now;
    }
    return 0;
}

/* One step of h from x into s->x: its error in units of the tolerance; infinite where it failed. */
static double advance(const Rod *rod, Work *s, const double *scale, double tolerance, double h, const double *x) {
    const int n = s->n;
    for (int i = 0; i < 3; ++i) {
        for (int c = 0; c < n; ++c) {
            double sum = 0.0;
            for (int j = 0; j < i; ++j) sum += TABLEAU[i][j] * s->k[j][c];
            s->base[c] = x[c] + h * sum;
            if (i > 0) s->k[i][c] = i == 1 ? s->k[0][c] : 2.0 * s->k[1][c] - s->k[0][c];
        }
        if (!stage(rod, s, scale, tolerance, h, s->k[i])) return INFINITY;
    }
    /* c_eq is linear in the rates: with the error added to them it is dc/dxd times the error. */
    for (int c = 0; c < n; ++c)
        s->base[c] = s->k[2][c] + GAMMA * h * (s->k[0][c] - 2.0 * s->k[1][c] + s->k[2][c]);
    residual(rod, s->x, s->base, s->F);
    solve(s, s->F);
    return size_of(n, s->F, scale) / tolerance;
}

/* x (n,) after dt s; part: length of the steps that suits the tolerance, from call to call. 0: failed. */
static int integrate(const Rod *rod, Work *s, const double *scale, double tolerance, double dt, double *part,
                     double *x) {
    const int n = s->n;
    double left = dt;
    memset(s->k[0], 0, n * sizeof(double));
    s->h = 0.0;
    for (int count = 0; left > 1e-12 * dt; ++count) {
        const double h = left / ceil(left / fmin(*part, left) - 1e-9);
        const double error = advance(rod, s, scale, tolerance, h, x);
        if (count == MAX_STEPS || h < 1e-6 * dt) return 0;
        if (!(error <= 1.0)) {
            *part = h * (isfinite(error) ? fmax(0.2, 0.9 * pow(error, -1.0 / 3.0)) : 0.25);
            memset(s->k[0], 0, n * sizeof(double));
            s->h = 0.0;
            continue;
        }
        memcpy(x, s->x, n * sizeof(double));
        memcpy(s->k[0], s->k[2], n * sizeof(double));
        left -= h;
        const double growth = fmin(4.0, 0.9 * pow(fmax(error, 1e-6), -1.0 / 3.0));
        *part = growth > 1.2 || growth < 1.0 ? h * growth : h;
    }
    return 1;
}

/* Equilibrium from x by Newton's method, damped so that simplified corrections shrink. 0: not found. */
static int settle(const Rod *rod, Work *s, const double *scale, double tolerance, double *x) {
    const int n = s->n;
    double *zero = s->k[0], *step = s->k[1], *trial = s->x;
    memset(zero, 0, n * sizeof(double));
    for (int iteration = 0; iteration < MAX_EQUILIBRIUM; ++iteration) {
        matrix(rod, x, zero, 1.0, 0.0, s->A);
        if (!factor(s)) return 0;
        residual(rod, x, zero, step);
        solve(s, step);
        const double before = size_of(n, step, scale);
        double damping = 1.0, after;
        for (;; damping *= 0.5) {
            for (int i = 0; i < n; ++i) trial[i] = x[i] - damping * step[i];
            residual(rod, trial, zero, s->F);
            solve(s, s->F);
            after = size_of(n, s->F, scale);
            if (after <= (1.0 - 0.25 * damping) * before || before <= tolerance) break;
            if (damping < 1e-3) return 0;
        }
        memcpy(x, trial, n * sizeof(double));
        if (damping == 1.0 && after <= tolerance) return 1;
    }
    return 0;
}

static int make_work(Work *s, int n) {
    double *memory = malloc(((size_t)n * n + 6 * n) * sizeof(double));
    int *integers = malloc(2 * n * sizeof(int));
    if (!memory || !integers) {
        free(memory), free(integers);
        return 0;
    }
    double *vector = memory + (size_t)n * n;
    *s = (Work){n, memory, integers, integers + n, 0.0, {vector, vector + n, vector + 2 * n}, vector + 3 * n,
                vector + 4 * n, vector + 5 * n};
    return 1;
}

static void free_work(Work *s) {
    free(s->A);
    free(s->pivot);
}

/* States x (count, n), in place, after dt s; found (count,): 1 where the step could be made. */
void rod_step(int nodes, int sub, int parameters, int count, const double *p, const double *w, double dt,
              double part, const double *scale, double tolerance, double *x, int *found) {
    Work s;
    memset(found, 0, count * sizeof(int));
    if (!make_work(&s, 12 * nodes)) return;
    for (int k = 0; k < count; ++k) {
        Rod rod = rod_of(nodes, sub, parameters, p, w, k);
        double length = part;
        found[k] = integrate(&rod, &s, scale, tolerance, dt, &length, x + (size_t)s.n * k);
    }
    free_work(&s);
}

/* Equilibria from the guesses x (count, n), in place. */
void rod_settle(int nodes, int sub, int parameters, int count, const double *p, const double *w,
                const double *scale, double tolerance, double *x, int *found) {
    Work s;
    memset(found, 0, count * sizeof(int));
    if (!make_work(&s, 12 * nodes)) return;
    for (int k = 0; k < count; ++k) {
        Rod rod = rod_of(nodes, sub, parameters, p, w, k);
        found[k] = settle(&rod, &s, scale, tolerance, x + (size_t)s.n * k);
    }
    free_work(&s);
}
