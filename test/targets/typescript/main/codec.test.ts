import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { program, run } from "./running.ts";

const codec = `const flip = (data: Uint8Array) => data.map((byte) => byte ^ 0x55);
export { flip as encode, flip as decode };
`;

test("commands use the module of --codec or WAYBILL_CODEC", async () => {
  const folder = program({ "codec.ts": codec });
  const line = ["start", "greet", "--input", '"PAYLOAD"', "--id", "a", "--wait"];
  expect(await run(folder, [...line, "--codec", "codec.ts"])).toMatchObject({
    status: 0,
    out: expect.stringContaining("Hello PAYLOAD"),
  });
  expect(readFileSync(join(folder, "runs.db"), "latin1")).not.toContain("PAYLOAD");
  const shown = await run(folder, ["show", "a"], "", { WAYBILL_CODEC: "./codec.ts" });
  expect([shown.status, shown.out]).toEqual([0, expect.stringContaining("PAYLOAD")]);
  const without = await run(folder, ["show", "a"]);
  expect([without.status, without.err]).toEqual([1, expect.stringContaining("there is no codec (--codec)")]);
});

test.each([
  ["none.ts", "The codec none.ts cannot be loaded: "],
  ["other.ts", "does not export the functions encode and decode"],
])("a module that is not a codec is rejected: %s", async (file, message) => {
  const folder = program({ "other.ts": "export const encode = 1;\n" });
  const started = await run(folder, ["start", "greet", "--codec", file]);
  expect([started.status, started.err]).toEqual([1, expect.stringContaining(message)]);
});
