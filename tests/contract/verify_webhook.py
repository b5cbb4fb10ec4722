"""Verifies a notification with the reference library of Standard Webhooks.

Reads an object with the members `headers`, `body` and `secret` from standard input, and prints `verified` or `refused`.
"""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

received = json.load(sys.stdin)
try:
    Webhook(received["secret"]).verify(received["body"], received["headers"])
    print("verified")
except WebhookVerificationError:
    print("refused")
