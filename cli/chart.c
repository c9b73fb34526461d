/* A line chart in SVG with a logarithmic y axis. */
#include "chart.h"

#include <math.h>
#include <string.h>

/* Lengths in pixels. */
enum { WIDTH = 560, HEIGHT = 340, LEFT = 62, RIGHT = 14, TOP = 34, BOTTOM = 46, ZERO = 16 };
enum { MAX_DECADES = 7, MAX_TICKS = 40 };

void chart_text(FILE *out, const char *text)
{
    static const char *const reserved = "&<>\"'";
    static const char *const written[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (; *text; text++) {
        const char *at = strchr(reserved, *text);
        if (at)
            fputs(written[at - reserved], out);
        else
            fputc(*text, out);
    }
}

/* ---- axes ---- */

typedef struct axis {
    double low, high; /* logarithms to base 10, or values of a linear axis */
    double from, to;  /* pixels */
    int is_linear;
} axis;

static double at(const axis *of, double value)
{
    const double along = of->is_linear ? value : log10(value);
    return of->from + (along - of->low) / (of->high - of->low) * (of->to - of->from);
}

static void widen(axis *of, double value)
{
    if (!isfinite(value) || value <= 0.0)
        return;
    of->low = of->is_linear ? 0.0 : fmin(of->low, log10(value));
    of->high = fmax(of->high, of->is_linear ? value : log10(value));
}

/* The next 1, 2 or 5 times a power of ten, at or beyond a logarithm. */
static double next_round(double logarithm, int up)
{
    static const double rounds[] = {1.0, 2.0, 5.0, 10.0};
    const double decade = floor(logarithm + 1e-9);
    double best = decade + (up ? 1.0 : 0.0);
    for (int k = 0; k < 4; k++) {
        const double here = decade + log10(rounds[k]);
        if (up ? here >= logarithm - 1e-9 && here < best : here <= logarithm + 1e-9 && here > best)
            best = here;
    }
    return best;
}

static int has_zero(const chart *drawn)
{
    for (int l = 0; l < drawn->line_count; l++)
        for (int k = 0; k < drawn->lines[l].count; k++)
            if (drawn->lines[l].y[k] == 0.0)
                return 1;
    return 0;
}

static axis empty_axis(void)
{
    return (axis){INFINITY, -INFINITY, 0.0, 0.0, 0};
}

/* Covers at least a factor of two. */
static void settle(axis *of, double from, double to)
{
    if (of->low > of->high)
        of->low = of->high = 0.0;
    if (of->high - of->low < 0.3) {
        of->low -= 0.15;
        of->high += 0.15;
    }
    of->from = from;
    of->to = to;
}

static void create_axes(const chart *drawn, axis *x, axis *y)
{
    *x = *y = empty_axis();
    x->is_linear = drawn->is_linear;
    for (int l = 0; l < drawn->line_count; l++)
        for (int k = 0; k < drawn->lines[l].count; k++) {
            widen(x, drawn->lines[l].x[k]);
            widen(y, drawn->lines[l].y[k]);
        }
    settle(x, LEFT + 8, WIDTH - RIGHT - 8);
    settle(y, HEIGHT - BOTTOM - (has_zero(drawn) ? ZERO : 0), TOP);
    y->low = next_round(y->low, 0);
    y->high = next_round(y->high, 1);
}

/* ---- axis labels ---- */

/* base^exponent with a raised exponent. */
static void print_power(FILE *out, int base, int exponent)
{
    fprintf(out, "%d<tspan dy=\"-5\" font-size=\"9\">%s%d</tspan>", base,
            exponent < 0 ? "&#8722;" : "", exponent < 0 ? -exponent : exponent);
}

static void print_value(FILE *out, chart_unit unit, double value)
{
    if (unit == CHART_POWER)
        print_power(out, 10, (int)lround(log10(value)));
    else if (unit == CHART_NUMBER)
        fprintf(out, "%.6g", value);
    else if (value < 0.99e-6)
        fprintf(out, "%.4g ns", 1e9 * value);
    else if (value < 0.99e-3)
        fprintf(out, "%.4g &#181;s", 1e6 * value);
    else if (value < 0.99)
        fprintf(out, "%.4g ms", 1e3 * value);
    else
        fprintf(out, "%.4g s", value);
}

/* 1, 2, 5 if they fit, else powers of ten, else every n-th power of ten. */
static int ticks_of(const axis *of, chart_unit unit, double *ticks)
{
    const double decades = of->high - of->low;
    const int step = decades > 2 * MAX_DECADES ? 3 : decades > MAX_DECADES ? 2 : 1;
    const int all = decades <= 2.4 && unit != CHART_POWER;
    int count = 0;
    for (int d = (int)floor(of->low); d <= (int)ceil(of->high); d++)
        for (int k = 0; k < 3; k++) {
            static const double rounds[] = {1.0, 2.0, 5.0};
            const double tick = d + log10(rounds[k]);
            if ((k == 0 ? all || d % step == 0 : all) && tick > of->low - 1e-9 &&
                tick < of->high + 1e-9 && count < MAX_TICKS)
                ticks[count++] = pow(10.0, d) * rounds[k];
        }
    return count;
}

static void draw_y(FILE *out, const chart *drawn, const axis *y)
{
    double ticks[MAX_TICKS];
    const int count = ticks_of(y, drawn->unit, ticks);
    for (int k = 0; k < count; k++) {
        const double height = at(y, ticks[k]);
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                LEFT, WIDTH - RIGHT, height, height, LEFT - 6, height + 4);
        print_value(out, drawn->unit, ticks[k]);
        fputs("</text>\n", out);
    }
    if (has_zero(drawn))
        fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>\n", LEFT - 6,
                HEIGHT - BOTTOM + 4);
}

static void open_tick(FILE *out, double along)
{
    fprintf(out,
            "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
            along, along, TOP, HEIGHT - BOTTOM, along, HEIGHT - BOTTOM + 18);
}

/* At most about nine round numbers. */
static void draw_linear_x(FILE *out, const axis *x)
{
    const double step = pow(10.0, next_round(log10(x->high / 9.0), 1));
    for (double tick = 0.0; tick <= x->high * (1.0 + 1e-9); tick += step) {
        open_tick(out, at(x, tick));
        fprintf(out, "%.10g</text>\n", tick);
    }
}

/* Powers of two, at most about nine. */
static void draw_x(FILE *out, const axis *x)
{
    const int first = (int)ceil(x->low / log10(2.0) - 1e-9);
    const int last = (int)floor(x->high / log10(2.0) + 1e-9);
    const int step = 1 + (last - first) / 9;
    for (int power = first; power <= last; power += step) {
        open_tick(out, at(x, ldexp(1.0, power)));
        if (power < 14)
            fprintf(out, "%d", 1 << (power < 0 ? 0 : power));
        else
            print_power(out, 2, power);
        fputs("</text>\n", out);
    }
}

/* ---- lines ---- */

static double height_of(const axis *y, double value)
{
    return value == 0.0 ? HEIGHT - BOTTOM : at(y, value);
}

/* 0 has no logarithm, so it is joined with 0 only. */
static int joins(double left, double right)
{
    return isfinite(left) && (left == 0.0) == (right == 0.0);
}

static void draw_path(FILE *out, const chart_line *line, const axis *x, const axis *y)
{
    fprintf(out, "<path class=\"line %s%s\" d=\"", line->colour, line->dashed ? " dashed" : "");
    for (int k = 0; k < line->count; k++)
        if (isfinite(line->y[k]))
            fprintf(out, "%s%.1f %.1f", k > 0 && joins(line->y[k - 1], line->y[k]) ? "L" : "M",
                    at(x, line->x[k]), height_of(y, line->y[k]));
    fputs("\"/>\n", out);
}

static void open_mark(FILE *out, const chart_line *line, double x, double y)
{
    if (line->hollow)
        fprintf(out, "<rect class=\"hollow %s\" x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\">",
                line->colour, x - 3.5, y - 3.5);
    else
        fprintf(out, "<circle class=\"mark %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\">", line->colour, x,
                y);
}

static void close_mark(FILE *out, const chart_line *line)
{
    fputs(line->hollow ? "</rect>\n" : "</circle>\n", out);
}

static void draw_marks(FILE *out, const chart *drawn, const chart_line *line, const axis *x,
                       const axis *y)
{
    for (int k = 0; k < line->count; k++) {
        if (!isfinite(line->y[k]))
            continue;
        open_mark(out, line, at(x, line->x[k]), height_of(y, line->y[k]));
        fputs("<title>", out);
        chart_text(out, line->label);
        fprintf(out, ", n = %.10g: ", line->x[k]);
        if (drawn->unit == CHART_SECONDS)
            print_value(out, CHART_SECONDS, line->y[k]);
        else
            fprintf(out, "%.3g", line->y[k]);
        fputs("</title>", out);
        close_mark(out, line);
    }
}

/* All points except the element that the point is in. */
static void draw_all(FILE *out, const chart *drawn)
{
    axis x, y;
    create_axes(drawn, &x, &y);
    fputs("<title>", out);
    chart_text(out, drawn->title);
    fprintf(out, "</title>\n<text class=\"name\" x=\"%d\" y=\"18\">", LEFT);
    chart_text(out, drawn->title);
    fprintf(out, "<tspan class=\"unit\" dx=\"8\">");
    chart_text(out, drawn->y_label);
    fputs("</tspan></text>\n", out);
    draw_y(out, drawn, &y);
    if (drawn->is_linear)
        draw_linear_x(out, &x);
    else
        draw_x(out, &x);
    fprintf(out,
            "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n"
            "<text class=\"unit\" x=\"%d\" y=\"%d\" text-anchor=\"end\">",
            LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - 8);
    chart_text(out, drawn->x_label);
    fputs("</text>\n", out);
    for (int l = 0; l < drawn->line_count; l++)
        draw_path(out, &drawn->lines[l], &x, &y);
    for (int l = 0; l < drawn->line_count && !drawn->is_linear; l++)
        draw_marks(out, drawn, &drawn->lines[l], &x, &y);
}

void chart_write(FILE *out, const chart *drawn)
{
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH, HEIGHT);
    draw_all(out, drawn);
    fputs("</svg>\n", out);
}

static const char style[] =
    "<style>text{font:11px system-ui,sans-serif;fill:#1c1c1e}.name{font-size:14px;font-weight:600}"
    ".unit{font-size:11px;font-weight:400;fill:#6a6a70}.grid{stroke:#dcdce0}.axis{stroke:#6a6a70}"
    ".line{fill:none;stroke-width:1.6}.dashed{stroke-dasharray:5 4}"
    ".s0{stroke:#0072b2}.s1{stroke:#d55e00}.s2{stroke:#008a64}.s3{stroke:#b5478b}.s4{stroke:#"
    "a87b00}"
    ".s5{stroke:#2f9fe0}.s6{stroke:#7a5a3a}.s7{stroke:#5b5bd6}</style>\n";

void chart_write_alone(FILE *out, const chart *drawn)
{
    enum { ROW = 16 };
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n%s",
            WIDTH, HEIGHT, 2 * WIDTH, 2 * HEIGHT, WIDTH, HEIGHT, style);
    draw_all(out, drawn);
    for (int l = 0; l < drawn->line_count; l++) {
        const int top = TOP + 14 + l * ROW;
        fprintf(out, "<path class=\"line %s%s\" d=\"M%d %dL%d %d\"/><text x=\"%d\" y=\"%d\">",
                drawn->lines[l].colour, drawn->lines[l].dashed ? " dashed" : "", WIDTH - RIGHT - 90,
                top - 4, WIDTH - RIGHT - 66, top - 4, WIDTH - RIGHT - 60, top);
        chart_text(out, drawn->lines[l].label);
        fputs("</text>\n", out);
    }
    fputs("</svg>\n", out);
}

void chart_swatch(FILE *out, const chart_line *line)
{
    fprintf(out,
            "<svg class=\"swatch\" viewBox=\"0 0 36 12\" width=\"36\" height=\"12\">"
            "<path class=\"line %s%s\" d=\"M1 6L35 6\"/>",
            line->colour, line->dashed ? " dashed" : "");
    open_mark(out, line, 18.0, 6.0);
    close_mark(out, line);
    fputs("</svg>", out);
}
