import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Step } from "../../../../targets/typescript/runtime/flow.ts";

/** A received request. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An HTTP server that records requests. It is stopped at the end of the test. */
export async function functionServer(respond: (asked: Asked, response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, body: await text(request) };
    asked.push(one);
    respond(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** The step that is passed to a function. */
export const stepOf = (key = "run/Charge#2", signal = new AbortController().signal): Step => ({
  key,
  attempt: 1,
  signal,
  position: [],
});

/** Responds with JSON. */
export const answering =
  (body: unknown, status = 200, type = "application/json") =>
  (_: Asked, response: ServerResponse) =>
    response.writeHead(status, { "content-type": type }).end(typeof body === "string" ? body : JSON.stringify(body));
