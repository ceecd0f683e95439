from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict

_SECRETS = frozenset({"api_key", "secret"})


class Model(BaseModel):
    """Base of every model: it keeps fields that a later platform adds, and prints no secret."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, hide_input_in_errors=True, protected_namespaces=())

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        for name, value in super().__repr_args__():
            yield name, "***" if name in _SECRETS and value is not None else value
