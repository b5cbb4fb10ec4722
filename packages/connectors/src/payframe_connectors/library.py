"""The open connector library, `hyperswitch-prism`, loaded and configured.

`requests` and `connector` are the other modules that know it.
"""

import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any

# The library's messages are generated without types.
Message = Any


class LibraryMissing(Exception):
    """The library, or its native part for this machine, can not be loaded."""


class CanNotBeAsked(Exception):
    """The library makes no request of this. Nothing was sent."""


class Library:
    """The library's modules, loaded."""

    def __init__(self) -> None:
        try:
            self.payments: ModuleType = importlib.import_module("payments.generated.payment_pb2")
            self.methods: ModuleType = importlib.import_module("payments.generated.payment_methods_pb2")
            self.config: ModuleType = importlib.import_module("payments.generated.sdk_config_pb2")
            self.native: ModuleType = importlib.import_module("payments.generated.connector_service_ffi")
        except (ImportError, OSError) as problem:
            raise LibraryMissing(str(problem)) from problem

    def connectors(self) -> dict[str, list[str]]:
        """The ids of the connectors, each with the names of its options."""
        fields = self.payments.ConnectorSpecificConfig.DESCRIPTOR.fields
        return {field.name: [option.name for option in field.message_type.fields] for field in fields}

    def options(self, connector: str, values: Mapping[str, str], is_live: bool) -> bytes:
        """What a connector needs for each request. Raises `ValueError` about what is not known."""
        every = self.payments.ConnectorSpecificConfig()
        fields = every.DESCRIPTOR.fields_by_name
        if connector not in fields:
            raise ValueError("there is no such connector; `payframe-connectors list` prints those of the library")
        chosen = getattr(every, connector)
        chosen.SetInParent()
        known = chosen.DESCRIPTOR.fields_by_name
        for name, value in values.items():
            option = known.get(name)
            is_secret = option is not None and option.message_type and option.message_type.name == "SecretString"
            if option is None or option.is_repeated or not (is_secret or option.type == option.TYPE_STRING):
                raise ValueError(f"the connector has no option {name} that is a text; it has: {', '.join(known)}")
            if is_secret:
                getattr(chosen, name).value = value
            else:
                setattr(chosen, name, value)
        environment = self.config.PRODUCTION if is_live else self.config.SANDBOX
        return bytes(self.config.FfiOptions(environment=environment, connector_config=every).SerializeToString())
