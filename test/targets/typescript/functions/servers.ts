import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Step } from "../../../../targets/typescript/runtime/flow.ts";

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An HTTP server that records requests. It is stopped at the end of the test. */
export async function startFunctionServer(respond: (request: ReceivedRequest, response: ServerResponse) => void) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const received = { method, url, headers, body: await text(request) };
    requests.push(received);
    respond(received, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** The step that is passed to a function. */
export const stepOf = (key = "run/Charge#2", signal = new AbortController().signal): Step => ({
  key,
  attempt: 1,
  signal,
  position: [],
});

/** Responds with JSON. */
export const respondWith =
  (body: unknown, status = 200, type = "application/json") =>
  (_: ReceivedRequest, response: ServerResponse) =>
    response.writeHead(status, { "content-type": type }).end(typeof body === "string" ? body : JSON.stringify(body));
