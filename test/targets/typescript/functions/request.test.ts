import { describe, expect, test, vi } from "vitest";
import { type RequestOptions, request } from "../../../../targets/typescript/runtime/functions/request.ts";
import { type ReceivedRequest, respondWith, startFunctionServer, stepOf } from "./servers.ts";

const failing = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    ({ name, message, data }) => ({ name, message, data }),
  );

async function sendTo(argument: { readonly url: string }, options: RequestOptions = {}): Promise<ReceivedRequest> {
  const server = await startFunctionServer(respondWith(null));
  await request(options)({ ...argument, url: `${server.url}${argument.url}` }, stepOf());
  return server.requests[0]!;
}

describe("the argument is the request", () => {
  test("a URL alone is a GET request", async () => {
    const { method, url, body, headers } = await sendTo({ url: "/a?b=1" });
    expect([method, url, body]).toEqual(["GET", "/a?b=1", ""]);
    expect(headers).toMatchObject({ "idempotency-key": "run/Charge#2" });
    expect(headers["content-type"]).toBeUndefined();
  });

  test("with method, query, headers and a body that is sent unchanged", async () => {
    const { method, url, body, headers } = await sendTo({
      url: "/a?b=1",
      method: "put",
      query: { c: "x y", d: 5, none: null },
      headers: { "X-Kind": "k", Accept: "text/plain" },
      body: '{"a": 1}',
    } as never);
    expect([method, url, body]).toEqual(["PUT", "/a?b=1&c=x%20y&d=5", '{"a": 1}']);
    expect(headers).toMatchObject({ "x-kind": "k", accept: "text/plain", "content-type": "application/json" });
  });

  test("a string that is not JSON is text/plain unless a header says otherwise", async () => {
    const send = async (headers: object) =>
      (await sendTo({ url: "/", method: "POST", body: "Grüße", headers } as never)).headers["content-type"];
    expect(await send({})).toBe("text/plain; charset=utf-8");
    expect(await send({ "Content-Type": "text/csv" })).toBe("text/csv");
  });

  test("configured headers take precedence, including secrets from the environment", async () => {
    vi.stubEnv("TEST_TOKEN", "hush");
    const authorization = { env: "TEST_TOKEN", prefix: "Bearer " };
    const { headers } = await sendTo({ url: "/", headers: { Authorization: "mine" } } as never, {
      headers: { authorization },
    });
    expect(headers["authorization"]).toBe("Bearer hush");
  });

  test("a path relative to a configured server, and no other server", async () => {
    const server = await startFunctionServer(respondWith(null));
    const call = request({ server: `${server.url}/base/` });
    await call({ path: "/x", method: "POST", body: "1" }, stepOf());
    await call({ path: "//other.example.com/y" }, stepOf());
    await call(null, stepOf());
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /base/x",
      "GET /base//other.example.com/y",
      "GET /base/",
    ]);
  });
});

describe("responses and errors", () => {
  const answered = async (body: string, status: number, type: string, failure = "HTTP_CALL_") => {
    const { url } = await startFunctionServer((_, response) =>
      response.writeHead(status, type === "" ? {} : { "content-type": type }).end(body),
    );
    return request({ failure })({ url }, stepOf());
  };

  test.each<[string, number, string, unknown]>([
    ['{"a":1}', 200, "application/json", { a: 1 }],
    ['{"a":1}', 200, "", { a: 1 }],
    ["{", 200, "application/json", "{"],
    ["plain", 200, "", "plain"],
    ["[1]", 200, "text/plain", "[1]"],
    ["", 204, "", null],
    ["there", 302, "text/plain", "there"],
  ])("%j with status %d as %j", async (body, status, type, wanted) => {
    expect(await answered(body, status, type)).toEqual(wanted);
  });

  test.each<[string, number, string, object]>([
    ['{"message":"No."}', 404, "application/json", { name: "HTTP_CALL_404", message: "No." }],
    ['{"errorMessage":"No."}', 502, "application/json", { name: "HTTP_CALL_502", message: "No." }],
    ["down", 503, "text/plain", { name: "HTTP_CALL_503", message: "down" }],
    ["", 500, "", { name: "HTTP_CALL_500", message: "The server answered with status 500." }],
  ])("%j with status %d", async (body, status, type, wanted) => {
    expect(await failing(answered(body, status, type))).toMatchObject(wanted);
  });
});

test.each<[string, object]>([
  ["no URL", {}],
  ["another protocol", { url: "data:text/plain,a" }],
  ["a forbidden method", { url: "http://127.0.0.1:1", method: "connect" }],
  ["an invalid URL", { url: "no address" }],
  ["an invalid header name", { url: "http://127.0.0.1:1", headers: { "a\nb": "c" } }],
  ["an invalid header value", { url: "http://127.0.0.1:1", headers: { a: "b\nc" } }],
])("%s is rejected", async (_, argument) => {
  expect(await failing(request()(argument, stepOf()))).toMatchObject({ name: "ArgumentError" });
});
