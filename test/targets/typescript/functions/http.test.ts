import { describe, expect, test, vi } from "vitest";
import type { CallOptions } from "../../../../targets/typescript/runtime/functions/exchange.ts";
import { clockFor } from "../../../../targets/typescript/runtime/functions/exchange.ts";
import { http } from "../../../../targets/typescript/runtime/functions/http.ts";
import { type ReceivedRequest, respondWith, startFunctionServer, stepOf } from "./servers.ts";

const failing = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    ({ name, message, data }) => ({ name, message, data }),
  );

async function send(request: string, argument: unknown, options: CallOptions = {}): Promise<ReceivedRequest> {
  const server = await startFunctionServer(respondWith(null));
  await http(request.replace("URL", server.url), options)(argument, stepOf());
  return server.requests[0]!;
}

describe("requests", () => {
  test("contain the argument as JSON, and the idempotency key of the step", async () => {
    const { method, url, headers, body } = await send("POST URL/charge", { amount: 5 });
    expect([method, url, body]).toEqual(["POST", "/charge", '{"amount":5}']);
    expect(headers).toMatchObject({ "content-type": "application/json", "idempotency-key": "run/Charge#2" });
  });

  test("have members of the argument in the URL", async () => {
    const { url, body } = await send("PUT URL/orders/{order}/items/{item}", { order: "a/b c", item: 5, note: "?" });
    expect([url, body]).toEqual(["/orders/a%2Fb%20c/items/5", '{"note":"?"}']);
  });

  test("without a body have the argument in the query", async () => {
    const { url, body, headers } = await send("GET URL/find?all=1", {
      name: "Ada & Bob",
      tags: ["x", "y"],
      none: null,
      deep: { a: [1] },
    });
    expect([url, body]).toEqual(["/find?all=1&name=Ada%20%26%20Bob&tags=x&tags=y&deep=%7B%22a%22%3A%5B1%5D%7D", ""]);
    expect(headers["content-type"]).toBeUndefined();
  });

  test("have the configured headers, including those from the environment", async () => {
    vi.stubEnv("TEST_TOKEN", "secret\n");
    const { headers } = await send("POST URL/", null, {
      headers: { Authorization: { env: "TEST_TOKEN", prefix: "Bearer " }, "X-Kind": "a" },
    });
    expect(headers).toMatchObject({ authorization: "Bearer secret", "x-kind": "a" });
  });

  test("have a key that is valid in headers for any step name", async () => {
    const server = await startFunctionServer(respondWith(null));
    await http(`POST ${server.url}`)(null, stepOf("run/Prüfen\n\ud800"));
    expect(server.requests[0]!.headers["idempotency-key"]).toBe("run/Pr%C3%BCfen%0A%EF%BF%BD");
  });
});

describe("responses", () => {
  test.each<[string, number, string, string, unknown]>([
    ["JSON", 200, "application/json; charset=utf-8", '{"a":[1]}', { a: [1] }],
    ["JSON of another type", 201, "application/vnd.shop+json", "[]", []],
    ["no content", 204, "", "", null],
    ["white space", 200, "application/json", " \n", null],
    ["text", 200, "text/plain", "done", "done"],
  ])("%s", async (_what, status, type, body, wanted) => {
    const { url } = await startFunctionServer((_, response) =>
      response.writeHead(status, type === "" ? {} : { "content-type": type }).end(body),
    );
    expect(await http(`POST ${url}`)(null, stepOf())).toEqual(wanted);
  });
});

describe("failures", () => {
  test.each<[string, number, string, unknown, string, string]>([
    [
      "a name and a message",
      402,
      "application/json",
      { name: "NoFunds", message: "Too little." },
      "NoFunds",
      "Too little.",
    ],
    [
      "a problem with a type",
      403,
      "application/problem+json",
      { type: "https://x.example/no-credit", title: "No credit", detail: "30 of 50" },
      "https://x.example/no-credit",
      "30 of 50",
    ],
    [
      "a problem with a title",
      403,
      "application/problem+json",
      { type: "about:blank", title: "Forbidden" },
      "HttpError",
      "Forbidden",
    ],
    [
      "a problem without a type",
      403,
      "application/problem+json",
      { title: "Out of stock" },
      "Out of stock",
      "Out of stock",
    ],
    ["other JSON", 500, "application/json", [1], "HttpError", "The server answered with status 500."],
    ["text", 503, "text/html", "<h1>Sorry</h1>", "HttpError", "The server answered with status 503."],
    ["broken JSON", 500, "application/json", "{", "HttpError", "The server answered with status 500."],
    ["a redirection", 302, "text/plain", "there", "HttpError", "The server answered with status 302."],
  ])("%s", async (_what, status, type, body, name, message) => {
    const { url } = await startFunctionServer(respondWith(body, status, type));
    expect(await failing(http(`POST ${url}`)(null, stepOf()))).toEqual({ name, message, data: { status, body } });
  });

  test("invalid JSON", async () => {
    const { url } = await startFunctionServer(respondWith("{", 200));
    expect(await failing(http(`POST ${url}`)(null, stepOf()))).toMatchObject({
      name: "HttpError",
      message: "The answer is not JSON.",
    });
  });

  test.each(["", "no json", "{"])("a response that must be JSON and is not: %j", async (text) => {
    const { url } = await startFunctionServer(respondWith(text, 200, "text/plain"));
    expect(await failing(http(`POST ${url}`, { invalid: "NoJson" })(null, stepOf()))).toMatchObject({ name: "NoJson" });
  });

  test("JSON with another media type where JSON is required", async () => {
    const { url } = await startFunctionServer(respondWith('{"a": 1}', 200, "text/plain"));
    expect(await http(`POST ${url}`, { invalid: "NoJson" })(null, stepOf())).toEqual({ a: 1 });
  });

  test("a response that is too long", async () => {
    const { url } = await startFunctionServer(respondWith("x".repeat(2000), 200, "text/plain"));
    const message = "The answer is longer than 1000 bytes.";
    expect(await failing(http(`POST ${url}`, { maximumBytes: 1000 })(null, stepOf()))).toMatchObject({
      name: "HttpError",
      message,
    });
  });

  test("timeout", async () => {
    const { url } = await startFunctionServer(() => undefined);
    const failure = await failing(http(`POST ${url}`, { timeout: 0.05 })(null, stepOf()));
    expect(failure).toMatchObject({ name: "Timeout", message: "There was no answer within 0.05 seconds." });
  });

  test("the timeout of a call is that of its settings, else of its step, else 300 seconds", async () => {
    const step = { ...stepOf(), timeout: 900 };
    expect(clockFor(step, undefined).signal).toBe(step.signal);
    expect(clockFor(stepOf(), undefined).signal).not.toBe(step.signal);
    const clock = clockFor(step, 0.01);
    expect(clock.failure()).toBeUndefined();
    await new Promise((resolve) => clock.signal.addEventListener("abort", resolve));
    expect(clock.failure()).toMatchObject({ name: "Timeout", origin: "timeout" });
  });

  test("a truncated response", async () => {
    const { url } = await startFunctionServer((_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).write("a"),
    );
    expect(await failing(http(`POST ${url}`, { timeout: 0.1 })(null, stepOf()))).toMatchObject({ name: "Timeout" });
  });

  test("connection refused", async () => {
    const failure = await failing(http("POST http://127.0.0.1:6/")(null, stepOf()));
    expect(failure).toMatchObject({ name: "NetworkError", message: expect.stringContaining("127.0.0.1:6") });
  });

  test("an aborted step", async () => {
    const { url } = await startFunctionServer(() => undefined);
    const cut = new AbortController();
    const calling = http(`POST ${url}`)(null, stepOf("k", cut.signal));
    cut.abort(new Error("cut off"));
    await expect(calling).rejects.toThrow("cut off");
  });

  test.each([".", "..", "", null])("a path segment that changes the path: %j", async (order) => {
    const failure = await failing(http("GET http://127.0.0.1:1/orders/{order}/x")({ order }, stepOf()));
    expect(failure).toMatchObject({ name: "ArgumentError" });
  });

  test("a missing secret, or one that is invalid in a header, is reported only by name", async () => {
    const call = http("POST http://127.0.0.1:1/", { headers: { authorization: { env: "TEST_SECRET" } } });
    expect(await failing(call(null, stepOf()))).toMatchObject({
      name: "ConfigurationError",
      message: "The environment has no TEST_SECRET.",
    });
    vi.stubEnv("TEST_SECRET", "hush\nhush");
    const failure = await failing(call(null, stepOf()));
    expect(failure).toMatchObject({ name: "ConfigurationError" });
    expect(JSON.stringify(failure)).not.toContain("hush");
  });
});
