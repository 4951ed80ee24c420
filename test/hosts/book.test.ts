import { expect, test } from "vitest";
import { Book, emptyPage, type Keeping } from "../../targets/typescript/runtime/hosts/hearing/book.ts";
import type { Kept, Message } from "../../targets/typescript/runtime/hosts/hearing/messages.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/index.ts";

// Names that every object has are names of runs and workflows like any other, also when the page has been stored in between.

const listening = { id: "other", version: "1", events: { Paid: { type: "paid" }, Sent: { type: "sent" } } };
const starting = { start: { on: [{ all: [["Paid"], ["Sent"]] }], complete: true } };
const known = (id: string) => [{ ...listening, ...starting, id }, listening] as unknown as readonly AnyWorkflow[];

const event = (id: string, type: string) => ({ specversion: "1.0", id, source: "/till", type }) as const;

test.each(["R", "__proto__", "constructor", "toString"])("a run and a workflow may be called %s", async (name) => {
  const kept = new Map<string, Kept>();
  const told: (readonly [run: string, n: number, kind: Message["kind"]])[] = [];
  const begun: string[] = [];
  const keeping: Keeping = {
    run: async (id) => kept.get(id) ?? null,
    keep: (id, run) => void kept.set(id, run),
    freshId: () => "started",
    launch: async ({ id }) => {
      begun.push(id);
      return id;
    },
    tell: ({ run }, n, { kind }) => void told.push([run, n, kind]),
  };
  let page = emptyPage();
  const book = () => {
    page = JSON.parse(JSON.stringify(page));
    return new Book(keeping, { workflows: known(name), log: () => undefined }, page);
  };
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
