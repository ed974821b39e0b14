"""Pages of a question-and-answer site on Askbot. Runs in a migrated project of `askbot-setup`."""

import datetime
import os
import re
import sys

import django

from page import FORUM, keep, post, row

sys.path.insert(0, os.getcwd())
os.environ["DJANGO_SETTINGS_MODULE"] = "ab.settings"
django.setup()

from askbot.models import Post, Thread, User  # noqa: E402
from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402

settings.ALLOWED_HOSTS = ["*"]
Thread.objects.all().delete()
threads = []
for topic in FORUM["topics"]:
    # A user may answer only once.
    authors = [entry["author"] for entry in topic["posts"]]
    topic["posts"] = [entry for index, entry in enumerate(topic["posts"]) if entry["author"] not in authors[:index]]
    question = None
    for entry in topic["posts"]:
        user, _ = User.objects.get_or_create(username=entry["author"], defaults={"email": entry["author"] + "@example.com"})
        user.set_status("m")
        user.reputation = 500
        user.save()
        when = datetime.datetime.fromisoformat(entry["date"])
        body = "\n\n".join(entry["text"])
        if question is None:
            question = user.post_question(title=topic["title"], body_text=body, tags="workshop", timestamp=when)
        else:
            user.post_answer(question=question, body_text=body, timestamp=when)
    threads.append(question.thread)

client = Client(HTTP_HOST="ask.example.com")


def page(name, path, records, **truth):
    response = client.get(path, follow=True)
    assert response.status_code == 200, (path, response.status_code)
    html = response.content.decode()
    keep("askbot", name, url="https://ask.example.com" + path, html=html, records=records(html), **truth)


def posts(topic):
    def read(html):
        records_of_posts = [post(entry["author"], entry["date"][:10], *entry["text"]) for entry in topic["posts"]]
        return sorted(records_of_posts, key=lambda item: html.index(item["texts"][0].replace("'", "&#39;") if item["texts"][0] not in html else item["texts"][0]))
    return read


for index in [0, 1]:
    page(FORUM["topics"][index]["slug"], threads[index].get_absolute_url(), posts(FORUM["topics"][index]), kind="thread",
         title=FORUM["topics"][index]["title"])
page("questions", "/questions/", lambda html: [row(name=topic["title"]) for topic in
     sorted(FORUM["topics"], key=lambda topic: html.index(f">{topic['title']}<"))], kind="board", title=None)
