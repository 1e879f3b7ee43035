"""Compiling for the machine: one decorator for helpers, one for entry points, and where the code is kept.

With `NUMBA_DISABLE_JIT=1` everything here runs as plain Python, under a debugger or coverage.
"""

import ctypes
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ono_replay.bulk.kept_code import make_folder

_njit: Any = numba.njit
_config: Any = numba.config
_unliteral: Any = types.unliteral

COMPILED: bool = not _config.DISABLE_JIT
"""Whether functions of this floor are machine code."""

_F = TypeVar("_F", bound=Callable[..., Any])
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_rewrites": True}


def inlined(function: _F) -> _F:
    """Make a function part of each that calls it: it is not compiled by itself, which takes time of its own."""
    made: _F = _njit(inline="always", **_OPTIONS)(function)
    return made


def hot(function: _F) -> _F:
    """Compile a function that is called for nearly every event: its code is put where it is called."""
    return _helper(function, forceinline=True)


def helper(function: _F) -> _F:
    """Compile a function that is called from compiled ones."""
    return _helper(function)


def _helper(function: _F, **options: bool) -> _F:
    compiled: Any = _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options, **_OPTIONS)(function)
    if COMPILED:
        resolve = compiled.get_call_template

        def resolve_once(args: Any, keywords: Any) -> Any:
            # numba would compile a function anew for each constant and each width of integer it is called with.
            wide = [types.int64 if isinstance(arg, types.Integer) else _unliteral(arg) for arg in args]
            return resolve(tuple(wide), keywords)

        compiled.get_call_template = resolve_once
    made: _F = compiled
    return made


def entry(function: _F) -> _F:
    """Compile a function that is called from Python; its code is kept on disk for the next run."""
    folder = make_folder() if COMPILED else None
    before = _config.CACHE_DIR
    # Where nothing can be kept it is compiled by each process; the compiler's own ways would keep code too long.
    _config.CACHE_DIR = before or str(folder)
    try:
        made: _F = _njit(cache=folder is not None, **_OPTIONS)(function)
    finally:
        _config.CACHE_DIR = before
    return made


_WORD, _BYTE = ir.IntType(64), ir.IntType(8)


def _load(builder: Any, address: Any, kind: Any) -> Any:
    return builder.load(builder.inttoptr(address, kind.as_pointer()), align=1, typ=kind)


load8: Callable[[int], int]
store8: Callable[[int, int], None]
byte: Callable[[int], int]
trailing_zeros: Callable[[int], int]
call: Callable[[int, int, int, int], None]

if COMPILED:

    @intrinsic
    def load8(_typing: Any, _address: Any) -> Any:
        """Return the eight bytes at an address as one integer, little end first, signed."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return _load(builder, args[0], _WORD)

        return types.int64(types.int64), generate

    @intrinsic
    def store8(_typing: Any, _address: Any, _value: Any) -> Any:
        """Write an integer as eight bytes to an address, little end first."""

        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            builder.store(args[1], builder.inttoptr(args[0], _WORD.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

    @intrinsic
    def byte(_typing: Any, _address: Any) -> Any:
        """Return the byte at an address."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.zext(_load(builder, args[0], _BYTE), _WORD)

        return types.int64(types.int64), generate

    @intrinsic
    def trailing_zeros(_typing: Any, _value: Any) -> Any:
        """Return how many bits of an integer that is not 0 are 0 below its lowest 1."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def call(_typing: Any, _function: Any, _first: Any, _second: Any, _third: Any) -> Any:
        """Call a function of C at an address with three addresses or sizes; what it returns is left."""

        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(_WORD, [_WORD] * 3)
            builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
            return context.get_dummy_value()

        return types.void(*[types.int64] * 4), generate

else:

    def load8(address: int) -> int:
        """Return the eight bytes at an address as one integer, little end first, signed."""
        return int.from_bytes(ctypes.string_at(int(address), 8), "little", signed=True)

    def store8(address: int, value: int) -> None:
        """Write an integer as eight bytes to an address, little end first."""
        ctypes.memmove(int(address), int(value).to_bytes(8, "little", signed=True), 8)

    def byte(address: int) -> int:
        """Return the byte at an address."""
        return ctypes.string_at(int(address), 1)[0]

    def trailing_zeros(value: int) -> int:
        """Return how many bits of an integer that is not 0 are 0 below its lowest 1."""
        return (int(value) & -int(value)).bit_length() - 1

    def call(function: int, first: int, second: int, third: int) -> None:
        """Call a function of C at an address with three addresses or sizes; what it returns is left."""
        kind = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
        kind(int(function))(int(first), int(second), int(third))
