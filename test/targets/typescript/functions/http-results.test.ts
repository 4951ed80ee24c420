import { describe, expect, test, vi } from "vitest";
import { type RequestOptions, request } from "../../../../targets/typescript/runtime/functions/request.ts";
import type { ResultOptions } from "../../../../targets/typescript/runtime/functions/result.ts";
import { oauth2, type TokenRequest } from "../../../../targets/typescript/runtime/functions/token.ts";
import { respondWith, startFunctionServer, stepOf } from "./servers.ts";

const failing = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    ({ name, message, data }) => ({ name, message, data }),
  );

const result: ResultOptions = { accept: { from: 200, to: 299 }, failure: "communication" };

async function answered(body: string, status: number, type: string, options: Partial<ResultOptions> = {}) {
  const server = await startFunctionServer((_, response) =>
    response.writeHead(status, type === "" ? {} : { "content-type": type }).end(body),
  );
  const headers = { authorization: "Basic abc", "x-kind": "k" };
  return request({ result: { ...result, ...options } })({ url: `${server.url}/a`, headers }, stepOf());
}

describe("results of accepted statuses", () => {
  test.each<[string, number, string, unknown]>([
    ['{"a":1}', 200, "application/json", { a: 1 }],
    ['{"a":1}', 200, "application/problem+json; charset=utf-8", { a: 1 }],
    ['{"a":1}', 200, "", '{"a":1}'],
    ["{", 200, "application/json", "{"],
    ["[1]", 200, "text/plain", "[1]"],
    ["", 204, "", null],
  ])("%j with status %d and media type %j", async (body, status, type, wanted) => {
    expect(await answered(body, status, type)).toEqual(wanted);
  });

  test("the whole response, without headers of the request that may be secrets", async () => {
    const seen = await answered('{"a":1}', 201, "application/json", { answer: "response" });
    expect(seen).toMatchObject({
      request: { method: "GET", headers: { "x-kind": "k" } },
      statusCode: 201,
      headers: { "content-type": "application/json" },
      content: { a: 1 },
    });
    expect(JSON.stringify(seen)).not.toContain("abc");
  });

  test("the response with its request, without a password in the address", async () => {
    const server = await startFunctionServer(respondWith(1));
    const call = request({ result: { ...result, answer: "response" } });
    const seen = await call({ url: server.url.replace("//", "//ann:hush@") }, stepOf());
    expect(seen).toMatchObject({ request: { uri: `${server.url}/` } });
    expect(server.requests[0]!.headers.authorization).toMatch(/^Basic /);
  });

  test("the response without its request, which has secrets", async () => {
    const seen = await answered("{}", 200, "application/json", { answer: "response", hidesRequest: true });
    expect(Object.keys(seen as object)).toEqual(["statusCode", "headers", "content"]);
  });

  test("the body in Base64", async () => {
    expect(await answered("Grüße", 200, "application/json", { answer: "raw" })).toBe("R3LDvMOfZQ==");
  });

  test("a wider range", async () => {
    expect(await answered("there", 302, "text/plain", { accept: { from: 200, to: 399 } })).toBe("there");
  });
});

describe("errors", () => {
  test.each<[string, number, string, object]>([
    ["gone", 404, "text/plain", { status: 404, title: "Not Found", detail: "gone" }],
    ['{"a":1}', 503, "application/json", { status: 503, title: "Service Unavailable" }],
    ["", 302, "", { status: 302, title: "Found" }],
  ])("%j with status %d", async (body, status, type, data) => {
    expect(await failing(answered(body, status, type))).toEqual({
      name: "communication",
      message: (data as { title: string }).title,
      data,
    });
  });

  test("no response has status 500", async () => {
    const failed = await failing(request({ result })({ url: "http://127.0.0.1:1/" }, stepOf()) as Promise<unknown>);
    expect(failed).toMatchObject({ name: "communication", data: { status: 500, title: "No Response" } });
  });

  test("a body that is too long", async () => {
    const server = await startFunctionServer(respondWith("x".repeat(2000), 200, "text/plain"));
    const call = request({ result, maximumBytes: 1000 });
    expect(await failing(call({ url: server.url }, stepOf()))).toMatchObject({ name: "communication" });
  });
});

describe("redirections", () => {
  const redirecting = async (
    status: number,
    to: string | undefined,
    argument: object,
    options: RequestOptions = {},
  ) => {
    const other = await startFunctionServer(respondWith("arrived"));
    const server = await startFunctionServer(({ url }, response) => {
      if (url === "/end") response.end("ended");
      else response.writeHead(status, { location: to ?? `${other.url}/end` }).end();
    });
    const call = request({ result, follow: true, ...options });
    const outcome = await failing(call({ url: `${server.url}/start`, ...argument }, stepOf()));
    return { outcome, requests: server.requests, other: other.requests };
  };

  test("307 repeats the request, 303 gets the other address", async () => {
    const argument = { method: "POST", body: { a: 1 }, headers: { "x-api-key": "hush" } };
    const same = await redirecting(307, "/end", argument);
    expect(same.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "/start", '{"a":1}'],
      ["POST", "/end", '{"a":1}'],
    ]);
    expect(same.requests[1]!.headers["x-api-key"]).toBe("hush");
    const seen = await redirecting(303, "/end", argument);
    expect(seen.requests[1]).toMatchObject({ method: "GET", body: "" });
  });

  test("another server receives no secrets", async () => {
    const { other } = await redirecting(302, undefined, {
      headers: { authorization: "Basic abc", cookie: "a=b", "x-api-key": "hush" },
    });
    expect(other).toHaveLength(1);
    expect(JSON.stringify(other)).not.toMatch(/abc|a=b|hush/);
  });

  test("an endless one is an error", async () => {
    const { outcome, requests } = await redirecting(302, "/start", {});
    expect(outcome).toMatchObject({ name: "communication", data: { status: 500 } });
    expect(requests).toHaveLength(6);
  });

  test("other protocols are not followed", async () => {
    expect((await redirecting(302, "file:///etc/passwd", {})).outcome).toMatchObject({ data: { status: 302 } });
  });
});

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("access tokens", () => {
  const issuing = async (seconds: number | undefined, more: Partial<TokenRequest> = {}) => {
    let count = 0;
    const issuer = await startFunctionServer((_, response) => {
      count += 1;
      const body = { access_token: `token-${count}`, ...(seconds === undefined ? {} : { expires_in: seconds }) };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const source: TokenRequest = {
      endpoint: `${issuer.url}/token`,
      grant: "client_credentials",
      client: { id: "me", secret: "p:w" },
      ...more,
    };
    return { issuer, token: oauth2(source) };
  };

  test("concurrent and later calls share one", async () => {
    const { issuer, token } = await issuing(3600);
    const server = await startFunctionServer(respondWith(1));
    const call = request({ result, token });
    await Promise.all([1, 2, 3].map(() => call({ url: server.url }, stepOf())));
    await call({ url: server.url }, stepOf());
    expect(issuer.requests).toHaveLength(1);
    expect(issuer.requests[0]).toMatchObject({ method: "POST", body: "grant_type=client_credentials" });
    expect(issuer.requests[0]!.headers).toMatchObject({
      authorization: `Basic ${Buffer.from("me:p%3Aw").toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 4 }, () => "Bearer token-1"),
    );
  });

  test("a call does not wait longer for one than it may take, and others still receive it", async () => {
    const issuer = await startFunctionServer((_, response) =>
      setTimeout(() => response.end(JSON.stringify({ access_token: "late" })), 600),
    );
    const token = oauth2({ endpoint: issuer.url, grant: "client_credentials", client: { id: "me" } });
    const server = await startFunctionServer(respondWith(1));
    const call = (timeout: number) => failing(request({ result, token, timeout })({ url: server.url }, stepOf()));
    expect(await Promise.all([call(0.2), call(20)])).toMatchObject([{ name: "Timeout" }, "no failure"]);
    expect(issuer.requests).toHaveLength(1);
  });

  test("one that lives shorter than tokens are renewed early is used for half of its life", async () => {
    const { issuer, token } = await issuing(10);
    expect([await token(stepOf()), await token(stepOf())]).toEqual(["token-1", "token-1"]);
    expect(issuer.requests).toHaveLength(1);
  });

  test("requests of tokens have keys of their own", async () => {
    const { issuer, token } = await issuing(0.02);
    await token(stepOf());
    await rest(30);
    await token(stepOf());
    const keys = new Set(issuer.requests.map(({ headers }) => headers["idempotency-key"]));
    expect([keys.size, keys.has(stepOf().key)]).toEqual([2, false]);
  });

  test("an expired one is renewed, and a rejected one once", async () => {
    const { token } = await issuing(0.02);
    const first = await token(stepOf());
    await rest(30);
    expect([first, await token(stepOf())]).toEqual(["token-1", "token-2"]);
    const { token: other } = await issuing(3600);
    const server = await startFunctionServer(({ headers }, response) =>
      response.writeHead(headers.authorization === "Bearer token-2" ? 200 : 401).end(),
    );
    expect(await request({ result, token: other })({ url: server.url }, stepOf())).toBeNull();
    expect(server.requests).toHaveLength(2);
    const refusing = await startFunctionServer(respondWith("no", 401, "text/plain"));
    const failed = await failing(request({ result, token: other })({ url: refusing.url }, stepOf()));
    expect(failed).toMatchObject({ name: "communication", data: { status: 401 } });
    expect(refusing.requests).toHaveLength(2);
  });

  test("the grant of a password, scopes and audiences, with credentials in the body", async () => {
    vi.stubEnv("SECRET_SHOP_PASSWORD", "hush");
    const { issuer, token } = await issuing(60, {
      grant: "password",
      inBody: true,
      user: { name: "ann", password: { id: "shop", key: "password" } },
      scopes: ["a", "b"],
      audiences: ["x"],
    });
    await token(stepOf());
    expect(issuer.requests[0]!.body).toBe(
      "grant_type=password&username=ann&password=hush&scope=a+b&audience=x&client_id=me&client_secret=p%3Aw",
    );
  });

  test.each<[string, number, string, object]>([
    ["a refusal", 400, '{"error":"invalid_client"}', { name: "authentication", data: { status: 401 } }],
    ["a failure", 500, "down", { name: "authentication", data: { status: 500 } }],
    ["no token", 200, "{}", { name: "authentication", data: { status: 500 } }],
    ["a token that no header can have", 200, '{"access_token":"a\\nb"}', { name: "authentication" }],
  ])("%s of the issuer fails the call", async (_, status, body, wanted) => {
    const issuer = await startFunctionServer(respondWith(body, status));
    const client = { id: "me", secret: "pw" };
    const token = oauth2({ endpoint: issuer.url, grant: "client_credentials", client, failure: "authentication" });
    expect(await failing(request({ result, token })({ url: "http://127.0.0.1:1/" }, stepOf()))).toMatchObject(wanted);
  });
});
