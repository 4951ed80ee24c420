import { expect, test } from "vitest";
import { Cut, type Hearer, type Listener } from "../../../../targets/typescript/runtime/flow/abort.ts";

/** A signal and its notifications. */
function heard() {
  const cut = new Cut();
  const log: string[] = [];
  const hearer = (name: string, act: () => void = () => undefined): Hearer => ({
    before: undefined,
    behind: undefined,
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
  return { cut, log, hearer, add, remove };
}

test("all who hear of a signal do so once, in the order in which they came", () => {
  const { cut, log, hearer, add, remove } = heard();
  add(hearer("a"));
  const gone = add(hearer("gone"));
  const b = add(() => void log.push("b"));
  add(b);
  const left = add(() => void log.push("left"));
  add(hearer("c"));
  for (const listener of [gone, left, gone, left]) remove(listener);
  cut.abort("why");
  cut.abort("again");
  expect(log).toEqual(["a", "b", "c"]);
  expect([cut.aborted, cut.reason]).toEqual([true, "why"]);
});

test("who goes comes behind the others when it comes again", () => {
  const { cut, log, hearer, add, remove } = heard();
  const first = add(hearer("first"));
  add(hearer("second"));
  remove(first);
  add(first);
  cut.abort("why");
  expect(log).toEqual(["second", "first"]);
});

test("who goes while a signal is told hears nothing, and who comes then neither", () => {
  const { cut, log, hearer, add, remove } = heard();
  const late = hearer("late");
  const next = hearer("next");
  add(
    hearer("first", () => {
      remove(next);
      add(late);
    }),
  );
  add(next);
  add(hearer("last"));
  cut.abort("why");
  expect(log).toEqual(["first", "last"]);
});
