import { expect, test } from "vitest";
import type { Json } from "../../../../src/json.ts";
import {
  compositionError,
  errorIn,
  errorOf,
  hasPassed,
  isFatal,
  subflowError,
  toError,
} from "../../../../targets/openwhisk/helpers/errors.ts";

const forms: readonly (readonly [error: Json, seen: Json])[] = [
  [
    { name: "Busy", message: "later" },
    { origin: "function", name: "Busy", message: "later" },
  ],
  [
    { name: "Busy", message: "", trace: [1] },
    { origin: "function", name: "Busy", message: "", data: { trace: [1] } },
  ],
  ["out of order", { origin: "function", name: "Error", message: "out of order" }],
  [17, { origin: "function", name: "Error", message: "17" }],
  [
    "An error has occurred: TypeError: x is not a function\nat y",
    { origin: "function", name: "TypeError", message: "x is not a function\nat y" },
  ],
  [
    'An error has occurred: EvaluationError: "null (null) has no keys"',
    { origin: "expression", name: "ExpressionError", message: "null (null) has no keys" },
  ],
  [
    'An error has occurred: EvaluationError: {"name":"Mine","message":"m"}',
    { origin: "expression", name: "Mine", message: "m" },
  ],
  [
    "The action exceeded its time limits of 60000 milliseconds.",
    { origin: "timeout", name: "Timeout", message: "The time allowed has passed." },
  ],
  [{ $waybill: "timeout" }, { origin: "timeout", name: "Timeout", message: "The time allowed has passed." }],
  [
    { $waybill: "timeout", name: "Late", message: "no" },
    { origin: "timeout", name: "Late", message: "no" },
  ],
  [
    { $waybill: "fail", name: "No", message: "", data: { a: 1 } },
    { origin: "fail", name: "No", message: "", data: { a: 1 } },
  ],
  [
    { $waybill: "fail", name: "No", message: "", data: 5 },
    { origin: "fail", name: "No", message: "", data: 5 },
  ],
];

test.each(forms)("%j is converted to an error", (error, seen) => {
  expect(errorOf(error)).toEqual(seen);
});

test("a raised error keeps its description, and an unknown origin becomes `fail`", () => {
  const error = { origin: "noMatch", name: "NoChoiceMatched", message: "m" };
  expect(errorOf(toError(error))).toEqual(error);
  const ofFunction = { origin: "function", name: "Busy", message: "m", data: { trace: ["here"] } };
  expect(errorOf(toError(ofFunction))).toEqual(ofFunction);
  expect(errorOf(toError({ origin: "elsewhere", name: "N" }))).toEqual({ origin: "fail", name: "N", message: "" });
});

test("unnamed errors have the names of the language", () => {
  const names = { expression: "SYS.Expression", timeout: "SYS.Timeout" };
  expect(errorIn({ $waybill: "timeout" }, names)).toMatchObject({ name: "SYS.Timeout" });
  expect(errorIn('An error has occurred: EvaluationError: "x"', names)).toMatchObject({ name: "SYS.Expression" });
  expect(errorIn({ name: "Timeout", message: "" }, names)).toMatchObject({ name: "Timeout" });
});

test("an end of the run bypasses all handlers, a timeout those inside its attempt", () => {
  expect(isFatal({ $waybill: "ended", value: 1 })).toBe(true);
  expect(isFatal({ $waybill: "fail", name: "N", fatal: true })).toBe(true);
  expect(isFatal({ name: "N", fatal: true })).toBe(false);
  expect(hasPassed({ $waybill: "timeout" }, Date.now() - 1)).toBe(true);
  expect(hasPassed({ $waybill: "timeout" }, Date.now() + 60_000)).toBe(false);
  expect(hasPassed({ name: "Busy" }, Date.now() - 1)).toBe(false);
});

test("the error of a subflow keeps its origin", () => {
  expect(errorOf(subflowError({ name: "Timeout", message: "m", origin: "timeout" }))).toEqual({
    origin: "timeout",
    name: "Timeout",
    message: "m",
  });
  expect(subflowError("no such action")).toBe("no such action");
});

test("a native composition fails with its own error or is rejected; errors of helpers are kept", () => {
  expect(errorOf(compositionError("full"))).toEqual({ origin: "function", name: "ApplicationError", message: "full" });
  expect(errorOf(compositionError({ name: "Mine", message: "m" }))).toMatchObject({ name: "ApplicationError" });
  const rejected = { $waybill: "denied", code: 400, error: "no Next" };
  expect(errorOf(compositionError(rejected))).toMatchObject({ origin: "denied", name: "Rejected" });
  expect(errorOf(compositionError({ ...rejected, code: 500 }))).toMatchObject({
    name: "InternalError",
    message: "no Next",
  });
  expect(errorOf(compositionError({ code: 400, error: "mine" }))).toEqual({
    origin: "function",
    name: "ApplicationError",
    message: '{"code":400,"error":"mine"}',
  });
  expect(errorOf(compositionError({ $waybill: "timeout" }))).toMatchObject({ origin: "timeout", name: "Timeout" });
});
