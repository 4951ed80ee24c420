import { describe, expect, test } from "vitest";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import {
  formats,
  inexactFunctions,
  internals,
  library,
  listFunctions,
} from "../../../src/expressions/library/registry.ts";
import { builtins as jqFunctions } from "../../../src/expressions/syntax/jq/names.ts";
import type { Json } from "../../../src/json.ts";
import { readCases } from "./cases.ts";
import { outcome, withoutZeroSigns } from "./exchange.ts";

const cases = readCases();
const known = new Map([...library, ...listFunctions]);

const exportsOf = async (file: string): Promise<{ readonly [name: string]: unknown }> =>
  import(`../../../src/expressions/library/${file.replace(".ts", "")}.ts`);

/** The error of a call. */
function failure(signature: string, ...values: readonly Json[]): unknown {
  try {
    return { gives: known.get(signature)!.apply(...values) };
  } catch (error) {
    return error instanceof EvaluationError ? error.value : error;
  }
}

describe("recorded results of jq 1.8.2", () => {
  test.each([...new Set(cases.map(({ signature }) => signature))])("%s", (signature) => {
    for (const { values, expected } of cases.filter((recorded) => recorded.signature === signature)) {
      const given = withoutZeroSigns(outcome(known.get(signature)!, values));
      expect({ values, outcome: given }).toEqual({ values, outcome: withoutZeroSigns(expected) });
    }
  });

  test("every function has recorded calls", () => {
    const recorded = new Set(cases.map(({ signature }) => signature));
    const missing = [...known].filter(
      ([signature, { file }]) => !recorded.has(signature) && !inexactFunctions.has(signature) && file !== "regex.ts",
    );
    expect(missing.map(([signature]) => signature)).toEqual(["frexp/1"]);
  });
});

describe("the registry", () => {
  test("contains only functions of jq", () => {
    const internal = /^_/;
    const names = [...known.keys()].map((signature) => signature.replace(/\d+$/, (count) => String(Number(count) - 1)));
    expect(names.filter((name) => !internal.test(name) && !jqFunctions.has(name as never))).toEqual([]);
  });

  test("names the file and the export of each function", async () => {
    for (const { apply, name, file } of [...known.values(), ...formats.values()]) {
      const exported = await exportsOf(file);
      expect(exported[name]).toBe(apply);
    }
    for (const [name, file] of internals) expect(await exportsOf(file)).toHaveProperty(name);
  });

  test("declares result types and whether a function may fail", () => {
    for (const { signature, values } of cases) {
      const { returns, canFail: fails } = known.get(signature)!;
      const [failed, result] = JSON.parse(outcome(known.get(signature)!, values)) as [number, Json];
      if (failed === 1) expect({ signature, fails }).toEqual({ signature, fails: true });
      else if (returns) expect({ signature, type: typeOfEncoded(result) }).toEqual({ signature, type: returns });
    }
  });
});

function typeOfEncoded(value: Json): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "object" && value !== null && "#" in value ? "number" : typeof value;
}

test("a negative zero is a zero wherever its sign would show", () => {
  const call = (signature: string, ...values: readonly Json[]) => known.get(signature)!.apply(...values);
  expect([call("tojson/1", [-0]), call("tostring/1", -0)]).toEqual(["[0]", "0"]);
  expect(call("atan2/3", 0, -0)).toBe(0);
  expect(call("copysign/3", 2, -0)).toBe(2);
  expect(call("pow/3", -0, -1)).toBe(Infinity);
});

describe("limits where jq would use much memory", () => {
  const limit = (message: string) => ({ name: "LimitError", message });

  test("a long string", () => {
    expect(failure("_multiply/3", "0123456789", 2e7)).toEqual(limit("A repeated string is too long."));
    expect(failure("_multiply/3", "é", 2e9)).toBe("Repeat string result too long");
  });

  test("a long array", () => {
    expect(failure("setpath/3", null, [5e8], 1)).toEqual(limit("An array is too long."));
  });

  test("many combinations", () => {
    expect(failure("combinations/1", Array(8).fill(Array(10).fill(0)))).toEqual(
      limit("There are too many combinations."),
    );
  });
});

describe("dates on which only jq-wasm's C library differs", () => {
  const parsed = (text: string, format: string) => outcome(library.get("strptime/2")!, [text, format]);

  test("noon and midnight", () => {
    expect(parsed("2024-03-01 12 AM", "%F %I %p")).toBe("[0,[2024,2,1,0,0,0,5,60]]");
    expect(parsed("2024-03-01 12 pm", "%F %I %p")).toBe("[0,[2024,2,1,12,0,0,5,60]]");
  });

  test("days past the end of a month are kept and mean days of the next", () => {
    expect(parsed("2024-02-30", "%F")).toBe("[0,[2024,1,30,0,0,0,5,60]]");
    expect(outcome(library.get("mktime/1")!, [[2024, 1, 30, 0, 0, 0, 5, 60]])).toBe("[0,1709251200]");
    expect(outcome(library.get("todate/1")!, [[2024, 1, 30, 0, 0, 0, 5, 60]])).toBe('[0,"2024-03-01T00:00:00Z"]');
  });

  test("the first century", () => {
    expect(outcome(library.get("fromdate/1")!, ["0050-01-01T00:00:00Z"])).toBe("[0,-60589296000]");
    expect(outcome(library.get("gmtime/1")!, [-62135596800])).toBe("[0,[1,0,1,0,0,0,1,0]]");
  });

  test("conversion specifiers are not confused", () => {
    expect(parsed("2024-03-01t00", "%Y-%m-%dT%H")).toBe(
      '[1,"date \\"2024-03-01t00\\" does not match format \\"%Y-%m-%dT%H\\""]',
    );
  });

  test.each([
    ["%Y", "the format does not give year, month and day"],
    ["%H:%M", "the format does not give year, month and day"],
    ["%Y-%j", "%j is not supported"],
    ["%s", "%s is not supported"],
    ["%F %F", "a field is there twice"],
    ["%F %I", "%I and %p need each other"],
  ])("%s is rejected", (format, why) => {
    const text = format
      .replace("%Y", "2024")
      .replace("%H:%M", "10:20")
      .replaceAll("%F", "2024-01-01")
      .replace("%I", "10");
    expect(parsed(text, format)).toBe(JSON.stringify([1, `strptime/1: ${why}`]));
  });

  test("seconds outside of JavaScript's date range", () => {
    expect(failure("gmtime/1", 1e18)).toBe("error converting number of seconds since epoch to datetime");
    expect(failure("gmtime/1", Number.NaN)).toBe("error converting number of seconds since epoch to datetime");
    expect(failure("mktime/1", [1e10, 0, 1])).toBe("invalid gmtime representation");
  });
});
