import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/json.ts";
import type { Composition } from "../../../../targets/openwhisk/runtime/conductor/composition.ts";
import { hasRecorded, recorded } from "../../../languages/composer-fsm/recorded.ts";
import { type Component, defaultSettings, drive } from "./drive.ts";

/** The result of states in sequence. */
function resultOf(states: readonly JsonObject[], input: JsonObject = {}): Json {
  const named = states.map((state, i) => [`s${i}`, { ...(i + 1 < states.length && { Next: `s${i + 1}` }), ...state }]);
  return drive({ Entry: "s0", Exit: `s${states.length - 1}`, States: Object.fromEntries(named) }, input).result;
}

const task = (text: string): JsonObject => ({ Type: "Task", Function: text });
const variable = (symbol: string, value: Json): JsonObject => ({ Type: "Let", Symbol: symbol, Value: value });

test("a function reads and writes the innermost variable of a name", () => {
  const states = [
    variable("n", 1),
    variable("n", { by: 5 }),
    task("params => { n.by += params.more; return { inner: n.by } }"),
    task("({ inner }) => ({ inner, again: n.by })"),
    { Type: "End" },
    task("params => ({ ...params, outer: n })"),
  ];
  expect(resultOf(states, { more: 2 })).toEqual({ inner: 7, again: 7, outer: 1 });
});

test("functions see the helpers of their composition, except those that a variable or a parameter shadows", () => {
  const Helpers = {
    limit: "const limit = 2;",
    twice: "function twice(n) { return n * limit; }",
    thrice: "function thrice(n) { return n * 3; }",
  };
  const States = {
    a: { ...variable("thrice", 7), Next: "b" },
    b: { ...task("({ limit }) => { thrice += limit; return { value: twice(thrice) }; }"), Next: "c" },
    c: { Type: "End" },
  };
  expect(drive({ Entry: "a", Exit: "c", States, Helpers } as unknown as Composition, { limit: 5 }).result).toEqual({
    value: 24,
  });
  expect(drive({ Entry: "a", Exit: "c", States } as unknown as Composition, { limit: 5 }).result).toEqual({
    error: "An error has occurred: ReferenceError: twice is not defined",
  });
});

test("assignments of a function are lost if it throws, and kept if it returns an error", () => {
  const caught = (text: string) => [
    variable("n", { left: 0 }),
    { Type: "Try", Handler: "s4" },
    task(text),
    { Type: "Catch" },
    task("params => ({ left: n.left, error_: params.error })"),
  ];
  expect(resultOf(caught("() => { n.left = 1; throw new TypeError('no') }"))).toEqual({
    left: 0,
    error_: "An error has occurred: TypeError: no",
  });
  expect(resultOf(caught("() => { n.left = 1; return { error: false, more: 1 } }"))).toEqual({
    left: 1,
    error_: false,
  });
});

test("a variable that is set to undefined is an error that handlers catch", () => {
  const states = [
    variable("n", 1),
    { Type: "Try", Handler: "s4" },
    task("() => { n = undefined }"),
    { Type: "Catch" },
    task("({ error }) => ({ isSyntax: error.startsWith('An error has occurred: SyntaxError'), n })"),
  ];
  expect(resultOf(states)).toEqual({ isSyntax: true, n: 1 });
});

test.each(["a-b", "class", "", "x; y", "arguments"])("the variable %j fails every function in its scope", (symbol) => {
  expect(resultOf([variable(symbol, 1), task("() => 1")])).toEqual({
    error: `An error has occurred: SyntaxError: ${JSON.stringify(symbol)} cannot be a variable of a function`,
  });
  expect(resultOf([variable(symbol, 1), { Type: "End" }, task("() => 1")])).toEqual({ value: 1 });
});

test("a function can access variables through patterns, closures and `eval`", () => {
  const texts = [
    "() => n",
    "() => \\u006e",
    "() => eval('n')",
    "() => typeof n === 'number' && n",
    "({ n: m = n }) => m",
  ];
  for (const text of texts) expect(resultOf([variable("n", 3), task(text)]), text).toEqual({ value: 3 });
});

test("a variable `params` shadows the argument", () => {
  expect(resultOf([variable("params", { a: 1 }), task("given => ({ given, params })")], { b: 2 })).toEqual({
    given: { a: 1 },
    params: { a: 1 },
  });
});

test.each<[string, Json]>([
  ["() => undefined", {}],
  ["() => null", { value: null }],
  ["() => [1]", { value: [1] }],
  ["async () => ({ n: 1 })", {}],
  ["() => ({ at: new Date(0), nan: NaN, none: undefined })", { at: "1970-01-01T00:00:00.000Z", nan: null }],
  ["() => { undeclared = 1 }", { error: "An error has occurred: ReferenceError: undeclared is not defined" }],
  ["() => 1;", { error: "An error has occurred: SyntaxError: Unexpected token ';'" }],
  ["() => { throw 'text' }", { error: "An error has occurred: text" }],
  ["({ a = 1 }) => typeof require + a", { value: "function1" }],
])("the function %s returns %j", (text, result) => {
  expect(resultOf([task(text)])).toEqual(result);
});

test("a function whose result is not JSON ends the run despite handlers", () => {
  const rejected = (text: string) => resultOf([{ Type: "Try", Handler: "s0" }, task(text)]);
  expect(rejected("() => () => 1")).toMatchObject({ error: { code: 500 } });
  expect(rejected("() => 1n")).toMatchObject({ error: { code: 500 } });
});

test("a function is evaluated at each call", () => {
  const counting = task("(() => { let n = 0; return ({ sum = 0 }) => ({ sum: sum + ++n }) })()");
  expect(resultOf([counting, counting, counting])).toEqual({ sum: 3 });
});

test("an error leads to the nearest handler and unwinds the stack", () => {
  const states = {
    outer: { Type: "Let", Symbol: "a", Value: 1, Next: "try" },
    try: { Type: "Try", Handler: "handler", Next: "push" },
    push: { Type: "Push", Next: "inner" },
    inner: { Type: "Let", Symbol: "b", Value: 2, Next: "fail" },
    fail: { Type: "Task", Value: { error: "no", more: 1 }, Next: "end" },
    end: { Type: "End", Next: "handler" },
    handler: {
      Type: "Task",
      Function: "params => ({ params: { ...params }, a, b: typeof b })",
      Next: "last",
    },
    last: { Type: "End" },
  };
  expect(drive({ Entry: "outer", Exit: "last", States: states }, {}).result).toEqual({
    params: { error: "no" },
    a: 1,
    b: "undefined",
  });
});

test("the input of a run may contain an error, which is not a failure", () => {
  const input = { error: "E", more: 1 };
  expect(resultOf([{ Type: "Push" }, { Type: "Pop" }], input)).toEqual({ result: input, params: input });
  expect(resultOf([task("params => params")], input)).toEqual({ error: "E" });
  const { trace } = drive({ Entry: "a", Exit: "a", States: { a: { Type: "Task", Action: "f" } } }, input, {
    f: () => 1,
  });
  expect(trace).toEqual([{ action: "f", input }]);
});

const pop = "attempted to pop from an empty stack";
const unexpected = "popped an unexpected stack element";

test.each<[readonly JsonObject[], string]>([
  [[{ Type: "Pop" }], `The state named s0 of type Pop ${pop}`],
  [[{ Type: "Try", Handler: "s0" }, { Type: "End" }], `The state named s1 of type End ${unexpected}`],
  [[variable("a", 1), { Type: "Catch" }], `The state named s1 of type Catch ${unexpected}`],
  [[{ Type: "Push" }, { Type: "Choice", Then: "s0" }], "The state named s1 of type Choice has no Else field"],
  [[{ Type: "Choice", Then: "s0", Else: "s0" }], `The state named s0 of type Choice ${pop}`],
  [[{ Type: "Try" }], "The state named s0 of type Try has no Handler field"],
  [[{ Type: "Let", Value: 1 }], "The state named s0 of type Let has no Symbol field"],
  [[{ Type: "Let", Symbol: "a" }], "The state named s0 of type Let has no Value field"],
  [[{ Type: "Task" }], "The kind field of the state named s0 of type Task is missing"],
  [[{ Type: "Wait" }], "The state named s0 has an unknown type"],
  [[{ Type: "Pass", Next: "toString" }], "The composition has no state named toString"],
])("%j is rejected", (states, error) => {
  expect(resultOf([...states])).toEqual({ error: { code: 400, error, $waybill: "denied" } });
});

test("a state is only validated when it is entered", () => {
  const States = { a: { Type: "Pass", Next: "b" }, b: { Type: "Pass" }, c: { Type: "Pass" } };
  expect(drive({ Entry: "a", Exit: "b", States }, { n: 1 }).result).toEqual({ n: 1 });
  expect(drive({ Entry: "c", Exit: "b", States }, {}).result).toEqual({
    error: { code: 400, error: "The state named c has no Next field", $waybill: "denied" },
  });
});

test.each(["reject", "catch"] as const)("a missing action with `missingAction: %s`", (missingAction) => {
  const States = {
    a: { Type: "Try", Handler: "c", Next: "b" },
    b: { Type: "Task", Action: "gone", Next: "c" },
    c: { Type: "Task", Function: "({ error }) => ({ taken: error })" },
  };
  const { result } = drive({ Entry: "a", Exit: "c", States }, {}, {}, { ...defaultSettings, missingAction });
  const text = "Failed to resolve action with name 'guest/gone' during composition.";
  const rejected = { error: { code: 400, error: text, $waybill: "denied" } };
  expect(result).toEqual(missingAction === "reject" ? rejected : { taken: text });
});

// Recordings of Composer's own conductor, which are not in the repository.
test.skipIf(!hasRecorded)("all recorded compositions have the recorded results, calls and states", () => {
  const cases = recorded();
  expect(cases.length).toBe(58);
  for (const { id, composition, actions, input, expected, trace, states, engineText } of cases) {
    const components = Object.fromEntries(
      Object.entries(actions).map(([name, text]) => [name, new Function(`${text}; return main`)() as Component]),
    );
    const seen = drive(composition as unknown as Composition, input as JsonObject, components);
    expect(seen.trace, id).toEqual(trace);
    expect(seen.states, id).toEqual(states);
    if (engineText) expect(Object.keys(seen.result as JsonObject), id).toEqual(["error"]);
    else expect(seen.result, id).toEqual(expected.result);
    expect("error" in (seen.result as JsonObject), id).toBe(expected.status !== "success");
  }
});

test("a function of a native composition cannot mark its error as one of ours", () => {
  const text = '() => ({ error: { $waybill: "ended", value: {}, code: 1 } })';
  const composition = { Entry: "a", Exit: "a", States: { a: { Type: "Task", Function: text } } };
  const settings = { ...defaultSettings, reserved: ["$state"] };
  expect(drive(composition, { $state: "b" }, {}, settings).result).toEqual({ error: { value: {}, code: 1 } });
});
