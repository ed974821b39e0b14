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
for topic_data in FORUM["topics"]:
    topic = None
    for entry in topic_data["posts"]:
        user, _ = get_user_model().objects.get_or_create(username=entry["author"], email=entry["author"] + "@example.com")
        date = datetime.datetime.fromisoformat(entry["date"])
        topic = topic or Topic.objects.create(
            category=boards[0], user=user, title=topic_data["title"], date=date, comment_count=len(topic_data["posts"])
        )
        html = "".join(f"<p>{text}</p>" for text in entry["text"])
        Comment.objects.create(topic=topic, user=user, date=date, comment="", comment_html=html)
        entry["shown"] = shortnaturaltime(date)
    Topic.objects.filter(pk=topic.pk).update(last_active=date)
    topics.append(topic)

client = Client(HTTP_HOST="spirit.example.com")


def page(name, path, **truth):
    response = client.get(path)
    assert response.status_code == 200, (path, response.status_code)
    keep("spirit", name, url="https://spirit.example.com" + path, html=response.content.decode(), **truth)


for index in [0, 1]:
    topic_data = FORUM["topics"][index]
    page(
        topic_data["slug"], topics[index].get_absolute_url(), kind="thread", title=topic_data["title"],
        records=[post(entry["author"], entry["shown"], *entry["text"]) for entry in topic_data["posts"]],
    )
page(
    "board", boards[0].get_absolute_url(), kind="board", title=boards[0].title,
    records=[row(topic_data["posts"][-1]["shown"], name=topic_data["title"]) for topic_data in reversed(FORUM["topics"])],
)
page(
    "active", "/", kind="board", title=None,
    records=[row(topic_data["posts"][-1]["shown"], name=topic_data["title"]) for topic_data in reversed(FORUM["topics"])],
)
