"""Settings that can not work stop the shop, with a sentence that names the setting."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from payframe_oscar.settings import check_settings, settings_of

GOOD: dict[str, Any] = {
    "GATEWAY": "https://gateway.example",
    "API_KEY": "k",
    "NOTIFICATION_SECRETS": "whsec_c2VjcmV0LW9mLXRoZS1zaG9w",
    "SHOP": "https://shop.example/",
}


def test_what_is_left_out_has_a_value() -> None:
    settings = settings_of(GOOD)
    assert (settings.shop, settings.notifications) == ("https://shop.example", "https://shop.example")
    assert (settings.saved_cards, settings.pay_within_minutes, settings.retry_seconds) == (False, 1440, 10)
    assert settings.notification_secrets == ("whsec_c2VjcmV0LW9mLXRoZS1zaG9w",)


def test_nothing_secret_is_shown() -> None:
    assert "whsec_" not in repr(settings_of(GOOD))
    assert "api_key" not in repr(settings_of(GOOD))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("GATEWAY", "http://gateway.example", "https"),
        ("GATEWAY", "", "is missing"),
        ("API_KEY", None, "is missing"),
        ("API_KEY", 1, "must be text"),
        ("NOTIFICATION_SECRETS", [], "is missing"),
        ("NOTIFICATION_SECRETS", ["secret"], "whsec_"),
        ("SHOP", "shop.example", "origin"),
        ("SHOP", "https://shop.example/pay", "origin"),
        ("NOTIFICATIONS", "ftp://shop.example", "origin"),
        ("SAVED_CARDS", "yes", "True or False"),
        ("PAY_WITHIN_MINUTES", 0, "whole number"),
        ("RETRY_SECONDS", 1.5, "whole number"),
        ("REFERENCE_PREFIX", "much-too-long", "8 characters"),
        ("GATWAY", "https://gateway.example", "is no setting"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: object, said: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        settings_of({**GOOD, name: value})
    assert f'PAYFRAME["{name}"]' in str(refused.value)
    assert said in str(refused.value)


def test_the_check_of_the_shop_says_it(settings: Any) -> None:
    assert check_settings() == []
    settings.PAYFRAME = {**GOOD, "SHOP": ""}
    assert [error.msg for error in check_settings()] == ['PAYFRAME["SHOP"] is missing']
    del settings.PAYFRAME
    assert [error.msg for error in check_settings()] == ["PAYFRAME must be a dictionary in the settings of the shop"]
