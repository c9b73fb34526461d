/* Scales are f64 or f32, in the class template too. */
/* error c++: scales are for double and float arithmetic */
#ifdef __cplusplus
#    include "steno/accessor.hpp"

#    ifdef TWIN
typedef double arithmetic;
#    else
typedef int64_t arithmetic;
#    endif

int size();
int size()
{
    return (int)sizeof(stn::accessor<1, arithmetic, int8_t, stn::right, stn::scaled<0x1>>);
}
#endif
