# Generated from the file of this name in _sync by `npm run generate`.
"""Teams and keys of the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from .. import _operator_calls as calls
from .._call import Call
from .._flow import perform
from .._transport import AsyncTransport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types as api

T = TypeVar("T")


class AsyncOperator:
    """Manages teams and keys of the installation. Requires an operator key."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def overview(self) -> api.GetOperatorOverviewResponseData:
        """Returns the current state of the installation."""
        return await self._run(calls.overview())

    async def teams(self, **query: Unpack[api.OperatorTeamsQuery]) -> api.GetOperatorTeamsResponse:
        """Returns one page of teams. If `has_more` is true, pass its `cursor` to get the next page."""
        return await self._run(calls.teams(query))

    async def create_team(self, name: str, **options: Unpack[api.OperatorTeamsArguments]) -> api.OperatorTeam:
        """Creates a team without a key."""
        return await self._run(calls.create_team(name, options))

    async def change_team(
        self, team_id: str, **changes: Unpack[api.OperatorTeamsByIdArguments]
    ) -> api.PostOperatorTeamsByIdResponse:
        """Updates a team. `webhookSecret` is returned only if a new one was requested, and only once."""
        return await self._run(calls.change_team(team_id, changes))

    async def keys(self, **query: Unpack[api.OperatorKeysQuery]) -> api.GetOperatorKeysResponse:
        """Returns one page of keys. If `has_more` is true, pass its `cursor` to get the next page."""
        return await self._run(calls.keys(query))

    async def create_key(
        self, team_id: str, **options: Unpack[api.OperatorKeysArguments]
    ) -> api.PostOperatorKeysResponse:
        """Creates a key. `key` is the key itself, which is returned only once."""
        return await self._run(calls.create_key(team_id, options))

    async def revoke_key(self, key_id: str) -> None:
        return await self._run(calls.revoke_key(key_id))

    async def _run(self, call: Call[T]) -> T:
        return await self._transport.run(perform(call, self._transport.requests.policy))
