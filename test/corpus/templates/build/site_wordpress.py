"""Pages of the WordPress that site_wordpress.php filled, in three of the themes that Debian packages (ROOT)."""

import datetime
import os
import re
import subprocess
import time
import urllib.request

from page import FORUM, LIST, keep, post, row

root = os.environ["ROOT"]
local_url = "http://127.0.0.1:9184"
site = "https://canal.example.com"


def day(text):
    date = datetime.datetime.fromisoformat(text)
    return f"{date:%B} {date.day}, {date.year}"


def fetch(path):
    for _ in range(50):
        try:
            return urllib.request.urlopen(local_url + path).read().decode().replace(local_url, site)
        except ConnectionError:
            time.sleep(0.2)
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionError):
                raise
            time.sleep(0.2)
    raise RuntimeError(path)


def remove_images(html):
    """Removes inline SVG images and styles, which are larger than the markup."""
    return re.sub(r"<style\b.*?</style>|<svg\b.*?</svg>", "", html, flags=re.S)


articles = list(reversed(LIST["articles"]))
server = subprocess.Popen(["chroot", root, "php", "-S", "127.0.0.1:9184", "-t", "/usr/share/wordpress"], stderr=subprocess.DEVNULL)
try:
    for theme in ["twentytwentyone", "twentytwentytwo", "twentytwentythree"]:
        change = f"update wp_options set option_value='{theme}' where option_name in ('template','stylesheet')"
        subprocess.run(["chroot", root, "mariadb", "wp", "-e", change], check=True)
        name = "wordpress-" + theme
        records = [row(day(article["date"]), name=article["title"]) for article in articles]
        home = remove_images(fetch("/"))
        keep(name, "index", url=site + "/", html=home, kind="listing", title=None, records=records)
        identifier = re.search(r"[?]p=(\d+)[^>]*>\s*Lanterns", home)[1]
        html = remove_images(fetch("/?s=the"))
        hits = [article["title"] for article in articles if f">{article['title']}<" in html]
        assert len(hits) > 3
        keep(name, "search", url=site + "/?s=the", html=html, kind="listing", title=None,
             records=[row(name=title) for title in sorted(hits, key=lambda title: html.index(f">{title}<"))])
        first = LIST["articles"][0]
        discussion = FORUM["topics"][0]["posts"]
        keep(name, "comments", url=f"{site}/?p={identifier}", html=remove_images(fetch(f"/?p={identifier}")), kind="thread",
             title=first["title"], texts=[first["text"]],
             records=[post(entry["author"], day(entry["date"]), *entry["text"]) for entry in discussion])
finally:
    server.terminate()
    server.wait()
