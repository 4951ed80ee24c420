import { expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import {
  binary,
  call as builtin,
  conditional,
  firstOr,
  literal,
  member,
  object,
  variable,
} from "../../../src/expressions/core/build.ts";
import { printWorkflow } from "../../../src/ir/print.ts";
import type { Json } from "../../../src/json.ts";
import { assign, call, choose, data, end, handler, raise, scope, workflow, yes } from "../build.ts";
import {
  callsOf,
  findings,
  type InterpretOptions,
  interpretWorkflow,
  outcomeOf,
  returns,
  throws,
} from "../interpreting.ts";

/**
 * A composition in OpenWhisk Composer's JSON format: a loop under a Try, with a variable that a Function counts down.
 *
 *   { "Entry": "let_0", "Exit": "end_9", "States": {
 *     "let_0":      { "Type": "Let", "Symbol": "n", "Value": 2, "Next": "try_1" },
 *     "try_1":      { "Type": "Try", "Handler": "handler_8", "Next": "push_2" },
 *     "push_2":     { "Type": "Push", "Next": "function_3" },
 *     "function_3": { "Type": "Task", "Function": "() => ({ value: n-- > 0 })", "Next": "choice_4" },
 *     "choice_4":   { "Type": "Choice", "Then": "action_5", "Else": "catch_6" },
 *     "action_5":   { "Type": "Task", "Action": "fetch", "Next": "push_2" },
 *     "catch_6":    { "Type": "Catch", "Next": "end_9" },
 *     "handler_8":  { "Type": "Task", "Function": "({ error }) => ({ message: error, left: n })", "Next": "end_9" },
 *     "end_9":      { "Type": "End" } } }
 *
 * Every state sees one stack layout, so frames become variables: `n` for the Let, `pushed` for the Push. The Try
 * becomes edges: an error inside it leads to handler_8 with `{ error }` as the parameters. A Function is a call of the
 * built-in function `waybill:javascript` with its source, the parameters and the variables in scope.
 */

const [n, pushed, result, problem] = [variable("n"), variable("pushed"), variable("result"), variable("problem")];
const part = (source: Expression, name: string) => firstOr(member(source, name), literal(null));
const isRaised = builtin("exists", member(data, "error"));
const raised = object([["error", part(data, "error")]]);
/** Wraps results that are not objects. */
const wrapped = (value: Expression) =>
  conditional(binary("==", builtin("type", value), literal("object")), value, object([["value", value]]));
const javascript = (id: string, source: string, next: string) =>
  call(
    id,
    "waybill:javascript",
    object([
      ["source", literal(source)],
      ["params", data],
      ["variables", object([["n", n]])],
    ]),
    next,
    { bind: "result" },
  );
const taken = { data: wrapped(part(result, "params")), n: part(part(result, "variables"), "n") };

const composition = workflow(
  scope(
    ["data", "n", "pushed", "result", "problem"],
    assign("let_0", { n: literal(2) }, "push_2"),
    assign("push_2", { pushed: data }, "function_3"),
    javascript("function_3", "() => ({ value: n-- > 0 })", "function_3/result"),
    assign("function_3/result", taken, "function_3/inspect"),
    choose("function_3/inspect", [[isRaised, "raise"]], "choice_4"),
    choose("choice_4", [[binary("==", part(data, "value"), literal(true)), "choice_4/then"]], "choice_4/else"),
    assign("choice_4/then", { data: pushed }, "action_5"),
    assign("choice_4/else", { data: pushed }, "end_9"),
    call("action_5", "fetch", data, "action_5/result", {
      bind: "result",
      handlers: [handler(yes, "action_5/thrown", "problem")],
    }),
    assign("action_5/thrown", { data: object([["error", part(problem, "message")]]) }, "handler_8"),
    assign("action_5/result", { data: wrapped(result) }, "action_5/inspect"),
    choose("action_5/inspect", [[isRaised, "raise"]], "push_2"),
    assign("raise", { data: raised }, "handler_8"),
    javascript("handler_8", "({ error }) => ({ message: error, left: n })", "handler_8/result"),
    assign("handler_8/result", taken, "handler_8/inspect"),
    choose("handler_8/inspect", [[isRaised, "fail"]], "end_9"),
    end("end_9", data),
    raise(
      "fail",
      object([
        ["origin", literal("fail")],
        ["name", literal("Error")],
        ["message", builtin("text", part(data, "error"))],
      ]),
    ),
  ),
  { id: "loop" },
);

/** The two Functions in TypeScript. */
function javascriptRuntime(argument: Json): ReturnType<typeof returns> {
  const { source, params, variables } = argument as {
    source: string;
    params: { [key: string]: Json };
    variables: { n: number };
  };
  if (source.startsWith("() =>"))
    return returns({ params: { value: variables.n > 0 }, variables: { n: variables.n - 1 } });
  return returns({ params: { message: params["error"]!, left: variables.n }, variables });
}

const run = (fetch: NonNullable<InterpretOptions["functions"]>[string]) =>
  interpretWorkflow(composition, { input: { page: 1 }, functions: { "waybill:javascript": javascriptRuntime, fetch } });
const fetches = async (seen: ReturnType<typeof run>) => callsOf(await seen).filter((each) => each.startsWith("fetch"));

test("the analysis finds nothing", () => {
  expect(findings(composition)).toEqual([]);
});

test("the loop repeats while the Function returns true, and keeps its variable", async () => {
  const fetch = (argument: Json) => returns({ page: (argument as { page: number }).page + 1 });
  expect(outcomeOf(await run(fetch))).toEqual({ output: { page: 3 } });
  expect(await fetches(run(fetch))).toEqual(['fetch({"page":1})', 'fetch({"page":2})']);
});

test("an action that throws leads to the handler, where the Let variable is still in scope", async () => {
  expect(outcomeOf(await run([throws("Any", "no route")]))).toEqual({ output: { message: "no route", left: 1 } });
});

test("a result with any error is an error without other fields", async () => {
  expect(outcomeOf(await run([returns({ page: 5 }), returns({ error: { code: 4 }, page: 9 })]))).toEqual({
    output: { message: { code: 4 }, left: 0 },
  });
  expect(outcomeOf(await run([returns({ error: false })]))).toEqual({ output: { message: false, left: 1 } });
  expect(outcomeOf(await run([returns({ error: null })]))).toEqual({ output: { message: null, left: 1 } });
});

test("a result that is not an object is wrapped", async () => {
  expect(outcomeOf(await run([returns([1, 2])]))).toEqual({ output: { value: [1, 2] } });
});

test("the printed IR", () => {
  expect(printWorkflow(composition)).toMatchInlineSnapshot(`
    "workflow loop "main" "1.0" from hand
      input data
      function "waybill:javascript"
      function fetch
      var data
      var n
      var pushed
      var result
      var problem
      let_0: n := 2   # state "let_0"
      push_2: pushed := $data   # state "push_2"
      function_3: call "waybill:javascript"({ source: "() => ({ value: n-- > 0 })", params: $data, variables: { n: $n } }) -> result   # state "function_3"
      function_3/result: assign
        data := if type(first($result.params, null)) == "object" then first($result.params, null) else { value: first($result.params, null) } end
        n := first(first($result.variables, null).n, null)
      function_3/inspect: choose
        when exists($data.error) then raise
        else choice_4
      choice_4: choose   # state "choice_4"
        when first($data.value, null) == true then choice_4/then
        else choice_4/else
      choice_4/then: data := $pushed
        then action_5
      choice_4/else: data := $pushed
        then end_9
      action_5: call fetch($data) -> result   # state "action_5"
        on error when true -> problem then action_5/thrown
        then action_5/result
      action_5/thrown: data := { error: first($problem.message, null) }
        then handler_8
      action_5/result: data := if type($result) == "object" then $result else { value: $result } end
      action_5/inspect: choose
        when exists($data.error) then raise
        else push_2
      raise: data := { error: first($data.error, null) }   # state "raise"
      handler_8: call "waybill:javascript"({ source: "({ error }) => ({ message: error, left: n })", params: $data, variables: { n: $n } }) -> result   # state "handler_8"
      handler_8/result: assign
        data := if type(first($result.params, null)) == "object" then first($result.params, null) else { value: first($result.params, null) } end
        n := first(first($result.variables, null).n, null)
      handler_8/inspect: choose
        when exists($data.error) then fail
        else end_9
      end_9: end with $data   # state "end_9"
      fail: fail with { origin: "fail", name: "Error", message: text(first($data.error, null)) }   # state "fail"
    "
  `);
});
