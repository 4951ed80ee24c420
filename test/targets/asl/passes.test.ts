import { expect, test } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../../src/json.ts";
import { goldenNames, readGolden } from "../../golden/folder.ts";

// A Pass costs a transition: where one stands that begins no Choice, it is here with its reason. One that is new has to have one of these, or goes.

const reasons: { readonly [reason: string]: readonly string[] } = {
  "fails before something is done": [
    "function-workflow/delay: Wait",
    "function-workflow/older-spellings: Ask",
    "function-workflow/retry-on-result: Assess",
    "serverless-workflow/branch-fails-at-once: Both/Tell",
    "serverless-workflow/event-wait-for-all: Begin",
    "serverless-workflow/subflow-nested: Greet",
    "sm4c/event-groups: Collect: event-2",
    "yawl/input-of-any-kind: workflow",
  ],
  "data of another form, before a state to which a loop leads back": [
    "yawl/backward-steps: workflow",
    "yawl/bad-outputs-caught: workflow",
    "yawl/older-spellings: workflow",
  ],
  "values that branches and iterations read": [
    "serverless-workflow/correlation-from-a-branch: Both",
    "serverless-workflow/foreach-spaced-and-narrow: Both/Each/Each: iteration",
    "yawl/branches-a-few-at-once: warm",
    "yawl/global-and-counter: price",
    "yawl/order-desk: prepare",
    "yawl/success-deep-inside: rooms",
  ],
  "long work that several lead to, or that may fail where it would be caught": [
    "projects/timeout-of-a-subflow: desk: errors 7e4c5edd",
    "serverless-workflow/event-start-callback-and-switch: Bill: onError",
    "serverless-workflow/subflow-nested: Inner: onError",
    "serverless-workflow/subflow-nested: Inner: onError",
    "sm4c/handlers-within-parallel: Side by side: error-3",
    "sm4c/handlers-within-parallel: Side by side: merge",
    "sm4c/handlers-within-parallel: One by one: error-2",
    "sm4c/retries: Pull: merge",
  ],
};

type States = { readonly [name: string]: JsonObject & { readonly Type: string } };

/** The Pass states of a machine that lead to no Choice, by their places: `Both/Each: iteration`. */
function* passesIn(machine: JsonObject, around: string): Generator<string> {
  const states = machine["States"] as States;
  for (const [name, state] of Object.entries(states)) {
    const next = states[state["Next"] as string];
    if (state.Type === "Pass" && next?.Type !== "Choice") yield around + name;
    const inside = [...((state["Branches"] ?? []) as JsonObject[]), ...[state["ItemProcessor"] ?? []].flat()];
    for (const each of inside) yield* passesIn(each as JsonObject, `${around}${name}/`);
  }
}

test("a Pass starts a Choice, or has a reason", () => {
  const found = goldenNames().flatMap((name) =>
    Object.entries(readGolden(name, (text) => parse(text)).kept).flatMap(([path, text]) =>
      path.endsWith(".asl.json") ? [...passesIn(JSON.parse(text) as JsonObject, `${name}: `)] : [],
    ),
  );
  expect(found.toSorted()).toEqual(Object.values(reasons).flat().toSorted());
});
