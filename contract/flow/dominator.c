/* Regions and immediate dominators of a graph of basic blocks: the algorithm of T. Lengauer and R.
 * Tarjan, "A fast algorithm for finding dominators in a flowgraph", 1979, in its simple form, with
 * loops in place of recursion. */
#include "contract/flow/flow.h"

#include <string.h>

#include "core/memory.h"

/* Arrays indexed by depth-first number; 0 is "none". */
typedef struct walk {
    stn_graph *graph;
    int32_t *parent;   /* parent in the depth-first tree */
    int32_t *region;   /* region of each block (by block); 0: not visited */
    int32_t *semi;     /* semidominator */
    int32_t *ancestor; /* in the forest of linked vertices */
    int32_t *label;    /* the vertex of minimum semidominator on the path */
    int32_t *bucket;   /* first vertex with this semidominator */
    int32_t *chained;  /* next vertex with the same */
    int32_t *stack;
    int32_t visited;
} walk;

enum { ARRAYS = 8, KEPT = 6 };

static void count_predecessors(stn_graph *graph)
{
    memset(graph->before, 0, ((size_t)graph->blocks + 1) * sizeof *graph->before);
    for (int32_t e = 0; e < graph->ways[graph->blocks]; e++)
        graph->before[graph->next[e]]++;
}

static void visit(walk *w, int32_t block, int32_t parent, int32_t region)
{
    w->graph->visited[++w->visited] = block;
    w->graph->number[block] = w->visited;
    w->parent[w->visited] = parent;
    w->region[block] = region;
}

/* Depth-first search of all unvisited blocks from `root`. The stack holds the current path by
 * number, and `chained`, which is still unused, the next edge of each vertex. */
static void walk_from(walk *w, int32_t root, int32_t region)
{
    int32_t depth = 0;
    visit(w, root, 0, region);
    w->chained[w->visited] = w->graph->ways[root];
    w->stack[depth++] = w->visited;
    while (depth > 0) {
        const int32_t at = w->stack[depth - 1];
        if (w->chained[at] == w->graph->ways[w->graph->visited[at] + 1]) {
            depth--;
            continue;
        }
        const int32_t next = w->graph->next[w->chained[at]++];
        if (w->region[next])
            continue;
        visit(w, next, at, region);
        w->chained[w->visited] = w->graph->ways[next];
        w->stack[depth++] = w->visited;
    }
}

static void walk_all(walk *w)
{
    const stn_graph *graph = w->graph;
    int32_t region = 1;
    memset(w->region, 0, (size_t)graph->blocks * sizeof *w->region);
    walk_from(w, 0, region);
    for (int32_t b = 0; b < graph->blocks; b++)
        if (!w->region[b] && graph->before[b] == 0)
            walk_from(w, b, ++region);
    for (int32_t b = 0; b < graph->blocks; b++)
        if (!w->region[b])
            walk_from(w, b, ++region);
}

static int is_edge(const walk *w, int32_t block, int32_t way)
{
    return w->region[w->graph->next[way]] == w->region[block];
}

static void list_predecessors(walk *w)
{
    stn_graph *graph = w->graph;
    int32_t *const before = graph->before;
    memset(before, 0, ((size_t)graph->blocks + 1) * sizeof *before);
    for (int32_t b = 0; b < graph->blocks; b++)
        for (int32_t e = graph->ways[b]; e < graph->ways[b + 1]; e++)
            before[graph->next[e] + 1] += is_edge(w, b, e);
    for (int32_t b = 0; b < graph->blocks; b++)
        before[b + 1] += before[b];
    memcpy(w->stack, before, (size_t)graph->blocks * sizeof *before);
    for (int32_t b = 0; b < graph->blocks; b++)
        for (int32_t e = graph->ways[b]; e < graph->ways[b + 1]; e++)
            if (is_edge(w, b, e))
                graph->from[w->stack[graph->next[e]]++] = b;
}

/* The vertex of minimum semidominator above `vertex` in the forest; compresses paths. */
static int32_t evaluate(walk *w, int32_t vertex)
{
    int32_t depth = 0;
    if (!w->ancestor[vertex])
        return vertex;
    for (int32_t v = vertex; w->ancestor[w->ancestor[v]]; v = w->ancestor[v])
        w->stack[depth++] = v;
    while (depth > 0) {
        const int32_t v = w->stack[--depth], above = w->ancestor[v];
        if (w->semi[w->label[above]] < w->semi[w->label[v]])
            w->label[v] = w->label[above];
        w->ancestor[v] = w->ancestor[above];
    }
    return w->label[vertex];
}

static void find_semidominator(walk *w, int32_t vertex)
{
    const stn_graph *graph = w->graph;
    const int32_t block = graph->visited[vertex];
    for (int32_t p = graph->before[block]; p < graph->before[block + 1]; p++) {
        const int32_t least = evaluate(w, graph->number[graph->from[p]]);
        if (w->semi[least] < w->semi[vertex])
            w->semi[vertex] = w->semi[least];
    }
    w->chained[vertex] = w->bucket[w->semi[vertex]];
    w->bucket[w->semi[vertex]] = vertex;
}

static void empty_bucket(walk *w, int32_t parent)
{
    for (int32_t v = w->bucket[parent]; v; v = w->chained[v]) {
        const int32_t least = evaluate(w, v);
        w->graph->dominator[v] = w->semi[least] < w->semi[v] ? least : parent;
    }
    w->bucket[parent] = 0;
}

static void find_dominators(walk *w)
{
    stn_graph *graph = w->graph;
    for (int32_t v = 0; v <= graph->blocks; v++) {
        w->semi[v] = w->label[v] = v;
        w->ancestor[v] = w->bucket[v] = w->chained[v] = 0;
        graph->dominator[v] = 0;
    }
    for (int32_t v = graph->blocks; v >= 1; v--) {
        if (!w->parent[v])
            continue;
        find_semidominator(w, v);
        w->ancestor[v] = w->parent[v];
        empty_bucket(w, w->parent[v]);
    }
    for (int32_t v = 1; v <= graph->blocks; v++)
        if (graph->dominator[v] != w->semi[v] && w->parent[v])
            graph->dominator[v] = graph->dominator[graph->dominator[v]];
}

/* Numbers the dominator tree so that the subtree of v is opens[v] to opens[v] + weight[v]. */
static void number_dominators(walk *w)
{
    stn_graph *graph = w->graph;
    int32_t *const free_place = w->stack;
    for (int32_t v = 0; v <= graph->blocks; v++)
        graph->weight[v] = 1;
    for (int32_t v = graph->blocks; v >= 1; v--)
        graph->weight[graph->dominator[v]] += graph->weight[v];
    graph->opens[0] = 0;
    free_place[0] = 1;
    for (int32_t v = 1; v <= graph->blocks; v++) {
        const int32_t above = graph->dominator[v];
        graph->opens[v] = free_place[above];
        free_place[above] += graph->weight[v];
        free_place[v] = graph->opens[v] + 1;
    }
}

static void share_out(stn_graph *graph, int32_t *memory)
{
    const int64_t size = graph->blocks + 1;
    int32_t **const kept[KEPT] = {&graph->before,    &graph->visited, &graph->number,
                                  &graph->dominator, &graph->opens,   &graph->weight};
    graph->memory = memory;
    for (int k = 0; k < KEPT; k++)
        *kept[k] = memory + k * size;
    graph->visited[0] = -1;
}

stn_status stn_graph_dominate(stn_graph *graph)
{
    const int64_t size = (int64_t)graph->blocks + 1;
    int32_t *memory, *scratch;
    STN_TRY(stn_allocate(&memory, KEPT * size, sizeof(int32_t), "dominators"));
    share_out(graph, memory);
    STN_TRY(stn_allocate(&graph->from, graph->ways[graph->blocks], sizeof(int32_t), "edges"));
    STN_TRY(stn_allocate(&scratch, ARRAYS * size, sizeof(int32_t), "dominators"));
    walk w = {.graph = graph};
    int32_t **const arrays[ARRAYS] = {&w.parent, &w.region, &w.semi,    &w.ancestor,
                                      &w.label,  &w.bucket, &w.chained, &w.stack};
    for (int k = 0; k < ARRAYS; k++)
        *arrays[k] = scratch + k * size;
    count_predecessors(graph);
    walk_all(&w);
    list_predecessors(&w);
    find_dominators(&w);
    number_dominators(&w);
    stn_free(scratch);
    return STN_OK;
}
