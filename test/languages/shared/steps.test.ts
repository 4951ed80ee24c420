import { describe, expect, test } from "vitest";
import { readDocuments } from "../../../src/documents/index.ts";
import { binary, literal, member, variable } from "../../../src/expressions/core/build.ts";
import { verify } from "../../../src/ir/verify.ts";
import type { Step, Workflow } from "../../../src/ir/workflow.ts";
import { secondsAt } from "../../../src/languages/shared/properties.ts";
import { retryLoop } from "../../../src/languages/shared/retry-loop.ts";
import {
  choose,
  complete,
  createStepIds,
  createStepWriter,
  declare,
  end,
  noSteps,
  type StepFragment,
  type StepWriter,
  sequence,
  step,
  stepsIn,
} from "../../../src/languages/shared/steps.ts";
import { span, workflow } from "../../reference/build.ts";
import { callsOf, interpretWorkflow, outcomeOf, returns, throws } from "../../reference/interpreting.ts";

const state = variable("state");

/** A workflow with one construct of a test language, over the variable `state`. */
function workflowOf(write: (writer: StepWriter) => StepFragment): Workflow {
  const ids = createStepIds();
  const variables: StepWriter["variables"] = new Map([["state", undefined]]);
  const writer = createStepWriter({ noun: "row", name: "Knit", span }, ids.entry([], "Knit"), ids, {
    slots: [],
    variables,
  });
  const last = (inner: StepWriter) => end(inner, "end", span, { outcome: "leave", extent: "scope", value: state });
  const entry = complete(sequence(write(writer), last(writer)), span);
  const declared = [...variables].map(([name, initial]) => ({ name, initial }));
  const body = { entry, variables: declared, steps: stepsIn(writer), span };
  return workflow(body, { input: "state", functions: [{ name: "ask", span }] });
}

/** Calls `ask` with the state, and replaces it by the result. */
const ask = (writer: StepWriter): StepFragment =>
  step(writer, "ask", span, (base, next) => ({
    ...base,
    kind: "call",
    function: { name: "ask", span },
    argument: state,
    wait: true,
    retries: [],
    bind: "state",
    handlers: [],
    next,
  }));

describe("steps", () => {
  const made = workflowOf((writer) => {
    const isYes = binary("==", state, literal("yes"));
    const way = { when: isYes, span, build: () => ask(writer) };
    return sequence(
      ask(writer),
      choose(writer, "which", span, [way], () => noSteps),
    );
  });
  const ids = ({ body }: Workflow): readonly string[] => body.steps.map(({ id }: Step) => id);

  test("have ids in execution order, starting with the construct's", () => {
    expect(verify(made)).toEqual([]);
    expect(ids(made)).toEqual(["Knit", "Knit/which", "Knit/ask", "Knit/end"]);
    expect(made.body.steps.map(({ origin }) => origin.entry)).toEqual([true, false, false, false]);
    expect(made.body.steps[2]!.origin).toEqual({ noun: "row", name: "Knit", entry: false, part: "ask" });
  });

  test("run", async () => {
    const seen = await interpretWorkflow(made, { input: 1, functions: { ask: [returns("yes"), returns("done")] } });
    expect([outcomeOf(seen), callsOf(seen)]).toEqual([{ output: "done" }, ["ask(1)", 'ask("yes")']]);
  });
});

describe("ids", () => {
  test("are made unique by a number", () => {
    const ids = createStepIds();
    expect([ids.entry([], "A/b"), ids.entry(["A"], "b"), ids.step("A", "b"), ids.entry([], "A/b-2")]).toEqual([
      "A/b",
      "A/b-2",
      "A/b-3",
      "A/b-2-2",
    ]);
    expect([ids.has("A/b-3"), ids.has("A")]).toEqual([true, false]);
  });

  test("are unqualified if the name is unique in the definition", () => {
    const ids = createStepIds((name) => name === "once");
    expect([ids.entry(["outer"], "once"), ids.entry(["outer", "inner"], "twice")]).toEqual([
      "once",
      "outer/inner/twice",
    ]);
  });
});

describe("retried work", () => {
  const delay = { base: 2, factor: 1, step: 3 };
  const isWorn = binary("==", member(state, "worn"), literal(true));
  const rules = [{ onError: literal(true), onSuccess: isWorn, limit: 2, delay, span }];
  const made = workflowOf((writer) => {
    declare(writer, "again");
    return retryLoop(writer, { rules, data: "state", span }, ask);
  });
  const run = (...answers: Parameters<typeof returns>[0][]) =>
    interpretWorkflow(made, { input: { n: 1 }, functions: { ask: answers.map((each) => returns(each)) } });

  test("is well formed", () => expect(verify(made)).toEqual([]));

  test("retries after a result, with the original data", async () => {
    const seen = await run({ worn: true }, { worn: true }, { worn: false });
    expect(outcomeOf(seen)).toEqual({ output: { worn: false } });
    expect([callsOf(seen), seen.elapsed]).toEqual([Array(3).fill('ask({"n":1})'), 7]);
  });

  test.each([
    [{ base: 2, factor: 1, step: 3, cap: 4 }, 2 + 4],
    [{ base: 2, factor: 4, step: 0, cap: 5 }, 2 + 5],
    [{ base: 9, factor: 1, step: 0, cap: 5 }, 5 + 5],
    [{ base: 2, factor: 4, step: 0 }, 2 + 8],
  ])("after %j", async (delay, elapsed) => {
    const capped = workflowOf((writer) =>
      retryLoop(writer, { rules: [{ ...rules[0]!, delay }], data: "state", span }, ask),
    );
    const seen = await interpretWorkflow(capped, { input: 1, functions: { ask: [returns({ worn: true })] } });
    expect(seen.elapsed).toBe(elapsed);
  });

  test("is exhausted: a result is accepted, an error propagates", async () => {
    expect(outcomeOf(await run({ worn: true }))).toEqual({ output: { worn: true } });
    const failing = await interpretWorkflow(made, { input: {}, functions: { ask: [throws("Torn", "It is torn.")] } });
    expect(outcomeOf(failing)).toEqual({ error: "Torn", message: "It is torn." });
    expect(callsOf(failing)).toHaveLength(3);
  });
});

test("a duration has the language's own format and precise spans", () => {
  const found: string[] = [];
  const [document] = readDocuments({ path: "a.yaml", text: "short: 90s\nlong: soon\n" }, () => {});
  const report = ({ code, message }: { code: string; message: string }) => void found.push(`${code} ${message}`);
  const parse = (text: string) =>
    /^\d+s$/.test(text)
      ? { years: 0, months: 0, days: 0, seconds: Number.parseInt(text, 10) }
      : { message: `\`${text}\` is no number of seconds.` };
  const owner = document!.value as object;
  const read = (key: string) => secondsAt({ document: document!, report }, owner, key, parse);
  expect([read("short"), read("long"), found]).toEqual([90, undefined, ["WB4101 `soon` is no number of seconds."]]);
});
