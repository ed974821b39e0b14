"""Uses a service of its own with our client: as its operator, with a language model, and while it is restarted.

See steps.py for its argument and its output.
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
    known = client.extract_job(job.id)
    return {
        "first": (await of(job.status()))["status"],
        "ended": await of(known.wait(timeout=60)),
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


def refused(*delivery, **options):
    try:
        return verify_webhook(*delivery, **options)
    except (WebhookSignatureError, ValueError) as error:
        return getattr(error, "reason", str(error))


async def deliveries(team):
    """What the service really sends, and what others could send."""
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
    body, signature, timed = Receiver.deliveries[0]
    late = "t=1" + timed[timed.index(",") :]
    key = secret.encode()
    old = f"t=1700000000,v1={hmac.new(key, b'1700000000.' + body, 'sha256').hexdigest()}"
    return {
        "event": verify_webhook(body, signature, secret),
        "while_it_changes": verify_webhook(body, signature, ["another", secret])["type"],
        "changed": refused(body + b" ", signature, secret),
        "other_secret": refused(body, signature, "another"),
        "no_signature": refused(body, None, secret),
        "no_hex": refused(body, "sha256=" + "z" * 64, secret),
        "no_secret": refused(body, signature, ""),
        "timed": verify_webhook(body, timed, ["another", secret])["type"],
        "timed_changed": refused(body + b" ", timed, secret),
        "timed_again": refused(body, late, secret),
        "expired": refused(body, old, secret),
        "old_but_wanted": verify_webhook(body, old, secret, tolerance=float("inf"))["type"],
        "no_tolerance": refused(body, timed, secret, tolerance=-1),
    }


async def operators():
    operator = client.operator
    name = f"made by {given['kind']}"
    team = await of(operator.create_team(name, credits=500, concurrency=2))
    made = await of(operator.create_key(team["id"]))
    other = Client(given["url"], made["key"], retries=0)
    listed = await of(operator.keys(team_id=team["id"]))
    told = {
        "team": team,
        "taken": await failure(lambda: operator.create_team(name)),
        "listed": [key["id"] for key in listed["data"]] == [made["data"]["id"]],
        "known": team["id"] in [one["id"] for one in (await of(operator.teams(limit=100)))["data"]],
        "changed": (await of(operator.change_team(team["id"], credits=7)))["data"],
        "overview": await of(operator.overview()),
        "of_the_team": await of(other.team()),
        "webhooks": await deliveries({"team": team, "client": other}),
    }
    # More than the limit by far, because a slow machine sends few of them in a minute.
    for _ in range(150):
        told["limited"] = await failure(lambda: other.scrape(f"{site}/pages/1"))
        if "kind" in told["limited"]:
            break
    await of(operator.revoke_key(made["data"]["id"]))
    # A key stops to work within a second.
    for _ in range(100):
        told["revoked"] = await failure(other.team)
        if "kind" in told["revoked"]:
            break
        await asyncio.sleep(0.1)
    return told


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
