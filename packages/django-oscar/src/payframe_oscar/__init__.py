"""Payframe for django-oscar: a payment app by which shop and money never disagree.

The buyer pays in a form on the page of the checkout; the shop has the order if and only if the gateway holds its money.
The README says how to install it. The order of each payment is kept by ``payframe.order_keeper``.
"""
