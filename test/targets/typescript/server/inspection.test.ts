import { describe, expect, test } from "vitest";
import { ask, startServer, token, url } from "./asking.ts";

// What the dashboard reads, and its files.

describe("the page", () => {
  test.each([
    ["/", "text/html; charset=utf-8"],
    ["/dashboard.css", "text/css; charset=utf-8"],
    ["/dashboard.js", "text/javascript; charset=utf-8"],
    ["/picture.js", "text/javascript; charset=utf-8"],
  ])("%s needs no token and has a strict policy", async (path, type) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const policy = response.headers.get("content-security-policy")!.split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.join()).not.toContain("unsafe");
    const again = await fetch(url + path, { headers: { "if-none-match": response.headers.get("etag")! } });
    expect(again.status).toBe(304);
  });

  test("has no inline script, style or handler, and no address of another server", async () => {
    const html = await (await fetch(`${url}/`)).text();
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src="dashboard\.js")/);
    expect(html).not.toContain("//");
    const css = await (await fetch(`${url}/dashboard.css`)).text();
    expect(css).not.toMatch(/url\(|@import/);
  });

  test("says whether a token is required", async () => {
    expect(await (await fetch(`${url}/`)).text()).toContain('data-token="required"');
    expect(await (await fetch(`${await startServer({})}/`)).text()).toContain('data-token="none"');
  });
});

describe("inspection", () => {
  test("steps have results, in pages", async () => {
    await ask("POST", "/workflows/greet/runs?id=s1", { body: JSON.stringify({ name: "you" }) });
    await ask("GET", "/runs/s1/result?wait=5");
    const { status, body } = await ask("GET", "/runs/s1/steps?limit=1");
    expect(status).toBe(200);
    expect(body.steps).toHaveLength(1);
    expect(body.steps[0]).toMatchObject({ status: "done", attempt: 1 });
    expect(body.steps[0]).toHaveProperty("result");
    expect((await ask("GET", `/runs/s1/steps?after=${body.steps[0].cursor}`)).body.steps).toEqual([]);
  });

  test.each([
    ["/runs/none/steps", 404],
    ["/runs/s1/steps?limit=0", 400],
    ["/runs/s1/steps?limit=1.5", 400],
    ["/runs/s1/steps?after=x", 400],
    ["/runs?from=yesterday", 400],
    ["/runs?until=1", 400],
    ["/workflows/greet/graph", 400],
    ["/workflows/greet/graph?version=9", 404],
  ])("GET %s is refused with %i", async (path, status) => {
    expect((await ask("GET", path)).status).toBe(status);
  });

  test.each(["/counts", "/workflows", "/runs/s1/steps", "/workflows/greet/graph?version=1"])(
    "%s needs a token",
    async (path) => {
      expect((await fetch(url + path)).status).toBe(401);
    },
  );

  test("counts runs by status, of a workflow or of all", async () => {
    const server = await startServer({ token });
    const read = async (path: string) =>
      (await fetch(server + path, { headers: { authorization: `Bearer ${token}` } })).json();
    await fetch(`${server}/workflows/greet/runs?id=c1`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    await read("/runs/c1/result?wait=5");
    const { counts } = (await read("/counts")) as { readonly counts: { readonly [status: string]: number } };
    expect(Object.values(counts).reduce((a, b) => a + b)).toBe(1);
    const other = (await read("/counts?workflow=order%2Fnew")) as typeof counts;
    expect(other).toEqual({ counts: { running: 0, waiting: 0, succeeded: 0, failed: 0, cancelled: 0, stranded: 0 } });
  });

  test("credentials that are limited to a workflow see only that", async () => {
    const credentials = () => [{ token: "limited-token", may: ["read" as const], workflows: ["order/new"] }];
    const server = await startServer({ token, credentials });
    const headers = { authorization: "Bearer limited-token" };
    const mine = { authorization: `Bearer ${token}` };
    await fetch(`${server}/workflows/greet/runs?id=l1`, { method: "POST", headers: mine });
    const statusOf = async (path: string) => (await fetch(server + path, { headers })).status;
    expect(await statusOf("/runs/l1/steps")).toBe(404);
    expect(await statusOf("/counts?workflow=greet")).toBe(403);
    expect(await statusOf("/workflows/greet/graph?version=1")).toBe(403);
    const workflows = await (await fetch(`${server}/workflows`, { headers })).json();
    expect(workflows).toMatchObject({ workflows: [{ id: "order/new" }] });
    const { counts } = (await (await fetch(`${server}/counts`, { headers })).json()) as { counts: object };
    expect(Object.values(counts).reduce((a: number, b: number) => a + b)).toBe(0);
  });
});
