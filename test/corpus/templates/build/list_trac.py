"""Pages of an issue tracker on Trac, with its own templates."""

import datetime
import tempfile

from trac.env import Environment
from trac.ticket.model import Ticket
from trac.util.datefmt import pretty_timedelta, utc
from trac.web.main import dispatch_request

from page import FORUM, LIST, call, keep, post, row

host = "trac.example.com"
home = tempfile.mkdtemp() + "/env"
options = [("project", "name", FORUM["name"]), ("trac", "base_url", f"https://{host}"), ("trac", "default_timezone", "GMT"),
           ("trac", "default_date_format", "iso8601"), ("logging", "log_type", "none")]
env = Environment(home, create=True, options=options)
env.upgrade()
discussion = FORUM["topics"][0]
for index, ticket_data in enumerate(LIST["tickets"]):
    ticket = Ticket(env)
    ticket.populate({"summary": ticket_data["title"], "reporter": ticket_data["owner"], "owner": ticket_data["owner"], "status": "new",
                     "description": ticket_data["note"], "type": "defect", "component": "component1", "priority": "major"})
    ticket.insert(when=datetime.datetime(2026, 3, 2, 8, 14, index, tzinfo=utc))
    for entry in discussion["posts"][1:4] if index == 0 else []:
        ticket.save_changes(entry["author"], "\n\n".join(entry["text"]), when=datetime.datetime.fromisoformat(entry["date"]))
env.shutdown()


def app(environ, start):
    environ["trac.env_path"] = home
    return dispatch_request(environ, start)


def page(name, address, **truth):
    keep("trac", name, url=f"https://{host}{address}", html=call(app, address, host), **truth)


rows = [row(f"#{index}", ticket_data["owner"], name=ticket_data["title"]) for index, ticket_data in enumerate(LIST["tickets"], 1)]
page("query", "/query?status=new&order=id&col=id&col=summary&col=owner&col=priority&col=component", kind="listing",
     title="Custom Query", records=rows)
page("report", "/report/1", kind="listing", title="Active Tickets", records=rows)
first = LIST["tickets"][0]
page(
    "ticket-1", "/ticket/1", kind="thread", title=first["title"],
    records=[{"kind": "row", "texts": [first["note"]]}, *(post(entry["author"], pretty_timedelta(datetime.datetime.fromisoformat(entry["date"])) + " ago", *entry["text"]) for entry in discussion["posts"][1:4])],
)
