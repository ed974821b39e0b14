"""Pages of a forum on Spirit. Runs in a project of `spirit startproject`, with its settings for development."""

import datetime
import os
import sys

import django

from page import FORUM, keep, post, row

sys.path.insert(0, os.getcwd())
django.setup()

from django.conf import settings  # noqa: E402

settings.DATABASES["default"].update(ENGINE="django.db.backends.sqlite3", NAME=":memory:")
settings.CACHES = {name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"} for name in settings.CACHES}
settings.HAYSTACK_SIGNAL_PROCESSOR = "haystack.signals.BaseSignalProcessor"
settings.ALLOWED_HOSTS = ["*"]

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from spirit.category.models import Category  # noqa: E402
from spirit.comment.models import Comment  # noqa: E402
from spirit.core.tags.time import shortnaturaltime  # noqa: E402
from spirit.topic.models import Topic  # noqa: E402

call_command("migrate", verbosity=0)
Category.objects.exclude(is_private=True).delete()
boards = [Category.objects.create(title=board["name"], description=board["about"]) for board in FORUM["boards"]]
topics = []
for given in FORUM["topics"]:
    topic = None
    for said in given["posts"]:
        user, _ = get_user_model().objects.get_or_create(username=said["author"], email=said["author"] + "@example.com")
        date = datetime.datetime.fromisoformat(said["date"])
        topic = topic or Topic.objects.create(
            category=boards[0], user=user, title=given["title"], date=date, comment_count=len(given["posts"])
        )
        html = "".join(f"<p>{text}</p>" for text in said["text"])
        Comment.objects.create(topic=topic, user=user, date=date, comment="", comment_html=html)
        said["shown"] = shortnaturaltime(date)
    Topic.objects.filter(pk=topic.pk).update(last_active=date)
    topics.append(topic)

client = Client(HTTP_HOST="spirit.example.com")


def page(name, address, **truth):
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    keep("spirit", name, url="https://spirit.example.com" + address, html=answer.content.decode(), **truth)


for place in [0, 1]:
    given = FORUM["topics"][place]
    page(
        given["slug"], topics[place].get_absolute_url(), kind="thread", title=given["title"],
        records=[post(said["author"], said["shown"], *said["text"]) for said in given["posts"]],
    )
page(
    "board", boards[0].get_absolute_url(), kind="board", title=boards[0].title,
    records=[row(given["posts"][-1]["shown"], name=given["title"]) for given in reversed(FORUM["topics"])],
)
page(
    "active", "/", kind="board", title=None,
    records=[row(given["posts"][-1]["shown"], name=given["title"]) for given in reversed(FORUM["topics"])],
)
