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
from steps import Client, config, get_error, iterate, print_line, resolve, run

from winnow_client import WebhookSignatureError, verify_webhook

site = config["site"]
client = Client(config["url"], config["key"])
house_urls = [f"{site}/house", f"{site}/house/people"]


async def extracts():
    job = await resolve(client.start_extract(house_urls, schema=config["schema"], show_sources=True))
    reopened_job = client.extract_job(job.id)
    return {
        "first": (await resolve(job.status()))["status"],
        "ended": await resolve(reopened_job.wait(timeout=60)),
        "whole": await resolve(client.extract(house_urls, schema=config["schema"])),
    }


async def agents():
    ended = await resolve(client.agent(config["prompt"], urls=[f"{site}/house"], max_credits=50))
    job = await resolve(client.start_agent("Wait"))
    running = await resolve(job.status())
    await resolve(job.cancel())
    return {
        "ended": ended,
        "running": running["status"],
        "cancelled": await get_error(client.agent_job(job.id).wait),
    }


async def failing_job():
    job = await resolve(client.start_crawl("http://no-such-host.invalid/", limit=2))

    async def read():
        return [page async for page in iterate(job)]

    return {"read": await get_error(read), "waited": await resolve(job.wait())}


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
    secret = (await resolve(client.operator.change_team(team["team"]["id"], webhook_secret="new")))["webhookSecret"]
    webhook = {"url": f"http://127.0.0.1:{server.server_port}/", "events": ["page"], "metadata": {"of": "mine"}}
    await resolve(team["client"].batch([f"{site}/pages/1"], webhook=webhook))
    for _ in range(200):
        if Receiver.deliveries:
            break
        await asyncio.sleep(0.1)
    server.shutdown()
    body, signature, timed_signature = Receiver.deliveries[0]
    changed_time = "t=1" + timed_signature[timed_signature.index(",") :]
    key = secret.encode()
    expired_signature = f"t=1700000000,v1={hmac.new(key, b'1700000000.' + body, 'sha256').hexdigest()}"
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
        "timed_again": rejection_reason(body, changed_time, secret),
        "expired": rejection_reason(body, expired_signature, secret),
        "old_but_wanted": verify_webhook(body, expired_signature, secret, tolerance=float("inf"))["type"],
        "no_tolerance": rejection_reason(body, timed_signature, secret, tolerance=-1),
    }


async def operators():
    operator = client.operator
    name = f"made by {config['kind']}"
    team = await resolve(operator.create_team(name, credits=500, concurrency=2))
    created = await resolve(operator.create_key(team["id"]))
    team_client = Client(config["url"], created["key"], retries=0)
    listed = await resolve(operator.keys(team_id=team["id"]))
    results = {
        "team": team,
        "taken": await get_error(lambda: operator.create_team(name)),
        "listed": [key["id"] for key in listed["data"]] == [created["data"]["id"]],
        "known": team["id"] in [item["id"] for item in (await resolve(operator.teams(limit=100)))["data"]],
        "changed": (await resolve(operator.change_team(team["id"], credits=7)))["data"],
        "overview": await resolve(operator.overview()),
        "of_the_team": await resolve(team_client.team()),
        "webhooks": await deliveries({"team": team, "client": team_client}),
    }
    # Far more calls than the limit, because a slow machine sends few of them in a minute.
    for _ in range(150):
        results["limited"] = await get_error(lambda: team_client.scrape(f"{site}/pages/1"))
        if "kind" in results["limited"]:
            break
    await resolve(operator.revoke_key(created["data"]["id"]))
    # A revoked key stops working within a second.
    for _ in range(100):
        results["revoked"] = await get_error(team_client.team)
        if "kind" in results["revoked"]:
            break
        await asyncio.sleep(0.1)
    return results


async def restarted():
    urls = [f"{site}/slow?ms=600&{config['kind']}={number}" for number in range(5)]
    job = await resolve(client.start_batch(urls, max_concurrency=1))
    read = []
    async for page in iterate(job):
        if not read:
            # The test that started this program restarts the service now.
            print_line({"step": "first_page", "value": True})
        read.append(page["metadata"]["sourceURL"])
    return {"all": sorted(read) == sorted(urls), "count": len(read)}


run([extracts, agents, failing_job, operators, restarted])
