import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Json } from "../../../../targets/typescript/runtime/json.ts";
import { stream } from "../../../../targets/typescript/runtime/server/streaming.ts";

/** The response with a value, read by a client. */
async function responseWith(value: Json): Promise<Response> {
  const server = createServer((_, response) => void stream(response, 200, value));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const large: { readonly [name: string]: Json } = {
  "a string with surrogate pairs at each place": "a😀".repeat(100_000),
  "a string of unpaired surrogates and quotes": '\ud800"\\\n'.repeat(50_000),
  "many numbers": Array.from({ length: 100_000 }, (_, i) => i / 3),
  "many members": Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`key "${i}"`, { i, none: null }])),
  "an array with values that have no JSON": [...new Array(40_000).fill(1), undefined as never, true],
};

test.each(Object.keys(large))("%s has the JSON that JSON.stringify makes, in chunks", async (name) => {
  const response = await responseWith(large[name]!);
  expect(response.headers.get("content-length")).toBeNull();
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.text()).toBe(JSON.stringify(large[name]).toWellFormed());
});

test("undefined members are omitted, and nesting is not limited by the stack", async () => {
  let deep: Json = "x".repeat(100_000);
  for (let i = 0; i < 50_000; i++) deep = i % 2 ? [deep] : { deep, none: undefined };
  const text = await (await responseWith(deep)).text();
  expect(text.slice(0, 20)).toBe('[{"deep":[{"deep":[{');
  expect(text).toHaveLength(100_002 + 25_000 * 2 + 25_000 * '{"deep":}'.length);
});

test("a small value has a length", async () => {
  const response = await responseWith({ a: [1, "x"] });
  expect(response.headers.get("content-length")).toBe("13");
  expect(await response.json()).toEqual({ a: [1, "x"] });
});

test("a client that reads nothing stops the sender, and one that goes away ends it", async () => {
  const value = Array.from({ length: 3000 }, () => "x".repeat(10_000));
  let ended: Promise<void> | undefined;
  const server = createServer((_, response) => {
    ended = stream(response, 200, value);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const controller = new AbortController();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await fetch(url, { signal: controller.signal });
  let isOver = false;
  void ended?.then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isOver).toBe(false);
  controller.abort();
  await ended;
});
