import fc from "fast-check";
import { expect, test } from "vitest";
import { computeWebs } from "../../src/cfg/webs.ts";
import { literal, variable } from "../../src/expressions/core/build.ts";
import { allOf, assign, call, emit, end, receive, scope } from "../reference/build.ts";
import { byVariable, byWeb } from "./memory.ts";
import { scopes } from "./scopes.ts";
import { readsOf } from "./walk.ts";

test("a web holds the last value of its variable", { timeout: 60_000 }, () => {
  const decisions = fc.array(fc.nat(11), { minLength: 40, maxLength: 40 });
  let [read, divided] = [0, 0];
  fc.assert(
    fc.property(scopes(2, ""), fc.array(decisions, { minLength: 5, maxLength: 5 }), (scope, all) => {
      const webs = computeWebs(scope);
      if (webs.all.length > new Set(webs.all.map((web) => web.variable)).size) divided += 1;
      for (const given of all) {
        const expected = readsOf(scope, given, byVariable());
        expect(readsOf(scope, given, byWeb(webs))).toEqual(expected);
        read += expected.length;
      }
    }),
    { seed: 41, numRuns: 3000 },
  );
  expect({ manyReads: read > 20_000, manyDivided: divided > 200 }).toEqual({ manyReads: true, manyDivided: true });
});

test("an unread definition has no web, even if the variable is assigned elsewhere", () => {
  const webs = computeWebs(
    scope(
      ["data"],
      assign("Keep", { data: literal(1) }, "Tell"),
      call("Tell", "tell", variable("data"), "End", { bind: "data" }),
      end("End", literal(null)),
    ),
  );
  expect(webs.defined("Keep", "data")).toBe(webs.read("Tell", "data"));
  expect(webs.defined("Tell", "data")).toBeUndefined();
});

test("correlation values keep their variables alive", () => {
  const webs = computeWebs(
    scope(
      ["data", "order", "received"],
      assign("Set", { order: literal(1) }, "Wait"),
      receive("Wait", [allOf("paid")], "received", "Reset", "keep", [{ key: "order", value: variable("order") }]),
      assign("Reset", { order: literal(2) }, "Tell"),
      emit("Tell", "paid", literal(null), "End", undefined, variable("order")),
      end("End", literal(null)),
    ),
  );
  for (const step of ["Wait", "Tell"]) expect(webs.read(step, "order")).toBeDefined();
  expect(webs.defined("Wait", "received")).toBeUndefined();
});
