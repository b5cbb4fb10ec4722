"""The app ``checkout`` of django-oscar, with the form on its page for payment details.

A shop without a checkout of its own has ``"payframe_oscar.checkout.apps.CheckoutConfig"`` among ``INSTALLED_APPS`` in
place of ``"oscar.apps.checkout.apps.CheckoutConfig"``. A shop that has forked the app takes ``PayframePaymentMixin``.
"""
