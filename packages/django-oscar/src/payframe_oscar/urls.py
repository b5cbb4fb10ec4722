"""Addresses of the app: ``path("payframe/", include("payframe_oscar.urls"))`` in those of the shop."""

from __future__ import annotations

from django.apps import apps
from django.urls import include, path

from payframe_oscar import views

app_name = "payframe"

urlpatterns = [
    path("notifications/", views.notifications, name="notifications"),
    path("return/<str:reference>/", views.return_page, name="return"),
    path("dashboard/", include(apps.get_app_config("payframe").get_urls())),
]
