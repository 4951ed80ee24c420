import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseCredentials } from "../../../../targets/typescript/runtime/main/credentials.ts";
import { program, run, serve } from "./running.ts";

const token = "a-token-of-16-characters";
const entry = { token, may: ["read"] };

test("credentials are parsed from JSON", () => {
  const secrets = [`whsec_${Buffer.alloc(24).toString("base64")}`];
  const list = [
    { ...entry, workflows: ["greet"] },
    { secrets, may: ["events"] },
  ];
  expect(parseCredentials(JSON.stringify(list), "TOKENS")).toEqual([
    { ...entry, secrets: undefined, workflows: ["greet"] },
    { token: undefined, secrets: [Buffer.alloc(24)], may: ["events"], workflows: undefined },
  ]);
});

describe("invalid credentials are rejected:", () => {
  test.each<[string, unknown, RegExp]>([
    ["an object", entry, /not a list/],
    ["an empty list", [], /not a list/],
    ["an entry that is a string", ["x"], /entry 1 is not an object/],
    ["a misspelled member", [{ ...entry, workflow: ["a"] }], /unknown member "workflow"/],
    ["neither token nor secrets", [{ may: ["read"] }], /neither/],
    ["a short token", [{ ...entry, token: "short" }], /16 letters/],
    ["a token with a space", [{ ...entry, token: `${token} ` }], /16 letters/],
    ["no permissions", [{ token }], /needs "may"/],
    ["an unknown permission", [{ token, may: ["write"] }], /needs "may"/],
    ["the same token twice", [entry, entry], /same token/],
    ["a short secret", [{ secrets: ["whsec_AAAA"], may: ["events"] }], /secrets/],
    ["signatures for more than events", [{ secrets: [Buffer.alloc(24).toString("base64")], may: ["read"] }], /signed/],
    ["workflows that limit events", [{ token, may: ["events"], workflows: ["a"] }], /cannot limit events/],
    ["no workflows", [{ ...entry, workflows: [] }], /workflows/],
  ])("%s", (_what, value, message) => {
    expect(() => parseCredentials(JSON.stringify(value), "TOKENS")).toThrow(message);
  });

  test("text that is not JSON, without quoting it", () => {
    expect(() => parseCredentials(`[${token}`, "TOKENS")).toThrow(/^TOKENS is invalid: it is not JSON\.$/);
  });
});

const other = "another-token-of-the-test";
const statusWith = async (url: string, bearer: string) =>
  (await fetch(`${url}/runs`, { headers: { authorization: `Bearer ${bearer}` } })).status;

test("a server reads its credentials again when the file changes or on SIGHUP", async () => {
  const folder = program();
  const file = join(folder, "tokens.json");
  writeFileSync(file, JSON.stringify([entry]));
  const server = await serve(folder, [], { WAYBILL_TOKENS_FILE: file });
  expect(server.token).toBe("");
  expect([await statusWith(server.url, token), await statusWith(server.url, other)]).toEqual([200, 401]);
  writeFileSync(join(folder, "next.json"), JSON.stringify([entry, { ...entry, token: other }]));
  renameSync(join(folder, "next.json"), file);
  await expect.poll(() => statusWith(server.url, other), { timeout: 5000 }).toBe(200);
  expect(await statusWith(server.url, token)).toBe(200);
  writeFileSync(file, "[");
  await expect.poll(() => server.log(), { timeout: 5000 }).toContain("the previous ones stay valid");
  expect(await statusWith(server.url, token)).toBe(200);
  expect(server.log()).not.toContain(other);
  writeFileSync(file, JSON.stringify([{ ...entry, token: other }]));
  server.child.kill("SIGHUP");
  await expect.poll(() => statusWith(server.url, token), { timeout: 5000 }).toBe(401);
  expect(await server.stop("SIGTERM")).toBe(0);
});

test("a server without valid credentials does not start", async () => {
  const started = await run(program(), ["serve", "--port", "0"], "", { WAYBILL_TOKENS: "@missing.json" });
  expect([started.status, started.err]).toEqual([1, expect.stringContaining("missing.json cannot be read")]);
  const open = await run(program(), ["serve", "--port", "0", "--no-token"], "", {
    WAYBILL_TOKENS: JSON.stringify([entry]),
  });
  expect([open.status, open.err]).toEqual([2, expect.stringContaining("--no-token excludes WAYBILL_TOKENS")]);
});
