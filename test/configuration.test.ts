import { describe, expect, test } from "vitest";
import { readConfiguration } from "../src/configuration.ts";
import { positionOf } from "../src/source.ts";

const definitions = [
  { name: "timeout", values: ["proceed", "fail"], fallback: "proceed", summary: "" },
  { name: "deployed", placeholder: "instant", summary: "" },
];

function read(text: string) {
  const found: string[] = [];
  const { options } = readConfiguration({ path: "waybill.config.yaml", text }, definitions, ({ code, span }) => {
    const { line, column } = positionOf(span.source, span.start);
    found.push(`${line}:${column} ${code}`);
  });
  return { options, found };
}

describe("what may be set", () => {
  test.each([
    ["options: { timeout: fail, deployed: 2026-01-01T00:00:00Z }", { timeout: "fail", deployed: "2026-01-01T00:00:00Z" }],
    ["options: {}", {}],
    ["", {}],
    ["# a comment only", {}],
    ["{}", {}],
  ])("%j", (text, options) => expect(read(text)).toEqual({ options, found: [] }));
});

describe("what is wrong", () => {
  test.each([
    ["optoins: { timeout: fail }", ["1:1 WB0501"]],
    ["__proto__: { timeout: fail }", ["1:1 WB0501"]],
    ["- options", ["1:1 WB0502"]],
    ["options: [timeout]", ["1:10 WB0502"]],
    ["options: { timeout: [fail] }", ["1:21 WB0502"]],
    ["options: { timeout: fail }\n---\noptions: {}", ["3:1 WB0502"]],
    ["options: { timeuot: fail }", ["1:12 WB0503"]],
    ["options: { constructor: fail }", ["1:12 WB0503"]],
    ["options: { timeout: true }", ["1:21 WB0504"]],
    ["options: {", ["1:10 WB0005"]],
  ])("%j", (text, found) => expect(read(text).found).toEqual(found));

  test("is left out; the rest counts", () => {
    expect(read("options: { timeout: never, deployed: now }").options).toEqual({ deployed: "now" });
  });
});
