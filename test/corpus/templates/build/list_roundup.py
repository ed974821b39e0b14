"""Pages of an issue tracker on Roundup, with its classic template."""

import os
import tempfile

from roundup import date, init, instance, password
from roundup.cgi.wsgi_handler import RequestDispatcher

from page import FORUM, LIST, call, keep, post, row

host = "tracker.example.com"
home = tempfile.mkdtemp()

source = os.path.join(os.path.dirname(os.environ["VIRTUAL_ENV_PYTHON"]), "..", "share/roundup/templates/classic")
init.install(home, os.path.normpath(source))
settings = {"rdbms": {"backend": "sqlite"}, "tracker": {"web": f"https://{host}/", "name": FORUM["name"]}, "mail": {"domain": "example.com", "host": "localhost"}}
lines = []
section = None
for line in open(f"{home}/config.ini"):
    if line.startswith("["):
        section = line.strip("[]\n")
    name = line.lstrip("#").split(" =")[0].strip()
    if name in settings.get(section, {}) and (line.startswith(name) or line.startswith("#" + name)):
        line = f"{name} = {settings[section][name]}\n"
    lines.append(line)
open(f"{home}/config.ini", "w").writelines(lines)
tracker = instance.open(home)
tracker.init(password.Password("corpus", config=tracker.config))

tracker = instance.open(home)
db = tracker.open("admin")
for name in dict.fromkeys(ticket["owner"] for ticket in LIST["tickets"]):
    db.user.create(username=name, realname=name, roles="User", password=password.Password("corpus", config=db.config))
open_status = db.status.lookup("chatting")
issues = []
for ticket in LIST["tickets"]:
    message = db.msg.create(author=db.user.lookup(ticket["owner"]), date=date.Date("2026-03-02.08:14:00"), content=ticket["note"])
    issues.append(db.issue.create(
        title=ticket["title"], assignedto=db.user.lookup(ticket["owner"]), priority=db.priority.lookup(ticket["priority"]),
        status=open_status, messages=[message],
    ))
discussion = FORUM["topics"][0]
messages = []
for entry in discussion["posts"][1:4]:
    try:
        user = db.user.lookup(entry["author"])
    except KeyError:
        user = db.user.create(username=entry["author"], realname=entry["author"], roles="User", password=password.Password("corpus", config=db.config))
    posted_at = date.Date(entry["date"][:19].replace("T", "."))
    entry["shown"] = entry["date"][:19].replace("T", ".")
    messages.append(db.msg.create(author=user, date=posted_at, content="\n\n".join(entry["text"])))
db.issue.set(issues[0], messages=db.issue.get(issues[0], "messages") + messages)
db.commit()
db.close()

app = RequestDispatcher(home)


def page(name, address, **truth):
    keep("roundup", name, url=f"https://{host}{address}", html=call(app, address, host), **truth)


columns = "&@columns=title,id,status,assignedto&@sort=id&@pagesize=50&@startwith=0"
rows = [row(ticket["owner"], "chatting", name=ticket["title"]) for ticket in LIST["tickets"]]
page("index", "/issue?@filter=status&status=-1,1,2,3,4,5,6,7" + columns, kind="listing", title="List of issues", records=rows)
page("search", "/issue?@search_text=&@dispname=Everything open" .replace(" ", "%20") + columns, kind="listing", title="Everything open", records=rows)
first = LIST["tickets"][0]
page(
    "issue1", "/issue1", kind="thread", title=first["title"],
    records=[
        *(post(entry["author"], entry["shown"], *entry["text"]) for entry in reversed(discussion["posts"][1:4])),
        post(first["owner"], "2026-03-02.08:14:00", first["note"]),
    ],
)
second = LIST["tickets"][4]
page("issue5", "/issue5", kind="thread", title=second["title"], records=[post(second["owner"], "2026-03-02.08:14:00", second["note"])])
