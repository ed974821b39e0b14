"""Pages of the WordPress that site_wordpress.php filled, in three of the themes that Debian packages (ROOT)."""

import datetime
import os
import re
import subprocess
import time
import urllib.request

from page import FORUM, LIST, keep, post, row

root = os.environ["ROOT"]
here = "http://127.0.0.1:9184"
site = "https://canal.example.com"


def day(text):
    date = datetime.datetime.fromisoformat(text)
    return f"{date:%B} {date.day}, {date.year}"


def fetch(path):
    for _ in range(50):
        try:
            return urllib.request.urlopen(here + path).read().decode().replace(here, site)
        except ConnectionError:
            time.sleep(0.2)
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionError):
                raise
            time.sleep(0.2)
    raise RuntimeError(path)


def light(html):
    """Images of blocks and inline styles of a theme weigh more than its markup."""
    return re.sub(r"<style\b.*?</style>|<svg\b.*?</svg>", "", html, flags=re.S)


articles = list(reversed(LIST["articles"]))
server = subprocess.Popen(["chroot", root, "php", "-S", "127.0.0.1:9184", "-t", "/usr/share/wordpress"], stderr=subprocess.DEVNULL)
try:
    for theme in ["twentytwentyone", "twentytwentytwo", "twentytwentythree"]:
        change = f"update wp_options set option_value='{theme}' where option_name in ('template','stylesheet')"
        subprocess.run(["chroot", root, "mariadb", "wp", "-e", change], check=True)
        name = "wordpress-" + theme
        records = [row(day(given["date"]), name=given["title"]) for given in articles]
        home = light(fetch("/"))
        keep(name, "index", url=site + "/", html=home, kind="listing", title=None, records=records)
        identifier = re.search(r"[?]p=(\d+)[^>]*>\s*Lanterns", home)[1]
        html = light(fetch("/?s=the"))
        hits = [given["title"] for given in articles if f">{given['title']}<" in html]
        assert len(hits) > 3
        keep(name, "search", url=site + "/?s=the", html=html, kind="listing", title=None,
             records=[row(name=title) for title in sorted(hits, key=lambda title: html.index(f">{title}<"))])
        first = LIST["articles"][0]
        talk = FORUM["topics"][0]["posts"]
        keep(name, "comments", url=f"{site}/?p={identifier}", html=light(fetch(f"/?p={identifier}")), kind="thread",
             title=first["title"], texts=[first["text"]],
             records=[post(said["author"], day(said["date"]), *said["text"]) for said in talk])
finally:
    server.terminate()
    server.wait()
