"""API calls that require an operator key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._call import Call, RetryRule, to_wire
from ._calls import segment

if TYPE_CHECKING:
    from . import types as api


def overview() -> Call[api.GetOperatorOverviewResponseData]:
    def data(response: api.GetOperatorOverviewResponse) -> api.GetOperatorOverviewResponseData:
        return response["data"]

    return Call("GET", "/v2/operator/overview", read=data, expects=("data",))


def teams(query: api.OperatorTeamsQuery) -> Call[api.GetOperatorTeamsResponse]:
    return Call("GET", "/v2/operator/teams", to_wire(query))


def create_team(name: str, options: api.OperatorTeamsArguments) -> Call[api.OperatorTeam]:
    def data(response: api.PostOperatorTeamsResponse) -> api.OperatorTeam:
        return response["data"]

    body = {"name": name, **to_wire(options)}
    return Call("POST", "/v2/operator/teams", body=body, retry_rule=RetryRule.UNSTARTED, read=data, expects=("data",))


def change_team(
    team_id: str, changes: api.OperatorTeamsByIdArguments
) -> Call[api.PostOperatorTeamsByIdResponse]:
    # A change adds credits, so a retry could add them twice.
    return Call("POST", f"/v2/operator/teams/{segment(team_id)}", body=to_wire(changes), retry_rule=RetryRule.UNSTARTED)


def keys(query: api.OperatorKeysQuery) -> Call[api.GetOperatorKeysResponse]:
    return Call("GET", "/v2/operator/keys", to_wire(query))


def create_key(team_id: str, options: api.OperatorKeysArguments) -> Call[api.PostOperatorKeysResponse]:
    body = {"teamId": team_id, **to_wire(options)}
    return Call("POST", "/v2/operator/keys", body=body, retry_rule=RetryRule.UNSTARTED)


def revoke_key(key_id: str) -> Call[None]:
    def ignore(_: object) -> None:
        return None

    return Call("DELETE", f"/v2/operator/keys/{segment(key_id)}", done_code="KEY_NOT_FOUND", read=ignore)
