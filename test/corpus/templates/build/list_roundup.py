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
for name in dict.fromkeys(given["owner"] for given in LIST["tickets"]):
    db.user.create(username=name, realname=name, roles="User", password=password.Password("corpus", config=db.config))
open_status = db.status.lookup("chatting")
made = []
for given in LIST["tickets"]:
    message = db.msg.create(author=db.user.lookup(given["owner"]), date=date.Date("2026-03-02.08:14:00"), content=given["note"])
    made.append(db.issue.create(
        title=given["title"], assignedto=db.user.lookup(given["owner"]), priority=db.priority.lookup(given["priority"]),
        status=open_status, messages=[message],
    ))
talk = FORUM["topics"][0]
messages = []
for said in talk["posts"][1:4]:
    try:
        user = db.user.lookup(said["author"])
    except KeyError:
        user = db.user.create(username=said["author"], realname=said["author"], roles="User", password=password.Password("corpus", config=db.config))
    when = date.Date(said["date"][:19].replace("T", "."))
    said["shown"] = said["date"][:19].replace("T", ".")
    messages.append(db.msg.create(author=user, date=when, content="\n\n".join(said["text"])))
db.issue.set(made[0], messages=db.issue.get(made[0], "messages") + messages)
db.commit()
db.close()

app = RequestDispatcher(home)


def page(name, address, **truth):
    keep("roundup", name, url=f"https://{host}{address}", html=call(app, address, host), **truth)


columns = "&@columns=title,id,status,assignedto&@sort=id&@pagesize=50&@startwith=0"
rows = [row(given["owner"], "chatting", name=given["title"]) for given in LIST["tickets"]]
page("index", "/issue?@filter=status&status=-1,1,2,3,4,5,6,7" + columns, kind="listing", title="List of issues", records=rows)
page("search", "/issue?@search_text=&@dispname=Everything open" .replace(" ", "%20") + columns, kind="listing", title="Everything open", records=rows)
first = LIST["tickets"][0]
page(
    "issue1", "/issue1", kind="thread", title=first["title"],
    records=[
        *(post(said["author"], said["shown"], *said["text"]) for said in reversed(talk["posts"][1:4])),
        post(first["owner"], "2026-03-02.08:14:00", first["note"]),
    ],
)
second = LIST["tickets"][4]
page("issue5", "/issue5", kind="thread", title=second["title"], records=[post(second["owner"], "2026-03-02.08:14:00", second["note"])])
