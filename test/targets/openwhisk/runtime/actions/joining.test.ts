import { expect, test } from "vitest";
import {
  type BranchEnd,
  decisionOf,
  nothingStarted,
  type Plan,
  type Progress,
  startDue,
  withEnd,
} from "../../../../../targets/openwhisk/runtime/actions/joining.ts";

const plan = (total: number, more: Partial<Plan> = {}): Plan => ({ total, failure: "fatal", ...more });
const started = (count: number, ended: readonly BranchEnd[] = []): Progress => ({
  started: new Array(count).fill(0),
  ended,
});
const done = (index: number): BranchEnd => ({ index, result: { of: index } });
const lost = (index: number): BranchEnd => ({ index, error: { name: "Lost" } });

test("all branches are joined in their order, whatever the order of their ends", () => {
  expect(decisionOf(plan(2), started(2, [done(1)]))).toBeUndefined();
  expect(decisionOf(plan(2), started(2, [done(1), done(0)]))).toEqual({
    results: [
      { index: 0, result: { of: 0 } },
      { index: 1, result: { of: 1 } },
    ],
  });
});

test("a join on some counts the first that complete, in the order of branches", () => {
  const ended = [done(2), done(0), done(1)];
  expect(decisionOf(plan(3, { count: 2 }), started(3, ended))).toEqual({
    results: [
      { index: 0, result: { of: 0 } },
      { index: 2, result: { of: 2 } },
    ],
  });
  expect(decisionOf(plan(3, { count: 0 }), started(0))).toEqual({ results: [] });
});

test("a failure is fatal at once, or when the join cannot be reached any more", () => {
  expect(decisionOf(plan(3), started(3, [lost(1)]))).toEqual({ error: { name: "Lost" } });
  const spare = plan(3, { failure: "spare", count: 2 });
  expect(decisionOf(spare, started(3, [lost(1)]))).toBeUndefined();
  expect(decisionOf(spare, started(3, [lost(1), done(0), done(2)]))).toMatchObject({ results: [{}, {}] });
  expect(decisionOf(spare, started(3, [lost(1), lost(0)]))).toEqual({ error: { name: "Lost" } });
});

test.each([[{ $waybill: "ended", value: 7 }], [{ $waybill: "limit", fatal: true, name: "LimitError" }]])(
  "nothing spares %j",
  (error) => {
    expect(decisionOf(plan(3, { failure: "spare", count: 1 }), started(3, [{ index: 0, error }]))).toEqual({ error });
  },
);

test("an end counts once, of a branch that was started, and not after the decision", () => {
  const open = started(2, [done(0)]);
  expect(withEnd(plan(3), open, done(0))).toBeUndefined();
  expect(withEnd(plan(3), open, done(2))).toBeUndefined();
  expect(withEnd(plan(3), open, done(1))?.ended).toEqual([done(0), done(1)]);
  expect(withEnd(plan(2, { count: 1 }), open, done(1))).toBeUndefined();
});

test("at most so many run at once, in order", () => {
  const narrow = plan(4, { width: 2 });
  const first = startDue(narrow, nothingStarted, 5);
  expect(first).toEqual({ progress: { started: [5, 5], ended: [] }, starting: [0, 1] });
  const second = startDue(narrow, withEnd(narrow, first.progress, done(1))!, 9);
  expect(second.starting).toEqual([2]);
  expect(startDue(narrow, second.progress, 9).starting).toEqual([]);
  expect(startDue(plan(3), nothingStarted, 0).starting).toEqual([0, 1, 2]);
});

test("starts are apart, counted from the last one, and what only waits for time is told", () => {
  const slow = plan(3, { gapMs: 100, width: 2 });
  const first = startDue(slow, nothingStarted, 0);
  expect(first).toMatchObject({ starting: [0], again: 100 });
  const second = startDue(slow, first.progress, 100);
  expect(second).toMatchObject({ starting: [1] });
  expect(second.again).toBeUndefined();
  const third = startDue(slow, withEnd(slow, second.progress, done(0))!, 150);
  expect(third).toMatchObject({ starting: [], again: 200 });
  expect(startDue(slow, third.progress, 350).starting).toEqual([2]);
});

test("nothing is started when the join is decided", () => {
  const narrow = plan(3, { width: 1 });
  expect(startDue(narrow, { started: [0], ended: [lost(0)] }, 9).starting).toEqual([]);
});

test("a text by which a branch has failed is an error of the workflow, but for what the platform failed with", () => {
  const failed = (error: string) =>
    decisionOf(plan(1), withEnd(plan(1), { started: [0], ended: [] }, { index: 0, error })!);
  expect(failed('An error has occurred: EvaluationError: "no list"')).toEqual({
    error: { $waybill: "expression", name: "ExpressionError", message: "no list" },
  });
  expect(failed("An error has occurred: Busy: later")).toEqual({
    error: { $waybill: "function", name: "Busy", message: "later" },
  });
  expect(failed("waybill: the store is gone")).toEqual({ error: "waybill: the store is gone" });
});
