import { expect, test } from "vitest";
import { generate } from "../../../src/compile.ts";
import { programOf, type Scope, type Workflow } from "../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../src/json.ts";
import { emptyConfiguration } from "../../../src/target/contract.ts";
import { asl } from "../../../targets/asl/index.ts";
import { allOf, data, end, event, forEach, invoke, receive, scope, workflow } from "../../reference/build.ts";
import { part } from "./reference-comparison.ts";

// Names of subflows' executions tell the functions for events how old their root runs are.

const invoking = (id: string, called: string): Workflow =>
  workflow(scope(["data"], invoke("Sub", called, data, "End"), end("End", data)), { id });

const waiting = workflow(scope(["data", "e"], receive("Await", [allOf("a")], "e", "End"), end("End", data)), {
  id: "waiting",
  events: [event("a")],
});

const plain = workflow(scope(["data"], end("End", data)), { id: "plain" });

/** The arguments of the state that starts a subflow, in the machine of a workflow. */
async function argumentsIn(workflows: readonly Workflow[], id: string): Promise<JsonObject> {
  const settings = { configurationOf: () => ({ ...emptyConfiguration, values: { foreach: "distributed" } }) };
  const { files } = await generate(programOf(workflows), asl, settings);
  const { text } = files.find(({ path }) => path === `${id}.asl.json`)!;
  let found: JsonObject | undefined;
  JSON.parse(text, (_, value) => {
    if (String(value?.Resource).includes("startExecution")) found = value.Arguments;
    return value;
  });
  return found!;
}

test("a run that is nobody's subflow passes its start", async () => {
  const { Name } = await argumentsIn([invoking("main", "waiting"), waiting], "main");
  expect(Name).toBe('{% "since-" & $toMillis($states.context.Execution.StartTime) & "-" & $uuid() %}');
});

test("a subflow passes the age in its own name, and its start if it has none", async () => {
  const { Name } = await argumentsIn([invoking("main", "between"), invoking("between", "waiting"), waiting], "between");
  expect(Name).toBe(
    '{% "since-" & [$match($states.context.Execution.Id, /:since-(\\d+)-[^:]+$/).groups, ' +
      '$toMillis($states.context.Execution.StartTime)][0] & "-" & $uuid() %}',
  );
});

test("a subflow that does not wait has no name", async () => {
  expect(Object.keys(await argumentsIn([invoking("main", "plain"), plain, waiting], "main"))).not.toContain("Name");
});

test("an iteration that is an execution of its own passes the age of the run that contains it", async () => {
  const body: Scope = scope([], invoke("Sub", "waiting", data, "Sub/end"), end("Sub/end", data));
  const loop = scope(["data", "r"], forEach("Each", part("list"), body, "End", { bind: "r" }), end("End", data));
  const { Name } = await argumentsIn([workflow(loop), waiting], "main");
  expect(Name).toBe('{% "since-" & $states.input.began & "-" & $uuid() %}');
});
