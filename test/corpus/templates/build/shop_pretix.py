"""Pages of a ticket shop on pretix. Runs with a migrated database named by PRETIX_CONFIG_FILE."""

import datetime
import decimal
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pretix.settings")
import django  # noqa: E402

from page import SHOP, card, keep  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402
from django_scopes import scopes_disabled  # noqa: E402
from pretix.base.models import Event, Item, ItemCategory, Organizer, Quota  # noqa: E402

settings.ALLOWED_HOSTS = ["*"]
zone = datetime.timezone.utc
events = [("harvest", "Harvest evening at the mill"), ("lantern", "Lantern walk along the canal"), ("repair", "Repair day for stoves and pots")]
with scopes_disabled():
    organizer, is_new = Organizer.objects.get_or_create(name=SHOP["name"], slug="mill")
    for index, (slug, name) in enumerate(events if is_new else []):
        event = Event.objects.create(organizer=organizer, name=name, slug=slug, currency="EUR", live=True, is_public=True,
                                     date_from=datetime.datetime(2027, 3, 2 + index, 18, 0, tzinfo=zone), plugins="")
        event.settings.frontpage_text = SHOP["products"][index]["summary"]
        category = ItemCategory.objects.create(event=event, name=SHOP["category"], position=1)
        quota = Quota.objects.create(event=event, name="all", size=100)
        for product_data in SHOP["products"]:
            item = Item.objects.create(event=event, category=category, name=product_data["name"], description=product_data["summary"],
                                       default_price=decimal.Decimal(product_data["price"]), active=True)
            quota.items.add(item)

client = Client(HTTP_HOST="tickets.example.com")


def page(name, path, records, **truth):
    response = client.get(path, follow=True)
    assert response.status_code == 200, (path, response.status_code)
    html = response.content.decode()
    records.sort(key=lambda record: html.rindex(record["name"]))
    keep("pretix", name, url="https://tickets.example.com" + path, html=html, records=records, **truth)


for slug, name in events:
    page(slug, f"/mill/{slug}/", kind="collection", title=name,
         records=[card(product_data["name"], "€" + product_data["price"], product_data["summary"]) for product_data in SHOP["products"]])
page("events", "/mill/", kind="listing", title=SHOP["name"],
     records=[{"kind": "row", "name": name, "texts": [str(2 + index)]} for index, (_, name) in enumerate(events)])
