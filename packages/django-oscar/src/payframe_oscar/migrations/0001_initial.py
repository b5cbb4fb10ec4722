"""The tables of the app."""

import django.core.serializers.json
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("basket", "0001_initial"),
        ("order", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="FeedPosition",
            fields=[
                ("name", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("cursor", models.CharField(blank=True, default="", max_length=128)),
            ],
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                (
                    "reference",
                    models.CharField(max_length=27, primary_key=True, serialize=False, verbose_name="Reference"),
                ),
                ("order_number", models.CharField(db_index=True, max_length=128, verbose_name="Order number")),
                ("revision", models.PositiveIntegerField(default=0)),
                ("currency", models.CharField(max_length=3, verbose_name="Currency")),
                ("kept", models.JSONField()),
                ("outbox", models.JSONField(default=list)),
                ("sessions", models.JSONField(default=dict)),
                ("new_sum", models.JSONField(null=True)),
                ("untold", models.CharField(blank=True, default="", max_length=9)),
                ("order_version", models.CharField(blank=True, default="", max_length=64)),
                ("submission", models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ("ask_at", models.DateTimeField(null=True)),
                ("pay_by", models.DateTimeField(null=True)),
                ("work_at", models.DateTimeField(null=True)),
                ("wake_at", models.DateTimeField(db_index=True, null=True)),
                (
                    "needs_person",
                    models.CharField(blank=True, default="", max_length=24, verbose_name="Needs a person"),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True, db_index=True, verbose_name="Created")),
                (
                    "basket",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="payframe_payments",
                        to="basket.basket",
                    ),
                ),
                (
                    "order",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="payframe_payments",
                        to="order.order",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="payframe_payments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "Payment",
                "verbose_name_plural": "Payments",
                "ordering": ["-created_at"],
            },
        ),
    ]
