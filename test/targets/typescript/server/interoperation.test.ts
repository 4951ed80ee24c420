import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CloudEvent, HTTP, type Message } from "cloudevents";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { CloudEvent as Delivered } from "../../../../targets/typescript/runtime/events.ts";
import { eventsIn } from "../../../../targets/typescript/runtime/server/cloudevents.ts";
import { createHandler } from "../../../../targets/typescript/runtime/server/handler.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";

/** The events that the engine receives from a message of the CloudEvents SDK. */
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
  ["a string", "hello", { datacontenttype: "text/plain" }],
  ["false", false, { datacontenttype: "application/json" }],
])("%s is received in structured mode", async (_what, data, more) => {
  const event = new CloudEvent({ ...attributes, ...more, data });
  expect(await delivered(HTTP.structured(event))).toMatchObject([{ ...attributes, ...more, data }]);
});

test.each<[string, unknown, object]>([
  ["an object", { a: [1, null] }, { datacontenttype: "application/json; charset=utf-8" }],
  ["a string", "hello", { datacontenttype: "text/plain" }],
])("%s is received in binary mode, where attributes are strings", async (_what, data, more) => {
  const event = new CloudEvent({ ...attributes, ...more, data });
  expect(await delivered(HTTP.binary(event))).toMatchObject([{ ...attributes, count: "5", ...more, data }]);
});

test("binary data is decoded", async () => {
  const event = new CloudEvent({
    ...attributes,
    datacontenttype: "text/plain",
    data: new TextEncoder().encode("hello"),
  });
  expect(await delivered(HTTP.structured(event))).toMatchObject([{ id: "1", data: "hello" }]);
});

const digits = fc.constantFrom("00", "01", "12", "23", "24", "29", "30", "31", "59", "60", "99");
const partOfAddress = fc.constantFrom(
  ..."aZ0:/?#[]@%%.-_~!$ é\\^|<",
  "//",
  "%2f",
  "%F",
  "http:",
  "[::1]",
  "[v1.a]",
  "[1]",
  ":8",
  "a@",
);
const forms: readonly (readonly [attribute: string, strings: fc.Arbitrary<string>])[] = [
  ["source", fc.array(partOfAddress, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""))],
  ["dataschema", fc.array(partOfAddress, { maxLength: 6 }).map((parts) => ["urn:", ...parts].join(""))],
  [
    "time",
    fc
      .tuple(
        digits,
        digits,
        fc.constantFrom("T", "t", " ", ""),
        digits,
        digits,
        digits,
        fc.constantFrom("", ".5", "."),
        offset(),
      )
      .map(
        ([month, day, t, hours, minutes, seconds, part, zone]) =>
          `2024-${month}-${day}${t}${hours}:${minutes}:${seconds}${part}${zone}`,
      ),
  ],
];

function offset(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom("Z", "z", ""),
    fc.tuple(digits, digits).map(([hours, minutes]) => `+${hours}:${minutes}`),
  );
}

const isAccepted = (event: object, read: (event: object) => unknown): boolean => {
  try {
    read({ specversion: "1.0", id: "1", source: "/shop", type: "order.placed", ...event });
    return true;
  } catch {
    return false;
  }
};
const ours = (event: object) =>
  eventsIn({
    headers: {},
    type: "application/cloudevents+json",
    body: new TextEncoder().encode(JSON.stringify(event)),
  });
const sdk = (event: object) => new CloudEvent(event as Partial<CloudEvent<undefined>>, true);

test.each(forms)("no %s is accepted that the SDK rejects", (attribute, strings) => {
  let accepted = 0;
  fc.assert(
    fc.property(strings, (value) => {
      const event = { [attribute]: value };
      if (!isAccepted(event, ours)) return;
      accepted += 1;
      expect([value, isAccepted(event, sdk)]).toEqual([value, true]);
    }),
    { seed: 20260101, numRuns: 5000 },
  );
  expect(accepted).toBeGreaterThan(20);
});

test.each([
  { source: "https://github.com/cloudevents" },
  { source: "mailto:cncf-wg-serverless@lists.cncf.io" },
  { source: "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66" },
  { source: "cloudevents/spec/pull/123" },
  { source: "/sensors/tn-1234567/alerts" },
  { source: "1-555-123-4567" },
  { source: "//user@[2001:db8::1]:8080/a%20b?c=d/e?#f" },
  { dataschema: "https://example.com/schemas/order.json#/placed" },
  { time: "2024-02-29T23:59:60Z" },
  { time: "2026-01-01t00:00:00.123456789+05:30" },
  { subject: "Zoë, 雨" },
])("%j is accepted here and by the SDK", (attribute) => {
  expect([isAccepted(attribute, ours), isAccepted(attribute, sdk)]).toEqual([true, true]);
});

test.each([
  { source: "a b" },
  { source: "//[::1/x" },
  { source: "http://[1]/" },
  { source: "a%2" },
  { dataschema: "/order" },
  { time: "2026-02-29T00:00:00Z" },
  { time: "2026-01-01T24:00:00Z" },
  { time: "2026-01-01" },
  { subject: 5 },
])("%j is rejected here and by the SDK", (attribute) => {
  expect([isAccepted(attribute, ours), isAccepted(attribute, sdk)]).toEqual([false, false]);
});
