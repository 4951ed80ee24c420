import { expect, test } from "vitest";
import type { Composition } from "../../../../targets/openwhisk/composition.ts";
import { requirementsOf } from "../../../../targets/openwhisk/deploy/requirements.ts";
import type { SuspensionReason } from "../../../../targets/openwhisk/select/context.ts";
import { calls } from "./deploy-definitions.ts";

const helper = "/_/waybill/rt";
const none: ReadonlySet<SuspensionReason> = new Set();
const requirements = (states: Composition["States"], budget = 45) =>
  requirementsOf({ Entry: "a", Exit: "z", States: states }, none, helper, budget);
const callFunctions = (count: number, budget: number) =>
  requirementsOf(calls(...new Array<string>(count).fill("/_/f")), none, helper, budget);
const plain = { usesHelper: false, receives: false, delays: false, reasons: [], isLong: false };

test("a composition requires the helper action if it calls it or may be suspended", () => {
  expect(requirementsOf(calls("/_/f"), none, helper, 45)).toEqual(plain);
  const delaying = calls("/_/f", helper, helper);
  expect(requirementsOf(delaying, none, helper, 45)).toEqual({ ...plain, usesHelper: true });
  const reasons = ["they wait for a long time"];
  const long = { ...plain, usesHelper: true, delays: true, reasons };
  expect(requirementsOf(delaying, new Set(["delays"] as const), helper, 45)).toEqual(long);
  const receiving = requirementsOf(calls("/_/f"), new Set(["events"] as const), helper, 45);
  expect(receiving).toMatchObject({ usesHelper: true, receives: true, delays: false });
});

test("calls beyond the budget of an invocation need another one", () => {
  expect(callFunctions(3, 3)).toEqual(plain);
  expect(callFunctions(4, 3)).toMatchObject({ usesHelper: true, isLong: true });
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
