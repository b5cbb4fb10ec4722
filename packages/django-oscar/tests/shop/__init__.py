"""A whole shop of django-oscar with the payment app: its default apps, on SQLite."""
