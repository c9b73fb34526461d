from os import PathLike
from typing import Any

from numpy.typing import DTypeLike

from steno import Array
from steno.sparse import SparseMatrix

def mmread(
    source: str | PathLike[str], format: str | DTypeLike | None = None, *, strict: bool = False
) -> SparseMatrix | Array: ...
def mmwrite(target: str | PathLike[str], a: Any) -> None: ...
