"""Receives one webhook and verifies it with standardwebhooks; the secret comes on standard input."""

import base64
import http.server
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        secret = sys.stdin.readline().strip()
        message = Webhook(secret).verify(body, dict(self.headers.items()))
        print("verified", message["type"], flush=True)
        try:
            Webhook("whsec_" + base64.b64encode(b"another secret of 32 characters!").decode()).verify(body, dict(self.headers.items()))
        except WebhookVerificationError:
            print("refused another secret", flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.handle_request()
