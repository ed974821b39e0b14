"""Pages of a shop on Cartridge. Runs in a project of `mezzanine-project -a cartridge`."""

import decimal
import locale
import os
import sys

# Without a money locale, the machine would print no decimal places.
original_localeconv = locale.localeconv
locale.localeconv = lambda: original_localeconv() | {"frac_digits": 2, "int_frac_digits": 2, "mon_decimal_point": ".", "currency_symbol": "€",
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
created = []
for product_data in SHOP["products"]:
    rows = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in product_data["specification"])
    texts = "".join(f"<p>{text}</p>" for text in [product_data["summary"], *product_data["description"]])
    product = Product.objects.create(
        title=product_data["name"], slug=product_data["slug"], available=True, content=f"{texts}<table>{rows}</table>", sku=product_data["sku"],
        unit_price=decimal.Decimal(product_data["price"]),
    )
    ProductVariation.objects.create(product=product, sku=product_data["sku"], default=True, num_in_stock=50,
                                    unit_price=decimal.Decimal(product_data["price"]))
    product.categories.add(category)
    created.append(product)
for index, product in enumerate(created):
    product.related_products.add(*created[index + 1 : index + 4])

client = Client(HTTP_HOST="mill.example.com")
format_price = lambda product_data: "€" + product_data["price"]  # noqa: E731


def page(name, path, records, **truth):
    response = client.get(path)
    assert response.status_code == 200, (path, response.status_code, response.get("location"))
    html = response.content.decode()
    keep("cartridge", name, url="https://mill.example.com" + path, html=html, records=records(html), **truth)


def cards(html, products, kind=card):
    return [kind(product_data["name"], format_price(product_data)) for product_data in sorted(products, key=lambda product_data: html.rindex(product_data["name"]))]


for index in [0, 3, 2]:
    product_data = SHOP["products"][index]
    others = SHOP["products"][max(0, index - 3) : index] + SHOP["products"][index + 1 : index + 4]
    page(
        product_data["slug"], created[index].get_absolute_url(), kind="product", title=product_data["name"],
        texts=[product_data["summary"], *product_data["description"]],
        records=lambda html: [
            {"kind": "product", "name": product_data["name"], "price": format_price(product_data), "texts": []},
            *(row(name, value) for name, value in product_data["specification"]),
            *cards(html, others, related),
        ],
    )
page("category", "/" + category.slug + "/", lambda html: cards(html, SHOP["products"]), kind="collection", title=SHOP["category"])
