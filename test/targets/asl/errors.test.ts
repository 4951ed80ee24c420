import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { type ErrorSources, errorExpression, errorFields } from "../../../targets/asl/error-expression.ts";
import { carriedError } from "../../../targets/asl/errors.ts";
import { fixedError } from "../../../targets/asl/jsonata/errors.ts";
import { call, data, end, error, fail, handler, named, retry, scope, workflow } from "../../reference/build.ts";
import { callsOf, interpretWorkflow, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { generateMachine, runOnAsl } from "./reference-comparison.ts";

// `carriedError` and its JSONata counterpart read errors alike.

const all: ErrorSources = { timeout: true, expression: true, function: true, subflow: true };
const timeout = { origin: "timeout", name: "Timeout", message: "The time allowed has passed." };
const thrown = (name: string, message: string, trace?: Json) => ({
  origin: "function",
  name,
  message,
  ...(trace === undefined ? {} : { data: { trace } }),
});
const failed = (name: string, message: string) => ({ origin: "expression", name, message });
const lambda = (detail: object): string => JSON.stringify(detail);
const child = (error: string, cause?: string): string =>
  JSON.stringify({ ExecutionArn: "arn:x", Status: "FAILED", Error: error, Cause: cause });
const evaluation = (text: string): string =>
  `An error occurred while executing the state 'A'. The JSONata expression '$error("waybill:" & "X: y")' specified for the field 'Output' threw an error during evaluation. D3137: ${text}`;

const cases: readonly (readonly [string, string, string | undefined, object])[] = [
  ["a name and a message", "Busy", "try later", thrown("Busy", "try later")],
  ["a name alone", "Busy", undefined, thrown("Busy", "")],
  ["a message of several lines", "Busy", "one\ntwo", thrown("Busy", "one\ntwo")],
  ["a message that begins like JSON", "Busy", "{not JSON", thrown("Busy", "{not JSON")],
  ["a message that is other JSON", "Busy", '{"a":1}', thrown("Busy", '{"a":1}')],
  ["a timeout", "States.Timeout", undefined, timeout],
  [
    "an error of a Python function",
    "E",
    '{"errorMessage": "no", "errorType": "E", "stackTrace": ["a", "b"]}',
    thrown("E", "no", ["a", "b"]),
  ],
  [
    "an error of a Node.js function",
    "E",
    lambda({ errorType: "E", errorMessage: "no", trace: ["a"] }),
    thrown("E", "no", ["a"]),
  ],
  ["an error of a Go function", "E", lambda({ errorMessage: 'say "no"', errorType: "E" }), thrown("E", 'say "no"')],
  [
    "a failed expression",
    "States.QueryEvaluationError",
    evaluation("waybill:DataError: is no array"),
    failed("DataError", "is no array"),
  ],
  [
    "special characters",
    "States.QueryEvaluationError",
    evaluation("waybill:A%3AB: 100%25\n%7B"),
    failed("A:B", "100%\n{"),
  ],
  [
    "an expression that failed on its own",
    "States.QueryEvaluationError",
    evaluation("D1001: Number out of range"),
    thrown("States.QueryEvaluationError", evaluation("D1001: Number out of range")),
  ],
  ["a subflow's error", "States.TaskFailed", child("Busy", "later"), thrown("Busy", "later")],
  [
    "a subflow's function",
    "States.TaskFailed",
    child("E", lambda({ errorMessage: "no", errorType: "E" })),
    thrown("E", "no"),
  ],
  ["a subflow's timeout", "States.TaskFailed", child("States.Timeout"), timeout],
  [
    "a subflow's expression",
    "States.TaskFailed",
    child("States.QueryEvaluationError", evaluation("waybill:DataError: no")),
    failed("DataError", "no"),
  ],
  [
    "a subflow's subflow",
    "States.TaskFailed",
    child("States.TaskFailed", child("Busy", "later")),
    thrown("Busy", "later"),
  ],
  ["a task that failed otherwise", "States.TaskFailed", "no access", thrown("States.TaskFailed", "no access")],
];

test.each(cases)("%s", async (_, error, cause, expected) => {
  expect(carriedError(error, cause)).toEqual(expected);
  const errorOutput = { Error: error, ...(cause === undefined ? {} : { Cause: cause }) };
  const expression = jsonata(errorExpression(all));
  expression.registerFunction("parse", (text: string) => JSON.parse(text), "<s:j>");
  expect(await expression.evaluate(undefined, { states: { errorOutput } })).toEqual({ data: null, ...expected });
});

test.each(cases)("the needed fields of %s", async (_, error, cause, expected) => {
  const errorOutput = { Error: error, ...(cause === undefined ? {} : { Cause: cause }) };
  const whole: JsonObject = { data: null, ...expected };
  for (let some = 1; some < 32; some++) {
    const members = new Set(errorFields.filter((_, i) => some & (1 << i)));
    const traceOnly = some >= 16;
    const expression = jsonata(errorExpression(all, undefined, { fields: members, traceOnly }));
    expression.registerFunction("parse", (text: string) => JSON.parse(text), "<s:j>");
    const seen = (await expression.evaluate(undefined, { states: { errorOutput } })) as JsonObject;
    const given = traceOnly && members.has("data") ? { ...seen, data: traced(seen) } : seen;
    expect(given).toEqual(Object.fromEntries([...members].map((name) => [name, whole[name]])));
  }
});

test.each(cases)("%s, rethrown unchanged", async (_, error, cause, expected) => {
  const errorOutput = { Error: error, ...(cause === undefined ? {} : { Cause: cause }) };
  const members = new Set(["name", "cause"] as const);
  const expression = jsonata(errorExpression(all, undefined, { fields: members, traceOnly: false }));
  expression.registerFunction("parse", (text: string) => JSON.parse(text), "<s:j>");
  const kept = (await expression.evaluate(undefined, { states: { errorOutput } })) as { name: string; cause: string };
  const { origin: _origin, ...same } = expected as ReturnType<typeof carriedError>;
  expect(carriedError(kept.name, kept.cause)).toMatchObject(same);
});

/** The data of an error that was needed only for its trace. */
const traced = ({ data }: JsonObject): Json =>
  data !== undefined && isObject(data) && data["trace"] !== undefined ? data : null;

describe("errors that Step Functions raises for a call", () => {
  const calls = {
    denied: "SYS.Permission",
    argument: "SYS.InvalidParameter",
    result: "SYS.Filter",
    failed: "SYS.Fail",
  };
  const names = { expression: "SYS.Filter", timeout: "SYS.Timeout", calls };
  const told: readonly (readonly [string, string])[] = [
    ["States.Permissions", "SYS.Permission"],
    ["States.ParameterPathFailure", "SYS.InvalidParameter"],
    ["Lambda.InvalidParameterValueException", "SYS.InvalidParameter"],
    ["States.ResultPathMatchFailure", "SYS.Filter"],
    ["States.TaskFailed", "SYS.Fail"],
    ["Lambda.Unknown", "Lambda.Unknown"],
  ];

  test.each(told)("%s is %s", async (error, name) => {
    expect(carriedError(error, "no", names)).toEqual(thrown(name, "no"));
    expect(carriedError(error, "no").name).toBe(error);
    const expression = jsonata(errorExpression(all, names));
    const errorOutput = { Error: error, Cause: "no" };
    expect(await expression.evaluate(undefined, { states: { errorOutput } })).toEqual({
      data: null,
      ...thrown(name, "no"),
    });
  });

  const asked = (recovery: Parameters<typeof call>[4]) => ({
    ...workflow(
      scope(["data", "error"], call("Call", "f", data, "Done", recovery), end("Done", data), end("Taken", error)),
    ),
    errorNames: names,
  });
  const alone = (f: string) => ({ functions: { f: [throws(f), returns(1)] } });

  test.each(told)("%s is retried like %s", async (error, name) => {
    for (const each of ["SYS.Permission", "SYS.InvalidParameter", "SYS.Filter", "SYS.Fail"]) {
      const flow = asked({ retries: [retry(1, 1, { when: named(each) })] });
      const expected = await interpretWorkflow(flow, alone(name));
      const seen = await runOnAsl(flow, alone(error));
      expect([each, outcomeOf(seen), callsOf(seen)]).toEqual([each, outcomeOf(expected), callsOf(expected)]);
    }
  });

  test.each(told)("%s is caught like %s", async (error, name) => {
    for (const each of ["SYS.Permission", "SYS.InvalidParameter", "SYS.Filter", "SYS.Fail"]) {
      const flow = asked({ handlers: [handler(named(each), "Taken", "error")] });
      const seen = outcomeOf(await runOnAsl(flow, alone(error)));
      const expected = outcomeOf(await interpretWorkflow(flow, alone(name)));
      expect(seen).toEqual(
        each === name ? { output: { data: null, ...(expected as { output: object }).output } } : expected,
      );
    }
  });
});

test("a machine tests only for errors that can occur", () => {
  const none = { timeout: false, expression: false, function: false, subflow: false };
  expect(errorExpression(none)).toBe(
    '($c := "" & $states.errorOutput.Cause; {"origin": "function", "name": $states.errorOutput.Error, "message": $c, "data": null})',
  );
  const nameOnly = { fields: new Set(["name"] as const), traceOnly: true };
  expect(errorExpression({ ...none, function: true }, undefined, nameOnly)).toBe('{"name": $states.errorOutput.Error}');
  expect(errorExpression({ ...none, timeout: true })).toContain('$e.Error = "States.Timeout" ? {"origin": "timeout"');
  expect(errorExpression({ ...none, timeout: true })).not.toContain("$parse");
});

test("the quotation of a failed expression has no marker", () => {
  const quoted = evaluation("").replace('$error("waybill:" & "X: y")', fixedError("X", "y"));
  expect(carriedError("States.QueryEvaluationError", quoted).origin).toBe("function");
});

test.each([
  ["name", 256, "256"],
  ["message", 32_768, "32,768"],
] as const)("a constant %s of an error has at most %d characters", async (part, most, written) => {
  const refusals = async (length: number) => {
    const texts = { name: "Other", message: "other", [part]: "x".repeat(length) };
    const failing = workflow(scope(["data"], fail("Fail", texts.name, texts.message)));
    const { diagnostics } = await generateMachine(failing);
    return diagnostics.filter(({ severity }) => severity === "error");
  };
  expect(await refusals(most)).toEqual([]);
  expect(await refusals(most + 1)).toMatchObject([
    {
      message: expect.stringContaining(`an error whose ${part} has ${(most + 1).toLocaleString("en-US")} characters`),
      hint: `Step Functions allows ${written} at most.`,
    },
  ]);
});
