import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CloudEvent, HTTP, type Message } from "cloudevents";
import { expect, onTestFinished, test } from "vitest";
import type { CloudEvent as Delivered } from "../../../../targets/typescript/runtime/events.ts";
import { createHandler } from "../../../../targets/typescript/runtime/server/handler.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite.ts";

/** What the engine is given when the kit's own sender sends an event. */
async function delivered({ headers, body }: Message): Promise<readonly Delivered[]> {
  const events: Delivered[] = [];
  const engine = openEngine({
    store: ":memory:",
    workflows: [],
    functions: {},
    send: () => undefined,
    log: () => undefined,
  });
  const deliver = (event: Delivered) => {
    events.push(event);
    return engine.deliver(event);
  };
  const server = createServer(createHandler({ ...engine, deliver }, { workflows: [] }));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  const response = await fetch(url, {
    method: "POST",
    headers: headers as { [name: string]: string },
    body: body as string,
  });
  expect(response.status).toBe(202);
  return events;
}

const attributes = {
  id: "1",
  source: "/shop",
  type: "order.placed",
  time: "2026-01-01T00:00:00.000Z",
  subject: "a",
  traceparent: "t",
  count: 5,
};

test.each<[string, unknown, object]>([
  ["an object", { a: [1, null] }, { datacontenttype: "application/json" }],
  ["a text", "hello", { datacontenttype: "text/plain" }],
  ["false", false, { datacontenttype: "application/json" }],
])("%s comes over in structured mode", async (_what, data, more) => {
  const event = new CloudEvent({ ...attributes, ...more, data });
  expect(await delivered(HTTP.structured(event))).toMatchObject([{ ...attributes, ...more, data }]);
});

test.each<[string, unknown, object]>([
  ["an object", { a: [1, null] }, { datacontenttype: "application/json; charset=utf-8" }],
  ["a text", "hello", { datacontenttype: "text/plain" }],
])("%s comes over in binary mode, where attributes are texts", async (_what, data, more) => {
  const event = new CloudEvent({ ...attributes, ...more, data });
  expect(await delivered(HTTP.binary(event))).toMatchObject([{ ...attributes, count: "5", ...more, data }]);
});

test("binary data comes over as what it stands for", async () => {
  const event = new CloudEvent({
    ...attributes,
    datacontenttype: "text/plain",
    data: new TextEncoder().encode("hello"),
  });
  expect(await delivered(HTTP.structured(event))).toMatchObject([{ id: "1", data: "hello" }]);
});
