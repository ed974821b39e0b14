"""Pages of a shop on Cartridge. Runs in a project of `mezzanine-project -a cartridge`."""

import decimal
import locale
import os
import sys

# Machines without a locale for money have no digits behind the point.
there = locale.localeconv
locale.localeconv = lambda: there() | {"frac_digits": 2, "int_frac_digits": 2, "mon_decimal_point": ".", "currency_symbol": "€",
                                       "p_cs_precedes": 1, "p_sep_by_space": 0, "mon_thousands_sep": ",", "mon_grouping": [3, 3, 0]}
locale.currency = lambda value, *_, **__: f"€{value:.2f}"

import django  # noqa: E402

from page import SHOP, card, keep, related, row  # noqa: E402

sys.path.insert(0, os.getcwd())
os.environ["DJANGO_SETTINGS_MODULE"] = "mz.settings"
django.setup()

from django.conf import settings  # noqa: E402

settings.DATABASES["default"]["NAME"] = ":memory:"
settings.ALLOWED_HOSTS = ["*"]
settings.SHOP_USE_RELATED_PRODUCTS = True

from cartridge.shop.models import Category, Product, ProductVariation  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

call_command("migrate", verbosity=0)
category = Category.objects.create(title=SHOP["category"], content="<p>Things to cook with where there is no kitchen.</p>")
Category.objects.create(title="Repair bench")
made = []
for given in SHOP["products"]:
    rows = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in given["specification"])
    texts = "".join(f"<p>{text}</p>" for text in [given["summary"], *given["description"]])
    product = Product.objects.create(
        title=given["name"], slug=given["slug"], available=True, content=f"{texts}<table>{rows}</table>", sku=given["sku"],
        unit_price=decimal.Decimal(given["price"]),
    )
    ProductVariation.objects.create(product=product, sku=given["sku"], default=True, num_in_stock=50,
                                    unit_price=decimal.Decimal(given["price"]))
    product.categories.add(category)
    made.append(product)
for place, product in enumerate(made):
    product.related_products.add(*made[place + 1 : place + 4])

client = Client(HTTP_HOST="mill.example.com")
money = lambda given: "€" + given["price"]  # noqa: E731


def page(name, address, records, **truth):
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code, answer.get("location"))
    html = answer.content.decode()
    keep("cartridge", name, url="https://mill.example.com" + address, html=html, records=records(html), **truth)


def cards(html, products, kind=card):
    return [kind(given["name"], money(given)) for given in sorted(products, key=lambda given: html.rindex(given["name"]))]


for place in [0, 3, 2]:
    given = SHOP["products"][place]
    others = SHOP["products"][max(0, place - 3) : place] + SHOP["products"][place + 1 : place + 4]
    page(
        given["slug"], made[place].get_absolute_url(), kind="product", title=given["name"],
        texts=[given["summary"], *given["description"]],
        records=lambda html: [
            {"kind": "product", "name": given["name"], "price": money(given), "texts": []},
            *(row(name, value) for name, value in given["specification"]),
            *cards(html, others, related),
        ],
    )
page("category", "/" + category.slug + "/", lambda html: cards(html, SHOP["products"]), kind="collection", title=SHOP["category"])
