"""A mailing list as MHonArc shows it, as Debian packages it (ROOT)."""

import datetime
import email.message
import email.utils
import os
import pathlib
import shutil
import subprocess

from page import FORUM, keep, post, row

root = pathlib.Path(os.environ["ROOT"])
mbox = ""
for topic in FORUM["topics"]:
    first = None
    for index, entry in enumerate(topic["posts"]):
        letter = email.message.EmailMessage()
        identifier = f"<{topic['slug']}.{index}@example.com>"
        date = datetime.datetime.fromisoformat(entry["date"])
        letter["From"] = f"{entry['author']} <{entry['author']}@example.com>"
        letter["To"] = "workshop@example.com"
        letter["Subject"] = ("Re: " if first else "") + topic["title"]
        letter["Date"] = email.utils.format_datetime(date)
        letter["Message-ID"] = identifier
        if first:
            letter["In-Reply-To"] = letter["References"] = first
        first = first or identifier
        letter.set_content("\n\n".join(entry["text"]) + "\n")
        entry["when"] = date
        mbox += f"From {entry['author']}@example.com {date:%a %b %d %H:%M:%S %Y}\n{letter.as_string()}\n"
(root / "srv/workshop.mbox").write_text(mbox)


def run_in_root(*command, **more):
    return subprocess.run(["chroot", str(root), *command], check=True, capture_output=True, **more).stdout


shutil.rmtree(root / "srv/mhonarc", ignore_errors=True)
(root / "srv/mhonarc").mkdir()
run_in_root("mhonarc", "-quiet", "-title", FORUM["name"], "-ttitle", FORUM["name"], "-outdir", "/srv/mhonarc", "/srv/workshop.mbox")
host = "https://lists.example.com/workshop/"
folder = root / "srv/mhonarc"
subjects = [row(topic["posts"][0]["author"], name=topic["title"]) for topic in FORUM["topics"]]
keep("mhonarc", "threads", url=host + "threads.html", html=(folder / "threads.html").read_text(), kind="listing",
     title=FORUM["name"], records=subjects)
for number in [0, 2]:
    entry = FORUM["topics"][0]["posts"][number]
    keep("mhonarc", f"message-{number}", url=f"{host}msg0000{number}.html", html=(folder / f"msg0000{number}.html").read_text(),
         kind="thread", title=FORUM["topics"][0]["title"],
         records=[post(entry["author"], f"{entry['when']:%a, %d %b %Y %H:%M:%S}", *entry["text"])])
