"""An adapter between a Payframe gateway and the payment processors of an open connector library.

It speaks the gateway's acquirer protocol on one side, and asks processors through the library `hyperswitch-prism` on
the other. `server` and `adapter` know nothing of the library; the modules that do are `library`, `requests` and
`connector`.
"""

__version__ = "0.1.0"
