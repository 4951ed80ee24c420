import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../../../../src/index.ts";

const sources = ["crash.yaml", "sub.yaml"].map((path) => ({
  path,
  text: readFileSync(new URL(path, import.meta.url), "utf8"),
}));

test("a program with all kinds of waits takes at most 150 kB, and one of its actions is the helper", async () => {
  const { files } = await compile({ sources, target: "openwhisk" });
  const code = files.filter(({ path }) => path.startsWith("actions/") || path.endsWith(".composition.json"));
  expect(code.map(({ path }) => path).sort()).toEqual([
    "actions/crash.js",
    "actions/rt.js",
    "actions/sub.js",
    "crash.composition.json",
    "sub.composition.json",
  ]);
  const sizes = Object.fromEntries(code.map(({ path, text }) => [path, Buffer.byteLength(text)]));
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(150_000);
});

test("a program whose runs are never suspended has a small helper, or none", async () => {
  const definition = (actions: string) => `id: w
name: W
version: '1.0'
functions: [{ name: f }]
states:
- { name: A, type: operation, start: { kind: default }, actions: [${actions}], end: { kind: default } }
`;
  const helperOf = async (actions: string) => {
    const { files } = await compile({ sources: [{ path: "w.yaml", text: definition(actions) }], target: "openwhisk" });
    return files.find(({ path }) => path === "actions/rt.js");
  };
  expect(await helperOf("{ functionRef: { refName: f } }")).toBeUndefined();
  const timed = await helperOf("{ functionRef: { refName: f }, timeout: PT5S }");
  expect(Buffer.byteLength(timed!.text)).toBeLessThan(15_000);
});
