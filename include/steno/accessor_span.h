/** @file
 * Spans: ranges of indices that describe parts of accessors. accessor.h includes this header; the
 * languages are the same.
 */
#ifndef STENO_ACCESSOR_SPAN_H
#define STENO_ACCESSOR_SPAN_H

#include "steno/detail/accessor/macro_check.h"
#include "steno/codec.h"

/** An index, an extent or a stride. Strides count elements and may be zero or negative. */
typedef stn_i64 stn_size;

/** The indices from `begin` up to, but not including, `end`. */
typedef struct stn_span {
    stn_size begin; /**< First index. */
    stn_size end;   /**< Index after the last one. */
} stn_span;

/** Value of `end` that stands for the extent of the dimension. */
#define STN_SPAN_END 0x7fffffffffffffff

/* ---- construction ---- */

/** Returns the span of the indices from `begin` to `end` - 1; it is empty if both are equal. */
STN_FN stn_span stn_span_of(stn_size begin_, stn_size end_)
{
    stn_span span_;
    span_.begin = begin_;
    span_.end = end_;
    return span_;
}
/** Returns the span of all indices of a dimension. */
STN_FN stn_span stn_all(void) { return stn_span_of(0, STN_SPAN_END); }

/** Returns the span of one `index`. The dimension is kept, with extent 1. */
STN_FN stn_span stn_at(stn_size index_) { return stn_span_of(index_, index_ + 1); }

/* ---- the indices of a span ---- */

/** Returns the first index of `span`. */
STN_FN stn_size stn_span_begin(stn_span span_) { return span_.begin; }

/** Returns the end of `span` in a dimension; the `extent` if the end is STN_SPAN_END. */
STN_FN stn_size stn_span_end(stn_span span_, stn_size extent_)
{
    return span_.end == STN_SPAN_END ? extent_ : span_.end;
}

/* ---- predicates ---- */

/** Returns whether 0 <= begin <= end in `span`. */
STN_FN int stn_span_is_valid(stn_span span_)
{
    return 0 <= span_.begin && span_.begin <= span_.end;
}
/** Returns whether `span` has no index: begin == end. */
STN_FN int stn_span_is_empty(stn_span span_) { return span_.begin == span_.end; }

/** Returns whether `a` and `b` have the same begin and the same end. */
STN_FN int stn_span_equal(stn_span a_, stn_span b_)
{
    return a_.begin == b_.begin && a_.end == b_.end;
}
/** Returns whether `a` ends at or before the begin of `b`. Adjacent spans are included. */
STN_FN int stn_span_before(stn_span a_, stn_span b_) { return a_.end <= b_.begin; }

/** Returns whether `a` ends before `b` begins, with at least one index between them. */
STN_FN int stn_span_disjoint(stn_span a_, stn_span b_) { return a_.end < b_.begin; }

#endif
