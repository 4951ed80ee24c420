import { describe, expect, test } from "vitest";
import { type Operation, openapi } from "../../../../targets/typescript/runtime/functions/openapi.ts";
import { respondWith, startFunctionServer, stepOf } from "./servers.ts";

async function send(operation: Omit<Operation, "server">, argument: unknown) {
  const server = await startFunctionServer(respondWith({ ok: true }));
  const answer = await openapi({ ...operation, server: `${server.url}/v1/` })(argument, stepOf());
  expect(answer).toEqual({ ok: true });
  const { method, url, headers, body } = server.requests[0]!;
  return { method, url, headers, body };
}

const failing = (operation: Omit<Operation, "server">, argument: unknown) =>
  openapi({ ...operation, server: "http://127.0.0.1:1" })(argument, stepOf()).then(
    () => "no failure",
    ({ name, message }) => ({ name, message }),
  );

describe("an operation takes from the argument", () => {
  test("its parameters, and the rest as body", async () => {
    const operation: Operation = {
      method: "PUT",
      server: "",
      path: "/orders/{id}",
      parameters: [
        { name: "dryRun", in: "query" },
        { name: "X-Trace", in: "header" },
        { name: "session", in: "cookie" },
      ],
      body: "rest",
    };
    const found = await send(operation, { id: 7, dryRun: true, "X-Trace": "t", session: "a b", amount: 5 });
    expect([found.method, found.url, found.body]).toEqual(["PUT", "/v1/orders/7?dryRun=true", '{"amount":5}']);
    expect(found.headers).toMatchObject({ "x-trace": "t", cookie: "session=a%20b" });
  });

  test("its body from the member `body`", async () => {
    const { body } = await send({ method: "POST", path: "/", body: "member" }, { body: [1, 2] });
    expect(body).toBe("[1,2]");
  });

  test("the whole argument as body if it is not an object", async () => {
    expect((await send({ method: "POST", path: "/", body: "rest" }, "text")).body).toBe('"text"');
  });

  test("no body if it has none", async () => {
    expect((await send({ method: "DELETE", path: "/x" }, { a: 1 })).body).toBe("");
  });

  test("arrays and objects in the query in all styles", async () => {
    const parameters = [
      { name: "repeated", in: "query" },
      { name: "joined", in: "query", style: "joined" },
      { name: "deep", in: "query", style: "deepObject" },
      { name: "members", in: "query", style: "members" },
    ] as const;
    const { url } = await send(
      { method: "GET", path: "/", parameters },
      { repeated: [1, 2], joined: ["a", "b"], deep: { x: 1, y: [2] }, members: { m: 1 } },
    );
    expect(decodeURIComponent(url)).toBe("/v1/?repeated=1&repeated=2&joined=a,b&deep[x]=1&deep[y]=2&m=1");
  });
});

describe("an operation fails if the argument lacks", () => {
  test.each<[string, Omit<Operation, "server">]>([
    ["a path parameter", { method: "GET", path: "/{id}" }],
    [
      "a parameter that is required",
      { method: "GET", path: "/", parameters: [{ name: "id", in: "query", required: true }] },
    ],
    ["its body", { method: "POST", path: "/", body: "member", bodyRequired: true }],
  ])("%s", async (_what, operation) => expect(await failing(operation, {})).toMatchObject({ name: "ArgumentError" }));

  test("an operation fails with an invalid header", async () => {
    expect(
      await failing({ method: "GET", path: "/", parameters: [{ name: "h", in: "header" }] }, { h: "a\nb" }),
    ).toEqual({
      name: "ArgumentError",
      message: "h has characters that no header can have.",
    });
  });
});
