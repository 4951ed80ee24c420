import { expect, test } from "vitest";
import { Book, type Keeping } from "../../targets/typescript/runtime/hosts/hearing/book.ts";
import type { Kept, Message } from "../../targets/typescript/runtime/hosts/hearing/messages.ts";
import { emptyPage } from "../../targets/typescript/runtime/hosts/hearing/page.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/index.ts";

const listening = { id: "other", version: "1", events: { Paid: { type: "paid" }, Sent: { type: "sent" } } };
const starting = { start: { on: [{ all: [["Paid"], ["Sent"]] }], complete: true } };
const known = (id: string) => [{ ...listening, ...starting, id }, listening] as unknown as readonly AnyWorkflow[];

const event = (id: string, type: string) => ({ specversion: "1.0", id, source: "/till", type }) as const;

/** A book, read from what is stored each time it is used, and what it does. */
function bookOf(workflows: readonly AnyWorkflow[]) {
  const kept = new Map<string, Kept>();
  const told: (readonly [run: string, n: number, kind: Message["kind"]])[] = [];
  const messages: { readonly run: string; readonly message: Message }[] = [];
  const begun: string[] = [];
  const keeping: Keeping = {
    run: async (id) => kept.get(id) ?? null,
    keep: (id, run) => void kept.set(id, run),
    freshId: () => "started",
    launch: async ({ id }) => {
      begun.push(id);
      return id;
    },
    tell({ run }, n, message) {
      told.push([run, n, message.kind]);
      messages.push({ run, message });
    },
  };
  let page = emptyPage();
  const book = () => {
    page = JSON.parse(JSON.stringify(page));
    return new Book(keeping, { workflows, log: () => undefined }, page);
  };
  /** Tells it something, and what follows: what each run is told then. */
  const tell = async (act: (book: Book) => unknown) => {
    messages.length = 0;
    const current = book();
    await act(current);
    await current.settle();
    return messages.map(({ run, message }) => [run, "isGranted" in message ? message.isGranted : message.kind]);
  };
  return { book, told, begun, messages, tell };
}

// Names that every object has are names of runs and workflows like any other, also when the page has been stored in between.

test.each(["R", "__proto__", "constructor", "toString"])("a run and a workflow may be called %s", async (name) => {
  const { book, told, begun } = bookOf(known(name));
  await book().deliver(event("1", "paid"));
  await book().start({ id: name, workflow: "other", input: {} });
  await book().deliver(event("2", "sent"));
  await book().deliver(event("3", "sent"));
  expect(begun).toEqual([name, "started"]);
  expect(told.filter(([run]) => run === name)).toEqual([
    [name, 1, "event"],
    [name, 2, "event"],
  ]);
});

/** Three runs of which each may use one event, and the younger two have claimed it; the oldest has a subflow that may as well. */
async function claiming() {
  const { tell, messages } = bookOf([listening as unknown as AnyWorkflow]);
  for (const id of ["a", "b", "c"]) await tell((book) => book.start({ id, workflow: "other", input: {} }));
  const below = { run: "a", inbox: "below", workflow: "other", version: "1", token: "" };
  await tell((book) => book.join(below));
  await tell((book) => book.join(below));
  const delivered = await tell((book) => book.deliver(event("1", "paid")));
  expect(delivered).toEqual(["a", "b", "c", "a"].map((run) => [run, "event"]));
  const claim = (run: string, n = 1, inbox = "") => tell((book) => book.claim({ run, inbox, claim: n, numbers: [1] }));
  expect(await claim("b")).toEqual([]);
  expect(await claim("c")).toEqual([]);
  return { tell, claim, messages };
}

test("of several that claim an event the oldest has it, and the others lose it when that has used it", async () => {
  const { tell, claim, messages } = await claiming();
  expect(await claim("a", 1, "below")).toEqual([["a", true]]);
  expect(await tell((book) => book.used({ run: "a", claim: 1 }))).toEqual([
    ["a", "lost"],
    ["b", "lost"],
    ["c", "lost"],
    ["b", false],
    ["c", false],
  ]);
  expect(messages.at(-1)!.message).toMatchObject({ claim: 1, gone: [1] });
});

test.each(["unused", "left", "over"])("what was granted and is %s is for the next", async (how) => {
  const { tell, claim } = await claiming();
  await tell((book) => book.heard({ run: "a", inbox: "", number: 1 }));
  expect(await claim("a", 1, "below")).toEqual([["a", true]]);
  const given = await tell((book) => {
    if (how === "unused") book.unused({ run: "a", claim: 1 });
    else book.leave("a", how === "left" ? "below" : undefined);
  });
  expect(given).toEqual([["b", true]]);
  expect(await tell((book) => book.used({ run: "b", claim: 1 }))).toContainEqual(["c", false]);
});

test("a run that claims again what it was granted, and does not use by the first claim, comes before younger ones", async () => {
  const { tell, claim } = await claiming();
  await tell((book) => book.heard({ run: "a", inbox: "below", number: 1 }));
  expect(await claim("a", 1)).toEqual([["a", true]]);
  expect(await claim("a", 2)).toEqual([]);
  expect(await tell((book) => book.unused({ run: "a", claim: 1 }))).toEqual([["a", true]]);
});

test("a run that is denied a claim, as a part of it is gone, looks again before younger ones have the rest", async () => {
  const { tell, claim } = await claiming();
  await tell((book) => book.heard({ run: "a", inbox: "", number: 1 }));
  await tell((book) => book.heard({ run: "a", inbox: "below", number: 1 }));
  await tell((book) => book.used({ run: "b", claim: 1 }));
  await tell((book) => book.deliver(event("2", "paid")));
  await tell((book) => book.heard({ run: "a", inbox: "", number: 2 }));
  await tell((book) => book.heard({ run: "a", inbox: "below", number: 2 }));
  expect(await tell((book) => book.claim({ run: "b", inbox: "", claim: 2, numbers: [1, 2] }))).toEqual([["b", false]]);
  expect(await tell((book) => book.claim({ run: "c", inbox: "", claim: 2, numbers: [2] }))).toEqual([]);
  expect(await claim("b", 3)).toEqual([["b", false]]);
  expect(await tell((book) => book.claim({ run: "b", inbox: "", claim: 4, numbers: [2] }))).toEqual([["b", true]]);
});
