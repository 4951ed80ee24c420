import { describe, expect, test } from "vitest";
import { ask, batched, event, structured } from "./asking.ts";

describe("events", () => {
  test("start runs and are delivered to waiting runs", async () => {
    const placed = await ask("POST", "/events", { body: JSON.stringify(event("1")), headers: structured });
    expect(placed.status).toBe(202);
    expect(placed.body).toMatchObject({ status: "accepted" });
    const [id] = placed.body.started;
    await ask("POST", "/events", { body: JSON.stringify(event("2", "order.paid", { data: 0 })), headers: structured });
    const result = await ask("GET", `/runs/${id}/result?wait=5`);
    expect([result.status, result.body]).toEqual([200, 0]);
  });

  test("that were received before are duplicates", async () => {
    const request = { body: JSON.stringify(event("3")), headers: structured };
    await ask("POST", "/events", request);
    const again = await ask("POST", "/events", request);
    expect([again.status, again.body]).toEqual([202, { status: "duplicate", started: [], delivered: [] }]);
  });

  test("are accepted in binary mode with percent-encoded headers", async () => {
    const headers = {
      "ce-specversion": "1.0",
      "ce-id": "4",
      "ce-source": "/shop",
      "ce-type": "order.placed",
      "ce-subject": "K%C3%A4se",
      "ce-order": "4",
    };
    const { body } = await ask("POST", "/events", { headers });
    const paid = { ...headers, "ce-id": "5", "ce-type": "order.paid", "content-type": "text/plain" };
    await ask("POST", "/events", { body: "by card", headers: paid });
    expect((await ask("GET", `/runs/${body.started[0]}/result?wait=5`)).body).toBe("by card");
  });

  test("correlate by numbers in binary mode, where all attributes are strings", async () => {
    const body = JSON.stringify(event("n1", "order.placed", { order: 4200 }));
    const started = (await ask("POST", "/events", { body, headers: structured })).body.started;
    const headers = {
      "ce-specversion": "1.0",
      "ce-id": "n2",
      "ce-source": "/shop",
      "ce-type": "order.paid",
      "ce-order": "4200",
    };
    const awaited = async () => (await ask("GET", `/runs/${started[0]}`)).body.waitingFor.events;
    await expect.poll(awaited, { timeout: 5000 }).toEqual(["paid"]);
    const paid = await ask("POST", "/events", {
      body: "5",
      headers: { ...headers, "content-type": "application/json" },
    });
    expect(paid.body.delivered).toEqual(started);
    expect((await ask("GET", `/runs/${started[0]}/result?wait=5`)).body).toBe(5);
  });

  test("are accepted in batches", async () => {
    const body = JSON.stringify([event("6"), event("6"), event("7")]);
    const { body: result } = await ask("POST", "/events", { body, headers: batched });
    expect(result.events.map(({ status }: { status: string }) => status)).toEqual([
      "accepted",
      "duplicate",
      "accepted",
    ]);
    expect((await ask("POST", "/events", { body: "[]", headers: batched })).body).toEqual({ events: [] });
  });

  test("have their base64 data decoded", async () => {
    const { body } = await ask("POST", "/events", {
      body: JSON.stringify(event("8", "order.placed", { order: "8" })),
      headers: structured,
    });
    const paid = event("9", "order.paid", {
      order: "8",
      data_base64: Buffer.from('{"a":1}').toString("base64"),
      datacontenttype: "application/json",
    });
    await ask("POST", "/events", { body: JSON.stringify(paid), headers: structured });
    expect((await ask("GET", `/runs/${body.started[0]}/result?wait=5`)).body).toEqual({ a: 1 });
  });

  test("in a batch of 95,000 do not block other requests and are consumed once", async () => {
    const events = Array.from({ length: 95_000 }, (_, i) => event(`many-${i}`, "nobody.waits"));
    const request = { body: JSON.stringify(events), headers: batched };
    let requests = 0;
    let isDone = false;
    const others = (async () => {
      for (; !isDone; requests++) expect((await ask("GET", "/health")).status).toBe(200);
    })();
    const { status, body } = await ask("POST", "/events", request);
    isDone = true;
    await others;
    expect([status, body.events.length, body.events.at(-1).status]).toEqual([202, 95_000, "accepted"]);
    expect(requests).toBeGreaterThan(20);
    const again = await ask("POST", "/events", { body: JSON.stringify(events.slice(-2)), headers: batched });
    expect(again.body.events.map((each: { readonly status: string }) => each.status)).toEqual([
      "duplicate",
      "duplicate",
    ]);
  }, 60_000);

  test("of 50 MB are rejected before they are read", async () => {
    const large = JSON.stringify(event("50", "order.placed", { data: "x".repeat(50_000_000) }));
    const answer = await ask("POST", "/events", { body: large, headers: structured }).catch(() => undefined);
    expect(answer === undefined || answer.status === 413).toBe(true);
    expect((await ask("GET", "/health")).status).toBe(200);
  });

  test("may have 10 MB", async () => {
    const large = JSON.stringify(event("10", "order.placed", { data: "x".repeat(10_000_000) }));
    expect((await ask("POST", "/events", { body: large, headers: structured })).status).toBe(202);
  });
});

describe("malformed events", () => {
  const { id: _, ...nameless } = event("x");
  test.each<[string, object | string, { [name: string]: string }, number, string]>([
    ["no id", nameless, structured, 400, "The event has no id, or one that is not a string."],
    [
      "an empty source",
      { ...event("x"), source: "" },
      structured,
      400,
      "The event has no source, or one that is not a string.",
    ],
    [
      "another version",
      { ...event("x"), specversion: "0.3" },
      structured,
      400,
      "The event is of version 0.3; 1.0 is read here.",
    ],
    [
      "an invalid time",
      { ...event("x"), time: "noon" },
      structured,
      400,
      "The event is malformed: its time is not a time like 2026-01-31T12:00:00Z.",
    ],
    [
      "an id with an unpaired surrogate",
      { ...event("x"), id: "x\ud800" },
      structured,
      400,
      "The event is malformed: its id is not a string.",
    ],
    [
      "an attribute that is an object",
      { ...event("x"), trace: {} },
      structured,
      400,
      "The attribute trace is not a string, number or boolean.",
    ],
    [
      "a name with an invalid character",
      { ...event("x"), Trace: "1" },
      structured,
      400,
      "The event has an attribute whose name has more than a to z and 0 to 9.",
    ],
    ["not an object", [1], structured, 400, "The body is not an object."],
    ["not JSON", "{", structured, 400, "The body is not JSON: see line 1, column 2."],
    [
      "an infinite number in a batch",
      `[${JSON.stringify(event("x", "t", { data: "#" })).replace('"#"', "1e999")}]`,
      batched,
      400,
      "The body contains a number that is larger than any double.",
    ],
    [
      "a repeated member",
      `{"specversion":"1.0","id":"x","id":"y","source":"/","type":"t"}`,
      structured,
      400,
      'The body has the member "id" twice in one object.',
    ],
    [
      "deep data",
      JSON.stringify(event("x", "t", { data: "#" })).replace('"#"', `${"[".repeat(500)}${"]".repeat(500)}`),
      structured,
      400,
      "The body has arrays and objects that are nested more than 500 deep.",
    ],
    ["not an array", event("x"), batched, 400, "The body is not an array of events."],
    ["one of a batch", [event("fresh"), 1], batched, 400, "Event 2 of the batch is not an object."],
    [
      "invalid base64",
      { ...event("x"), data_base64: "%" },
      structured,
      400,
      "The data_base64 of the body is not base64.",
    ],
    [
      "another format",
      "<xml/>",
      { "content-type": "application/cloudevents+xml" },
      415,
      "Events in the format application/cloudevents+xml are not read here: JSON is.",
    ],
    [
      "no event at all",
      "{}",
      {},
      415,
      "There is no event: the content type is not application/cloudevents+json, and there are no headers ce-….",
    ],
    [
      "binary without a type",
      "{}",
      { "ce-id": "1", "ce-source": "/", "ce-specversion": "1.0" },
      400,
      "The event has no type, or one that is not a string.",
    ],
    [
      "binary data that is not JSON",
      "{",
      { "ce-id": "1", "ce-source": "/", "ce-specversion": "1.0", "ce-type": "t" },
      400,
      "The body is not JSON: see line 1, column 2.",
    ],
  ])("%s", async (_what, body, headers, status, detail) => {
    const refused = await ask("POST", "/events", {
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers,
    });
    expect([refused.status, refused.body.detail]).toEqual([status, detail]);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
  });

  test("reject the whole batch", async () => {
    const { body } = await ask("POST", "/events", { body: JSON.stringify(event("fresh")), headers: structured });
    expect(body.status).toBe("accepted");
  });

  test("extensions may have names of methods", async () => {
    const body = JSON.stringify(event("methods", "t", { validate: "x", constructor: "y" }));
    expect((await ask("POST", "/events", { body, headers: structured })).status).toBe(202);
  });
});
