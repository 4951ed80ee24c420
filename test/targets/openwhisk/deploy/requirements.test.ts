import { expect, test } from "vitest";
import type { Composition } from "../../../../targets/openwhisk/composition.ts";
import { requirementsOf } from "../../../../targets/openwhisk/deploy/requirements.ts";
import type { SuspensionReason } from "../../../../targets/openwhisk/select/context.ts";
import { calls } from "./deploy-definitions.ts";

const helper = (name: string) => `/_/waybill/${name}`;
const none: ReadonlySet<SuspensionReason> = new Set();
const requirements = (states: Composition["States"], budget = 45) =>
  requirementsOf({ Entry: "a", Exit: "z", States: states }, none, helper, budget);
const callFunctions = (count: number, budget: number) =>
  requirementsOf(calls(...new Array<string>(count).fill("/_/f")), none, helper, budget);
const joining = ["rt-join", "rt-sweep", "rt-timeout"];

test("a composition requires the helpers that it calls and those that resume it", () => {
  const delaying = calls("/_/f", helper("rt-delay"), helper("rt-delay"));
  expect(requirementsOf(delaying, none, helper, 45)).toEqual({ helpers: ["rt-delay"], reasons: [], isLong: false });
  const long = { helpers: ["rt-delay", ...joining], reasons: ["they wait for a long time"], isLong: false };
  expect(requirementsOf(delaying, new Set(["delays"] as const), helper, 45)).toEqual(long);
  expect(requirementsOf(calls("/_/rt-fork"), new Set(["events"] as const), helper, 45).helpers).toEqual([
    "rt-join",
    "rt-resume",
    "rt-sweep",
    "rt-timeout",
  ]);
});

test("calls beyond the budget of an invocation need another one", () => {
  expect(callFunctions(3, 3)).toEqual({ helpers: [], reasons: [], isLong: false });
  expect(callFunctions(4, 3).helpers).toEqual(["rt-continue", ...joining]);
});

test("a loop is long if any path through it calls", () => {
  const loop = (called: object): Composition["States"] => ({
    a: { Type: "Choice", Then: "left", Else: "right" },
    left: { Type: "Pass", Next: "b" },
    right: { Type: "Task", ...called, Next: "b" } as never,
    b: { Type: "Choice", Then: "a", Else: "z" },
    z: { Type: "Pass" },
  });
  expect(requirements(loop({ Value: 1 })).isLong).toBe(false);
  expect(requirements(loop({ Action: "/_/f" })).isLong).toBe(true);
});
