"""What the shop's books say of a payment, as JSON: `python -m shop.books REFERENCE`."""

import json
import os
import sys
from typing import Any

import django


def books(reference: str) -> dict[str, Any]:
    """The payment, its order, and the money of this order."""
    from oscar.core.loading import get_model

    from payframe_oscar.models import Payment

    row = Payment.objects.get(pk=reference)
    source = row.order.sources.get() if row.order else None
    sums = (source.amount_allocated, source.amount_debited, source.amount_refunded) if source else ()
    return {
        "status": row.status,
        "orders": get_model("order", "Order").objects.filter(number=row.order_number).count(),
        "order": row.order.status if row.order else None,
        "sums": [str(amount) for amount in sums],
        "stock": get_model("partner", "StockRecord").objects.get().num_allocated or 0,
        "needsPerson": row.needs_person,
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
    django.setup()
    print(json.dumps(books(sys.argv[1])))
