"""Pages of a shop on django-oscar, with the templates of its package."""

import decimal
import sys

import django
from django.conf import settings
from oscar.defaults import *  # noqa: F403

from page import SHOP, card, keep, related, review, row

APPS = """
django.contrib.admin django.contrib.auth django.contrib.contenttypes django.contrib.sessions django.contrib.messages
django.contrib.staticfiles django.contrib.sites django.contrib.flatpages oscar.config.Shop
oscar.apps.analytics.apps.AnalyticsConfig oscar.apps.checkout.apps.CheckoutConfig oscar.apps.address.apps.AddressConfig
oscar.apps.shipping.apps.ShippingConfig oscar.apps.catalogue.apps.CatalogueConfig
oscar.apps.catalogue.reviews.apps.CatalogueReviewsConfig oscar.apps.communication.apps.CommunicationConfig
oscar.apps.partner.apps.PartnerConfig oscar.apps.basket.apps.BasketConfig oscar.apps.payment.apps.PaymentConfig
oscar.apps.offer.apps.OfferConfig oscar.apps.order.apps.OrderConfig oscar.apps.customer.apps.CustomerConfig
oscar.apps.search.apps.SearchConfig oscar.apps.voucher.apps.VoucherConfig oscar.apps.wishlists.apps.WishlistsConfig
oscar.apps.dashboard.apps.DashboardConfig oscar.apps.dashboard.reports.apps.ReportsDashboardConfig
oscar.apps.dashboard.users.apps.UsersDashboardConfig oscar.apps.dashboard.orders.apps.OrdersDashboardConfig
oscar.apps.dashboard.catalogue.apps.CatalogueDashboardConfig oscar.apps.dashboard.offers.apps.OffersDashboardConfig
oscar.apps.dashboard.partners.apps.PartnersDashboardConfig oscar.apps.dashboard.pages.apps.PagesDashboardConfig
oscar.apps.dashboard.ranges.apps.RangesDashboardConfig oscar.apps.dashboard.reviews.apps.ReviewsDashboardConfig
oscar.apps.dashboard.vouchers.apps.VouchersDashboardConfig
oscar.apps.dashboard.communications.apps.CommunicationsDashboardConfig
oscar.apps.dashboard.shipping.apps.ShippingDashboardConfig widget_tweaks haystack treebeard sorl.thumbnail django_tables2
""".split()

settings.configure(
    **{name: value for name, value in globals().items() if name.startswith("OSCAR_")},
    SECRET_KEY="corpus",
    ALLOWED_HOSTS=["*"],
    SITE_ID=1,
    USE_TZ=True,
    STATIC_URL="/static/",
    MEDIA_URL="/media/",
    ROOT_URLCONF="oscar_urls",
    INSTALLED_APPS=APPS,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    AUTHENTICATION_BACKENDS=["oscar.apps.customer.auth_backends.EmailBackend"],
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "STORAGE": "ram", "PATH": ""}},
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "oscar.apps.basket.middleware.BasketMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                    "oscar.apps.search.context_processors.search_form",
                    "oscar.apps.checkout.context_processors.checkout",
                    "oscar.apps.communication.notifications.context_processors.notifications",
                    "oscar.core.context_processors.metadata",
                ]
            },
        }
    ],
)
settings.OSCAR_SHOP_NAME = SHOP["name"]
settings.OSCAR_DEFAULT_CURRENCY = "EUR"
sys.modules["oscar_urls"] = module = type(sys)("oscar_urls")
django.setup()

from django.apps import apps  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import include, path  # noqa: E402
from oscar.core.loading import get_model  # noqa: E402

module.urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
call_command("migrate", verbosity=0)

Product, ProductClass = get_model("catalogue", "Product"), get_model("catalogue", "ProductClass")
Attribute, Category = get_model("catalogue", "ProductAttribute"), get_model("catalogue", "Category")
Partner, Stock = get_model("partner", "Partner"), get_model("partner", "StockRecord")
Review, Recommendation = get_model("reviews", "ProductReview"), get_model("catalogue", "ProductRecommendation")

category = Category.add_root(name=SHOP["category"], slug="camp-kitchen")
Category.add_root(name="Repair bench", slug="repair")
partner = Partner.objects.create(name="store")
created = {}
for product_data in SHOP["products"]:
    kind = ProductClass.objects.create(name=product_data["name"] + " class", track_stock=True)
    product = Product(product_class=kind, title=product_data["name"], slug=product_data["slug"], upc=product_data["sku"])
    product.description = "".join(f"<p>{text}</p>" for text in [product_data["summary"], *product_data["description"]])
    for name, _ in product_data["specification"]:
        Attribute.objects.create(product_class=kind, name=name, code=name.lower().replace(" ", "_"), type="text")
    for name, value in product_data["specification"]:
        setattr(product.attr, name.lower().replace(" ", "_"), value)
    product.save()
    product.categories.add(category)
    price = decimal.Decimal(product_data["price"])
    Stock.objects.create(
        product=product, partner=partner, partner_sku=product_data["sku"], price=price, num_in_stock=product_data["stock"]
    )
    for review_data in product_data["reviews"]:
        Review.objects.create(
            product=product, title=review_data["title"], body=review_data["text"], score=review_data["stars"], name=review_data["author"],
            email="someone@example.com", status=1,
        )
    created[product_data["slug"]] = product

for index, product_data in enumerate(SHOP["products"]):
    for other in SHOP["products"][index + 1 : index + 4]:
        Recommendation.objects.create(primary=created[product_data["slug"]], recommendation=created[other["slug"]])

call_command("rebuild_index", interactive=False, verbosity=0)
client = Client(HTTP_HOST="shop.example.com")
format_price = lambda product_data: "€" + product_data["price"]  # noqa: E731


def fetch(page_path):
    response = client.get(page_path)
    assert response.status_code == 200, (page_path, response.status_code)
    return response.content.decode()


for index in [0, 3, 1]:
    product_data = SHOP["products"][index]
    page_path = created[product_data["slug"]].get_absolute_url()
    html = fetch(page_path)
    facts = [row(name, value) for name, value in product_data["specification"]]
    facts.sort(key=lambda fact: html.index(f"<th>{fact['texts'][0]}</th>"))
    keep(
        "oscar", product_data["slug"], url="https://shop.example.com" + page_path, html=html, kind="product",
        title=product_data["name"],
        records=[
            {"kind": "product", "name": product_data["name"], "price": format_price(product_data), "texts": []},
            *facts,
            *(review(review_data["author"], review_data["title"], review_data["text"]) for review_data in product_data["reviews"]),
            *(related(other["name"], format_price(other)) for other in SHOP["products"][index + 1 : index + 4]),
        ],
        texts=[product_data["summary"], *product_data["description"]],
    )

all_cards = [card(product_data["name"], format_price(product_data)) for product_data in SHOP["products"]]
page_path = category.get_absolute_url()
keep(
    "oscar", "category", url="https://shop.example.com" + page_path, html=fetch(page_path), kind="collection",
    title=SHOP["category"], records=all_cards,
)
keep(
    "oscar", "catalogue", url="https://shop.example.com/catalogue/", html=fetch("/catalogue/"), kind="collection",
    title="All products", records=all_cards,
)
