"""What a first sale needs: a country, a product, an account, and somebody of the staff. `python -m shop.furnish`."""

import os
from decimal import Decimal

import django

PASSWORD = "secret-word-of-tests"


def furnish() -> None:
    """Fills the tables of a new shop."""
    from django.contrib.auth import get_user_model
    from oscar.core.loading import get_model

    get_model("address", "Country").objects.create(
        iso_3166_1_a2="DE", iso_3166_1_a3="DEU", name="Germany", printable_name="Germany", is_shipping_country=True
    )
    shirts = get_model("catalogue", "ProductClass").objects.create(name="Shirts", requires_shipping=True)
    shirt = get_model("catalogue", "Product").objects.create(
        title="Shirt", slug="shirt", upc="shirt", product_class=shirts, structure="standalone"
    )
    partner = get_model("partner", "Partner").objects.create(name="Here")
    get_model("partner", "StockRecord").objects.create(
        product=shirt, partner=partner, partner_sku="shirt", price=Decimal("35.45"), num_in_stock=100
    )
    users = get_user_model().objects
    users.create_superuser("staff", "staff@example.com", PASSWORD)
    users.create_user("ada", "ada@example.com", PASSWORD, first_name="Ada")
    print(shirt.get_absolute_url())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
    django.setup()
    furnish()
