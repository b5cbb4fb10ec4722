"""Forms of the dashboard."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from payframe import PayframeError

from payframe_oscar.amounts import major_of, minor_digits, minor_of


class AmountForm(forms.Form):
    """A sum in the major unit, up to what can be moved."""

    version = forms.CharField(widget=forms.HiddenInput)
    """Of the order that the page showed."""
    amount = forms.DecimalField(label=_("Amount"))
    went_back = forms.BooleanField(label=_("The goods came back, or are written off"), required=False)

    def __init__(self, *args: Any, currency: str, most: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency
        self.most = most
        digits = min(minor_digits(currency), 2)
        self.fields["amount"].widget.attrs.update(step=str(Decimal(1).scaleb(-digits)), min="0")
        self.fields["amount"].initial = major_of(most, currency).quantize(Decimal(1).scaleb(-digits))

    def clean_amount(self) -> int:
        """In the minor unit."""
        try:
            minor = minor_of(self.cleaned_data["amount"], self.currency)
        except PayframeError as problem:
            raise forms.ValidationError(problem.message) from problem
        if not 0 < minor <= self.most:
            most = f"{major_of(self.most, self.currency)} {self.currency}"
            raise forms.ValidationError(_("The amount must be above 0, and at most %(most)s.") % {"most": most})
        return minor
