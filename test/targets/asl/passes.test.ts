import { expect, test } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../../src/json.ts";
import { goldenNames, readGolden } from "../../golden/folder.ts";

// A Pass costs a transition. Each one that does not precede a Choice is listed here with its reason.

const reasons: { readonly [reason: string]: readonly string[] } = {
  "may fail before something is done, and the state that does that would catch it": [
    "asl/mixed-languages: Read",
    "asl/pack-parcels: Count",
    "asl/ship-fragile: Pack: map/Crate",
    "function-workflow/older-spellings: Ask",
    "function-workflow/retry-on-result: Assess",
  ],
  "removes the reserved parameters of compositions from an input that several states read": [
    "composer-fsm/counted-rounds: times",
    "composer-fsm/exit-leads-on: pack",
    "composer-fsm/handlers-in-handlers: outer",
    "composer-fsm/missing-action-caught: try",
    "composer-fsm/missing-action: try",
    "composer-fsm/values: number",
    "serverless-workflow/subflow-composition: book",
  ],
  "computes values that differ at each use, from built-in functions": [
    "asl/mixed-languages: Greet",
    "serverless-workflow-1.0/errors: pay: wait 1",
    "serverless-workflow-1.0/events: announce",
  ],
  "may fail with the pointer of its own task, which another state would not have": [
    "serverless-workflow-1.0/branches: begin",
    "serverless-workflow-1.0/data-flow: data-flow",
    "serverless-workflow-1.0/errors: report",
    "serverless-workflow-1.0/events: follow: as-2",
    "serverless-workflow-1.0/events: note",
    "serverless-workflow-1.0/events: receive: as-2",
    "serverless-workflow-1.0/loops: add",
  ],
  "long work that several lead to, or that may fail where it would be caught": [
    "sm4c/handlers-within-parallel: Side by side: error-3",
    "sm4c/handlers-within-parallel: One by one: error-2",
  ],
};

type States = { readonly [name: string]: JsonObject & { readonly Type: string } };

/** The Pass states of a machine that do not precede a Choice, by path: `Both/Each: iteration`. */
function* passesIn(machine: JsonObject, around: string): Generator<string> {
  const states = machine["States"] as States;
  for (const [name, state] of Object.entries(states)) {
    const next = states[state["Next"] as string];
    if (state.Type === "Pass" && next?.Type !== "Choice") yield around + name;
    const inside = [...((state["Branches"] ?? []) as JsonObject[]), ...[state["ItemProcessor"] ?? []].flat()];
    for (const each of inside) yield* passesIn(each as JsonObject, `${around}${name}/`);
  }
}

test("a Pass precedes a Choice, or has a listed reason", () => {
  const found = goldenNames().flatMap((name) =>
    Object.entries(readGolden(name, (text) => parse(text)).kept).flatMap(([path, text]) =>
      path.endsWith(".asl.json") ? [...passesIn(JSON.parse(text) as JsonObject, `${name}: `)] : [],
    ),
  );
  expect(found.toSorted()).toEqual(Object.values(reasons).flat().toSorted());
});
