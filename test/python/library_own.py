"""Uses a separate service with the project's own client: as operator, with a language model, and during a restart.

See steps.py for the argument and the output.
"""

import asyncio
import hmac
import http.server
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from steps import Client, each, failure, given, of, run, say

from winnow_client import WebhookSignatureError, verify_webhook

site = given["site"]
client = Client(given["url"], given["key"])
house = [f"{site}/house", f"{site}/house/people"]


async def extracts():
    job = await of(client.start_extract(house, schema=given["schema"], show_sources=True))
    reopened_job = client.extract_job(job.id)
    return {
        "first": (await of(job.status()))["status"],
        "ended": await of(reopened_job.wait(timeout=60)),
        "whole": await of(client.extract(house, schema=given["schema"])),
    }


async def agents():
    ended = await of(client.agent(given["prompt"], urls=[f"{site}/house"], max_credits=50))
    job = await of(client.start_agent("Wait"))
    running = await of(job.status())
    await of(job.cancel())
    return {
        "ended": ended,
        "running": running["status"],
        "cancelled": await failure(client.agent_job(job.id).wait),
    }


async def failing_job():
    job = await of(client.start_crawl("http://no-such-host.invalid/", limit=2))

    async def read():
        return [page async for page in each(job)]

    return {"read": await failure(read), "waited": await of(job.wait())}


class Receiver(http.server.BaseHTTPRequestHandler):
    deliveries = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.deliveries.append((body, self.headers["x-service-signature"], self.headers["x-winnow-signature"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def rejection_reason(*delivery, **options):
    try:
        return verify_webhook(*delivery, **options)
    except (WebhookSignatureError, ValueError) as error:
        return getattr(error, "reason", str(error))


async def deliveries(team):
    """Verifies a real delivery of the service, and forged ones."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    secret = (await of(client.operator.change_team(team["team"]["id"], webhook_secret="new")))["webhookSecret"]
    webhook = {"url": f"http://127.0.0.1:{server.server_port}/", "events": ["page"], "metadata": {"of": "mine"}}
    await of(team["client"].batch([f"{site}/pages/1"], webhook=webhook))
    for _ in range(200):
        if Receiver.deliveries:
            break
        await asyncio.sleep(0.1)
    server.shutdown()
    body, signature, timed_signature = Receiver.deliveries[0]
    late = "t=1" + timed_signature[timed_signature.index(",") :]
    key = secret.encode()
    old = f"t=1700000000,v1={hmac.new(key, b'1700000000.' + body, 'sha256').hexdigest()}"
    return {
        "event": verify_webhook(body, signature, secret),
        "while_it_changes": verify_webhook(body, signature, ["another", secret])["type"],
        "changed": rejection_reason(body + b" ", signature, secret),
        "other_secret": rejection_reason(body, signature, "another"),
        "no_signature": rejection_reason(body, None, secret),
        "no_hex": rejection_reason(body, "sha256=" + "z" * 64, secret),
        "no_secret": rejection_reason(body, signature, ""),
        "timed": verify_webhook(body, timed_signature, ["another", secret])["type"],
        "timed_changed": rejection_reason(body + b" ", timed_signature, secret),
        "timed_again": rejection_reason(body, late, secret),
        "expired": rejection_reason(body, old, secret),
        "old_but_wanted": verify_webhook(body, old, secret, tolerance=float("inf"))["type"],
        "no_tolerance": rejection_reason(body, timed_signature, secret, tolerance=-1),
    }


async def operators():
    operator = client.operator
    name = f"made by {given['kind']}"
    team = await of(operator.create_team(name, credits=500, concurrency=2))
    created = await of(operator.create_key(team["id"]))
    other = Client(given["url"], created["key"], retries=0)
    listed = await of(operator.keys(team_id=team["id"]))
    results = {
        "team": team,
        "taken": await failure(lambda: operator.create_team(name)),
        "listed": [key["id"] for key in listed["data"]] == [created["data"]["id"]],
        "known": team["id"] in [item["id"] for item in (await of(operator.teams(limit=100)))["data"]],
        "changed": (await of(operator.change_team(team["id"], credits=7)))["data"],
        "overview": await of(operator.overview()),
        "of_the_team": await of(other.team()),
        "webhooks": await deliveries({"team": team, "client": other}),
    }
    # Far more calls than the limit, because a slow machine sends few of them in a minute.
    for _ in range(150):
        results["limited"] = await failure(lambda: other.scrape(f"{site}/pages/1"))
        if "kind" in results["limited"]:
            break
    await of(operator.revoke_key(created["data"]["id"]))
    # A revoked key stops working within a second.
    for _ in range(100):
        results["revoked"] = await failure(other.team)
        if "kind" in results["revoked"]:
            break
        await asyncio.sleep(0.1)
    return results


async def restarted():
    urls = [f"{site}/slow?ms=600&{given['kind']}={number}" for number in range(5)]
    job = await of(client.start_batch(urls, max_concurrency=1))
    read = []
    async for page in each(job):
        if not read:
            # The test that started this program restarts the service now.
            say({"step": "first_page", "value": True})
        read.append(page["metadata"]["sourceURL"])
    return {"all": sorted(read) == sorted(urls), "count": len(read)}


run([extracts, agents, failing_job, operators, restarted])
