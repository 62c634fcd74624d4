// Receives one webhook and verifies it with standardwebhooks; the secret comes on standard input.

import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";

const secret = new Promise((resolve) => createInterface({ input: process.stdin }).once("line", resolve));
const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  const message = new Webhook((await secret).trim()).verify(body, request.headers);
  console.log("verified", message.type);
  try {
    new Webhook(`whsec_${Buffer.from("another secret of 32 characters!").toString("base64")}`).verify(body, request.headers);
  } catch {
    console.log("refused another secret");
  }
  response.writeHead(204).end();
  server.close();
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
