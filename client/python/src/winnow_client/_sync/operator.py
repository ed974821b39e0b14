"""Teams and keys of the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from .. import _operator_calls as calls
from .._call import Call
from .._flow import perform
from .._transport import Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types as api

T = TypeVar("T")


class Operator:
    """Manages teams and keys of the installation. Requires an operator key."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def overview(self) -> api.GetOperatorOverviewResponseData:
        """Returns the current state of the installation."""
        return self._run(calls.overview())

    def teams(self, **query: Unpack[api.OperatorTeamsQuery]) -> api.GetOperatorTeamsResponse:
        """Returns one page of teams. If `has_more` is true, pass its `cursor` to get the next page."""
        return self._run(calls.teams(query))

    def create_team(self, name: str, **options: Unpack[api.OperatorTeamsArguments]) -> api.OperatorTeam:
        """Creates a team without a key."""
        return self._run(calls.create_team(name, options))

    def change_team(
        self, team_id: str, **changes: Unpack[api.OperatorTeamsByIdArguments]
    ) -> api.PostOperatorTeamsByIdResponse:
        """Updates a team. `webhookSecret` is returned only if a new one was requested, and only once."""
        return self._run(calls.change_team(team_id, changes))

    def keys(self, **query: Unpack[api.OperatorKeysQuery]) -> api.GetOperatorKeysResponse:
        """Returns one page of keys. If `has_more` is true, pass its `cursor` to get the next page."""
        return self._run(calls.keys(query))

    def create_key(
        self, team_id: str, **options: Unpack[api.OperatorKeysArguments]
    ) -> api.PostOperatorKeysResponse:
        """Creates a key. `key` is the key itself, which is returned only once."""
        return self._run(calls.create_key(team_id, options))

    def revoke_key(self, key_id: str) -> None:
        return self._run(calls.revoke_key(key_id))

    def _run(self, call: Call[T]) -> T:
        return self._transport.run(perform(call, self._transport.requests.policy))
