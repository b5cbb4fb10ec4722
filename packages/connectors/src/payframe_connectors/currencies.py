"""How many digits behind the point the library gives a currency's minor unit.

An amount crosses two systems here. Where they do not agree on its unit, the payment is not asked for: a factor of ten
is nobody's rounding error. `tests/processors` holds this table against the library.
"""

_NONE = frozenset("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF".split())
_THREE = frozenset("BHD JOD KWD OMR TND".split())
_NOT_TAKEN = frozenset("AFN BTN CDF CLF CUC ERN IRR ISK KPW SDG STD SYP TJS TMT ZWL".split())
"""Currencies that the library names, and whose unit it does not know."""


def minor_digits(currency: str) -> int | None:
    """The library's digits behind the point, or none where it has no certain unit."""
    if currency in _NOT_TAKEN:
        return None
    if currency in _NONE:
        return 0
    return 3 if currency in _THREE else 2
