import { expect, test } from "vitest";
import type { AnyWorkflow } from "../../targets/typescript/runtime/face.ts";
import { Book, type Keeping } from "../../targets/typescript/runtime/hosts/hearing/book.ts";
import type { Kept, Message } from "../../targets/typescript/runtime/hosts/hearing/messages.ts";
import { emptyPage } from "../../targets/typescript/runtime/hosts/hearing/page.ts";

const listening = { id: "other", version: "1", events: { Paid: { type: "paid" }, Sent: { type: "sent" } } };
const starting = { start: { on: [{ all: [["Paid"], ["Sent"]] }], complete: true } };
const known = (id: string) => [{ ...listening, ...starting, id }, listening] as unknown as readonly AnyWorkflow[];

const event = (id: string, type: string) => ({ specversion: "1.0", id, source: "/till", type }) as const;

/** A book that is reloaded from its stored page before each use; records its effects. */
function createBook(workflows: readonly AnyWorkflow[]) {
  const kept = new Map<string, Kept>();
  const sent: (readonly [run: string, n: number, kind: Message["kind"]])[] = [];
  const messages: { readonly run: string; readonly message: Message }[] = [];
  const launched: string[] = [];
  const keeping: Keeping = {
    run: async (id) => kept.get(id) ?? null,
    keep: (id, run) => void kept.set(id, run),
    freshId: () => "started",
    launch: async ({ id }) => {
      launched.push(id);
      return id;
    },
    tell({ run }, n, message) {
      sent.push([run, n, message.kind]);
      messages.push({ run, message });
    },
  };
  let page = emptyPage();
  const book = () => {
    page = JSON.parse(JSON.stringify(page));
    return new Book(keeping, { workflows, log: () => undefined }, page);
  };
  /** Applies an action and settles the book; returns the message to each run. */
  const apply = async (act: (book: Book) => unknown) => {
    messages.length = 0;
    const current = book();
    await act(current);
    await current.settle();
    return messages.map(({ run, message }) => [run, "isGranted" in message ? message.isGranted : message.kind]);
  };
  return { book, sent, launched, messages, apply };
}

// Property names of Object.prototype are valid names of runs and workflows, even after the page has been reloaded.

test.each(["R", "__proto__", "constructor", "toString"])("a run and a workflow may be called %s", async (name) => {
  const { book, sent, launched } = createBook(known(name));
  await book().deliver(event("1", "paid"));
  await book().start({ id: name, workflow: "other", input: {} });
  await book().deliver(event("2", "sent"));
  await book().deliver(event("3", "sent"));
  expect(launched).toEqual([name, "started"]);
  expect(sent.filter(([run]) => run === name)).toEqual([
    [name, 1, "event"],
    [name, 2, "event"],
  ]);
});

/** Three runs may use one event, and the two youngest have claimed it; the oldest has a subflow that may use it too. */
async function createClaims() {
  const { apply, messages } = createBook([listening as unknown as AnyWorkflow]);
  for (const id of ["a", "b", "c"]) await apply((book) => book.start({ id, workflow: "other", input: {} }));
  const below = { run: "a", inbox: "below", workflow: "other", version: "1", token: "" };
  await apply((book) => book.join(below));
  await apply((book) => book.join(below));
  const delivered = await apply((book) => book.deliver(event("1", "paid")));
  expect(delivered).toEqual(["a", "b", "c", "a"].map((run) => [run, "event"]));
  const claim = (run: string, n = 1, inbox = "") => apply((book) => book.claim({ run, inbox, claim: n, numbers: [1] }));
  expect(await claim("b")).toEqual([]);
  expect(await claim("c")).toEqual([]);
  return { apply, claim, messages };
}

test("the oldest run that claims an event gets it, and the others lose it once it is used", async () => {
  const { apply, claim, messages } = await createClaims();
  expect(await claim("a", 1, "below")).toEqual([["a", true]]);
  expect(await apply((book) => book.used({ run: "a", claim: 1 }))).toEqual([
    ["a", "lost"],
    ["b", "lost"],
    ["c", "lost"],
    ["b", false],
    ["c", false],
  ]);
  expect(messages.at(-1)!.message).toMatchObject({ claim: 1, gone: [1] });
});

test.each(["unused", "left", "over"])("a granted event that is %s goes to the next run", async (how) => {
  const { apply, claim } = await createClaims();
  await apply((book) => book.heard({ run: "a", inbox: "", number: 1 }));
  expect(await claim("a", 1, "below")).toEqual([["a", true]]);
  const granted = await apply((book) => {
    if (how === "unused") book.unused({ run: "a", claim: 1 });
    else book.leave("a", how === "left" ? "below" : undefined);
  });
  expect(granted).toEqual([["b", true]]);
  expect(await apply((book) => book.used({ run: "b", claim: 1 }))).toContainEqual(["c", false]);
});

test("a run that reclaims a granted event and does not use it through the first claim precedes younger runs", async () => {
  const { apply, claim } = await createClaims();
  await apply((book) => book.heard({ run: "a", inbox: "below", number: 1 }));
  expect(await claim("a", 1)).toEqual([["a", true]]);
  expect(await claim("a", 2)).toEqual([]);
  expect(await apply((book) => book.unused({ run: "a", claim: 1 }))).toEqual([["a", true]]);
});

test("a run whose claim is denied because a part of it is gone may claim the rest before younger runs", async () => {
  const { apply, claim } = await createClaims();
  await apply((book) => book.heard({ run: "a", inbox: "", number: 1 }));
  await apply((book) => book.heard({ run: "a", inbox: "below", number: 1 }));
  await apply((book) => book.used({ run: "b", claim: 1 }));
  await apply((book) => book.deliver(event("2", "paid")));
  await apply((book) => book.heard({ run: "a", inbox: "", number: 2 }));
  await apply((book) => book.heard({ run: "a", inbox: "below", number: 2 }));
  expect(await apply((book) => book.claim({ run: "b", inbox: "", claim: 2, numbers: [1, 2] }))).toEqual([["b", false]]);
  expect(await apply((book) => book.claim({ run: "c", inbox: "", claim: 2, numbers: [2] }))).toEqual([]);
  expect(await claim("b", 3)).toEqual([["b", false]]);
  expect(await apply((book) => book.claim({ run: "b", inbox: "", claim: 4, numbers: [2] }))).toEqual([["b", true]]);
});
