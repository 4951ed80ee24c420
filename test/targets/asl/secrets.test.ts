import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/index.ts";
import type { Json } from "../../../src/json.ts";

// Step Functions keeps the input and output of every state, so machines send references to secrets, which the called
// functions resolve.

const step = (kind: string, fields: string): string =>
  `yawl: "0.1"\nstart: send\nsteps:\n  send:\n    ${kind}: ${fields}\n`;

const call = (input: string): string => step("functionCall", JSON.stringify({ functionId: "d4e", input }));

const http = (fields: object): string => step("httpCall", JSON.stringify({ url: "https://a.example", ...fields }));

async function compiled(text: string, binding?: string) {
  const config = binding && { path: "waybill.config.yaml", text: `functions:\n  send: { asl: ${binding} }\n` };
  const { files, diagnostics } = await compile({
    sources: [{ path: "bot.yaml", text }],
    target: "asl",
    ...(config ? { config } : {}),
  });
  return { files: new Map(files.map((file) => [file.path, file.text])), codes: diagnostics.map(({ code }) => code) };
}

async function argumentsOf(text: string): Promise<Json> {
  const { files, codes } = await compiled(text);
  expect(codes).toContain("WB5128");
  return JSON.parse(files.get("bot.asl.json")!).States.send.Arguments;
}

const reference = (key: string) => ({ $secret: { id: "bot", key } });

describe("references", () => {
  test.each<readonly [string, string, Json]>([
    [
      "a whole string",
      http({ headers: { key: '\\(lockboxPayload("bot"; "a"))' } }),
      { headers: { key: reference("a") } },
    ],
    [
      "parts of a string",
      http({ body: 'a\\(lockboxPayload("bot"; "a"))-\\(lockboxPayload("bot"; "b"))' }),
      { body: { $concat: ["a", reference("a"), "-", reference("b")] } },
    ],
    [
      "strings that jq joins",
      http({ body: '\\("Bearer " + lockboxPayload("bot"; "a"))' }),
      { body: { $concat: ["Bearer ", reference("a")] } },
    ],
    [
      "members of the input of a step",
      http({
        input: '\\({ chat: .chat, token: lockboxPayload("bot"; "a") })',
        body: "a\\(.token)",
        headers: { chat: "\\(.chat)", key: '\\(if .chat > 1 then .token else "none" end)!' },
      }),
      {
        body: { $concat: ["a", reference("a")] },
        headers: { chat: expect.stringContaining("chat"), key: { $concat: [expect.stringContaining("none"), "!"] } },
      },
    ],
    [
      "a version",
      http({ body: '\\(lockboxPayload("bot"; "a"; "v1"))' }),
      { body: { $secret: { id: "bot", key: "a", version: "v1" } } },
    ],
    [
      "members and items of what a function is called with",
      call('\\({ tokens: [lockboxPayload("bot"; "a"), 7], deep: { token: lockboxPayload("bot"; "b") } })'),
      { tokens: [reference("a"), 7], deep: { token: reference("b") } },
    ],
  ])("%s", async (_, text, expected) => {
    expect(await argumentsOf(text)).toMatchObject(expected as object);
  });

  test.each([
    ["its length", http({ body: '\\(lockboxPayload("bot"; "a") | length)' })],
    ["as JSON", http({ body: '\\({ token: lockboxPayload("bot"; "a") })' })],
    ["in a condition", http({ body: '\\(if lockboxPayload("bot"; "a") == "x" then 1 else 2 end)' })],
    ["merged into data", call('\\(. + { token: lockboxPayload("bot"; "a") })')],
  ])("%s is rejected", async (_, text) => {
    const { files, codes } = await compiled(text);
    expect([files.size, codes]).toEqual([0, expect.arrayContaining(["WB5108"])]);
  });

  test("the rejection points at the first secret that no reference can replace", async () => {
    const read = (key: string): string => `lockboxPayload("bot"; "${key}")`;
    const sources = [
      { path: "bot.yaml", text: http({ url: `https://a/\\(${read("a")})`, body: `\\(${read("b")} | length)` }) },
    ];
    const { diagnostics } = await compile({ sources, target: "asl" });
    const found = diagnostics.filter(({ code }) => code === "WB5108");
    expect(found.map(({ span }) => span.source.text.slice(span.start, span.end).replaceAll("\\", ""))).toEqual([
      read("b"),
    ]);
  });

  test("are not sent to services, which cannot resolve them", async () => {
    const text = http({ body: '\\(lockboxPayload("bot"; "a"))' });
    expect((await compiled(text, "{ integration: 'arn:aws:states:::sqs:sendMessage' }")).codes).toContain("WB5108");
    expect((await compiled(text, "{ lambda: 'arn:aws:lambda:eu-west-1:123456789012:function:f' }")).codes).toEqual([
      "WB5128",
    ]);
  });
});

describe("the module for functions", async () => {
  const { files } = await compiled(
    call(
      '\\({ token: (if .old then "none" else lockboxPayload("bot"; "a") end), list: [.user, "k " + lockboxPayload("bot"; "b")], user: .user })',
    ),
  );
  const folder = mkdtempSync(join(tmpdir(), "waybill-secrets-"));
  writeFileSync(join(folder, "bot-secrets.mjs"), files.get("bot-secrets.mjs")!);
  const { resolveSecrets } = (await import(pathToFileURL(join(folder, "bot-secrets.mjs")).href)) as {
    resolveSecrets(name: string, event: Json, read: (name: object) => Promise<string | undefined>): Promise<Json>;
  };
  const known: { readonly [key: string]: string } = { a: "secret a", b: "secret b" };
  const read = async ({ key }: { readonly key?: string }) => known[String(key)];

  test("resolves references by the name of the function, or of its kind", async () => {
    const event = { token: reference("a"), list: [1, { $concat: ["k ", reference("b")] }], user: null };
    const resolved = { token: "secret a", list: [1, "k secret b"], user: null };
    expect(await resolveSecrets("send", event, read)).toEqual(resolved);
    expect(await resolveSecrets("functionCall", event, read)).toEqual(resolved);
    expect(await resolveSecrets("other", event, read)).toEqual(event);
  });

  test("leaves data that looks like a reference", async () => {
    const event = {
      token: "none",
      list: [reference("a"), { $concat: ["k ", reference("a")] }],
      user: { deep: reference("a"), __proto__: reference("b") },
    };
    expect(await resolveSecrets("send", event, read)).toEqual(event);
  });

  test("reports missing secrets by name", async () => {
    const event = { token: reference("a"), list: [1, { $concat: ["k ", reference("b")] }], user: null };
    await expect(resolveSecrets("send", event, async () => undefined)).rejects.toMatchObject({
      name: "SecretNotFound",
      message: "There is no secret bot with a key a.",
    });
  });
});
