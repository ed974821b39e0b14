"""Pages of a forum on django-machina, with the templates of its package."""

import datetime
import sys

import django
import machina
from django.conf import settings

from page import FORUM, keep, post, row

APPS = """
django.contrib.admin django.contrib.auth django.contrib.contenttypes django.contrib.sessions django.contrib.messages
django.contrib.staticfiles django.contrib.sites mptt haystack widget_tweaks machina machina.apps.forum
machina.apps.forum_conversation machina.apps.forum_conversation.forum_attachments
machina.apps.forum_conversation.forum_polls machina.apps.forum_feeds machina.apps.forum_moderation
machina.apps.forum_search machina.apps.forum_tracking machina.apps.forum_member machina.apps.forum_permission
""".split()

settings.configure(
    SECRET_KEY="corpus",
    ALLOWED_HOSTS=["*"],
    SITE_ID=1,
    USE_TZ=True,
    TIME_ZONE="UTC",
    STATIC_URL="/static/",
    ROOT_URLCONF="forum_urls",
    INSTALLED_APPS=APPS,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    MACHINA_FORUM_NAME=FORUM["name"],
    MACHINA_MARKUP_LANGUAGE=None,
    MACHINA_DEFAULT_AUTHENTICATED_USER_FORUM_PERMISSIONS=["can_see_forum", "can_read_forum"],
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    CACHES={
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
        "machina_attachments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    },
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "machina.apps.forum_permission.middleware.ForumPermissionMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "DIRS": [machina.MACHINA_MAIN_TEMPLATE_DIR],
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                    "machina.core.context_processors.metadata",
                ]
            },
        }
    ],
)
sys.modules["forum_urls"] = module = type(sys)("forum_urls")
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils import formats  # noqa: E402
from machina.core.db.models import get_model  # noqa: E402

module.urlpatterns = [path("forum/", include("machina.urls")), path("accounts/", include("django.contrib.auth.urls"))]
call_command("migrate", verbosity=0)
Forum, Topic, Post = get_model("forum", "Forum"), get_model("forum_conversation", "Topic"), get_model("forum_conversation", "Post")
Permission = get_model("forum_permission", "ForumPermission")
Grant = get_model("forum_permission", "GroupForumPermission")
UserGrant = get_model("forum_permission", "UserForumPermission")

boards = [
    Forum.objects.create(name=board["name"], description=board["about"], type=Forum.FORUM_POST)
    for board in FORUM["boards"]
]
for code in ["can_see_forum", "can_read_forum"]:
    permission = Permission.objects.get(codename=code)
    UserGrant.objects.create(permission=permission, has_perm=True, anonymous_user=True, forum=None)

format_date = lambda date: formats.date_format(date, "DATETIME_FORMAT")  # noqa: E731
topics = []
for topic_data in FORUM["topics"]:
    topic = None
    for entry in topic_data["posts"]:
        user, _ = User.objects.get_or_create(username=entry["author"])
        date = datetime.datetime.fromisoformat(entry["date"])
        if topic is None:
            topic = Topic.objects.create(
                forum=boards[0], poster=user, subject=topic_data["title"], type=Topic.TOPIC_POST, status=Topic.TOPIC_UNLOCKED
            )
        created = Post.objects.create(topic=topic, poster=user, subject=topic_data["title"], content="\n\n".join(entry["text"]))
        Post.objects.filter(pk=created.pk).update(created=date, updated=date)
        entry["shown"] = format_date(date)
    topic.refresh_from_db()
    topic.save()
    Topic.objects.filter(pk=topic.pk).update(last_post_on=date, created=date)
    topics.append(topic)

client = Client(HTTP_HOST="forum.example.com")


def fetch(page_path):
    response = client.get(page_path)
    assert response.status_code == 200, (page_path, response.status_code)
    return response.content.decode()


for index in [0, 1]:
    topic_data, topic = FORUM["topics"][index], topics[index]
    page_path = f"/forum/forum/{topic.forum.slug}-{topic.forum.pk}/topic/{topic.slug}-{topic.pk}/"
    keep(
        "machina", topic_data["slug"], url="https://forum.example.com" + page_path, html=fetch(page_path), kind="thread",
        title=topic_data["title"],
        records=[post(entry["author"], entry["shown"], *entry["text"]) for entry in topic_data["posts"]],
    )

page_path = f"/forum/forum/{boards[0].slug}-{boards[0].pk}/"
keep(
    "machina", "board", url="https://forum.example.com" + page_path, html=fetch(page_path), kind="board",
    title=boards[0].name,
    records=[
        row(topic_data["posts"][0]["author"], topic_data["posts"][-1]["shown"], name=topic_data["title"])
        for topic_data in reversed(FORUM["topics"])
    ],
)
keep(
    "machina", "index", url="https://forum.example.com/forum/", html=fetch("/forum/"), kind="board",
    title="Forums", records=[row(board["about"], name=board["name"]) for board in FORUM["boards"]],
)
