"""Judges of our requests: the official packages' own types, with unknown fields forbidden."""

import inspect
import re
import typing

from pydantic import BaseModel, ConfigDict, TypeAdapter


def plain(value):
    """A validated value without lazy parts, models and enums."""
    if isinstance(value, BaseModel):
        return {k: plain(v) for k, v in value.model_dump(mode="json", by_alias=True, exclude_unset=True).items()}
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (str, bytes, int, float, bool)) or value is None:
        return value
    return [plain(v) for v in value]


def lost(sent, understood, place=""):
    """Fields that validation has dropped: the type does not know them."""
    if isinstance(sent, dict) and isinstance(understood, dict):
        for name, value in sent.items():
            if name not in understood:
                yield f"{place}.{name} is not known"
            else:
                yield from lost(value, understood[name], f"{place}.{name}")
    elif isinstance(sent, list) and isinstance(understood, list):
        for index, (a, b) in enumerate(zip(sent, understood)):
            yield from lost(a, b, f"{place}[{index}]")


def by_type(kind, free=()):
    """A judge that validates a body against a TypedDict of an SDK; `free` are fields that the service
    documents and the SDK's type leaves to `extra_body`."""
    adapter = TypeAdapter(kind)

    def judge(body):
        body = {k: v for k, v in body.items() if k not in free}
        try:
            understood = plain(adapter.validate_python(body))
        except Exception as wrong:  # noqa: BLE001
            return [f"{kind.__name__}: {str(wrong)[:600]}"]
        return [f"{kind.__name__}: {problem}" for problem in lost(body, understood)]

    return judge


def strict(model):
    return type("Strict" + model.__name__, (model,), {"model_config": ConfigDict(extra="forbid", populate_by_name=True)})


def by_model(model):
    kind = strict(model)

    def judge(body):
        try:
            kind.model_validate(body)
        except Exception as wrong:  # noqa: BLE001
            return [f"{model.__name__}: {str(wrong)[:600]}"]
        return []

    return judge


def by_signature(function, body):
    """For packages that have no type of their request but a method with its fields."""
    parameters = inspect.signature(function).parameters
    hints = typing.get_type_hints(function)
    names = {name for name, p in parameters.items() if p.kind is not p.VAR_KEYWORD and name not in ("self", "timeout")}
    problems = [f"{name} is not known" for name in body if name not in names]
    for name in body:
        if name in hints:
            try:
                TypeAdapter(hints[name]).validate_python(body[name])
            except Exception as wrong:  # noqa: BLE001
                problems.append(f"{name}: {str(wrong)[:200]}")
    return problems


def snake(body):
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): value for name, value in body.items()}
