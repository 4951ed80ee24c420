import { expect, test } from "vitest";
import { AbortSource, type Listener, type ListenerNode } from "../../../../targets/typescript/runtime/flow/abort.ts";

/** A signal and its notifications. */
function heard() {
  const cut = new AbortSource();
  const log: string[] = [];
  const node = (name: string, act: () => void = () => undefined): ListenerNode => ({
    previousListener: undefined,
    nextListener: undefined,
    handleEvent() {
      log.push(name);
      act();
    },
  });
  const add = <L extends Listener>(listener: L): L => {
    cut.addEventListener("abort", listener);
    return listener;
  };
  const remove = (listener: Listener) => cut.removeEventListener("abort", listener);
  return { cut, log, node, add, remove };
}

test("all who hear of a signal do so once, in the order in which they came", () => {
  const { cut, log, node, add, remove } = heard();
  add(node("a"));
  const gone = add(node("gone"));
  const b = add(() => void log.push("b"));
  add(b);
  const left = add(() => void log.push("left"));
  add(node("c"));
  for (const listener of [gone, left, gone, left]) remove(listener);
  cut.abort("why");
  cut.abort("again");
  expect(log).toEqual(["a", "b", "c"]);
  expect([cut.aborted, cut.reason]).toEqual([true, "why"]);
});

test("a listener that is removed and added again comes last", () => {
  const { cut, log, node, add, remove } = heard();
  const first = add(node("first"));
  add(node("second"));
  remove(first);
  add(first);
  cut.abort("why");
  expect(log).toEqual(["second", "first"]);
});

test("who goes while a signal is told hears nothing, and who comes then neither", () => {
  const { cut, log, node, add, remove } = heard();
  const late = node("late");
  const next = node("next");
  add(
    node("first", () => {
      remove(next);
      add(late);
    }),
  );
  add(next);
  add(node("last"));
  cut.abort("why");
  expect(log).toEqual(["first", "last"]);
});
