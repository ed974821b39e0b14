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
for given in FORUM["topics"]:
    # Nobody may answer twice.
    authors = [said["author"] for said in given["posts"]]
    given["posts"] = [said for place, said in enumerate(given["posts"]) if said["author"] not in authors[:place]]
    question = None
    for said in given["posts"]:
        user, _ = User.objects.get_or_create(username=said["author"], defaults={"email": said["author"] + "@example.com"})
        user.set_status("m")
        user.reputation = 500
        user.save()
        when = datetime.datetime.fromisoformat(said["date"])
        body = "\n\n".join(said["text"])
        if question is None:
            question = user.post_question(title=given["title"], body_text=body, tags="workshop", timestamp=when)
        else:
            user.post_answer(question=question, body_text=body, timestamp=when)
    threads.append(question.thread)

client = Client(HTTP_HOST="ask.example.com")


def page(name, address, records, **truth):
    answer = client.get(address, follow=True)
    assert answer.status_code == 200, (address, answer.status_code)
    html = answer.content.decode()
    keep("askbot", name, url="https://ask.example.com" + address, html=html, records=records(html), **truth)


def posts(given):
    def read(html):
        found = [post(said["author"], said["date"][:10], *said["text"]) for said in given["posts"]]
        return sorted(found, key=lambda one: html.index(one["texts"][0].replace("'", "&#39;") if one["texts"][0] not in html else one["texts"][0]))
    return read


for place in [0, 1]:
    page(FORUM["topics"][place]["slug"], threads[place].get_absolute_url(), posts(FORUM["topics"][place]), kind="thread",
         title=FORUM["topics"][place]["title"])
page("questions", "/questions/", lambda html: [row(name=given["title"]) for given in
     sorted(FORUM["topics"], key=lambda given: html.index(f">{given['title']}<"))], kind="board", title=None)
