import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { toAscii } from "../.build/ascii.ts";

test("characters outside ASCII are escaped in strings, templates and regular expressions", () => {
  const code = "module.exports = ['…', `é😀`, /[–]/u.source, 'plain', '\\\\ü'];";
  const escaped = toAscii(code);
  expect(escaped).toMatch(/^[\0-\x7f]*$/);
  const run = (text: string): unknown => runInNewContext(`${text} module.exports`, { module: {} });
  expect(run(escaped)).toEqual(["…", "é😀", "[\\u2013]", "plain", "\\ü"]);
});

test("code that an escape would change is an error", () => {
  expect(() => toAscii("String.raw`…`")).toThrow("Cannot escape …");
  expect(() => toAscii("'\\…'")).toThrow("Cannot escape");
  expect(() => toAscii("const größe = 1;")).toThrow("Cannot escape");
});

test("code of ASCII characters stays the same", () => {
  const code = "const a = 'b';";
  expect(toAscii(code)).toBe(code);
});
