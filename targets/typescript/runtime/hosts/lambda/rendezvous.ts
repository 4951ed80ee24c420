import { createHash, randomUUID } from "node:crypto";
import type { CloudEvent } from "../../events.ts";
import type { AnyWorkflow } from "../../workflow.ts";
import { Book, type Keeping } from "../hearing/book.ts";
import type { Begin, Kept, Message, NewRun, Said } from "../hearing/messages.ts";
import { emptyPage, type Page } from "../hearing/page.ts";
import { parts } from "../parts.ts";
import type { Table } from "./table.ts";

/** Where runs and events meet: a table, and what those are told by of whom something is to be known. */
export interface Site {
  readonly table: Table;
  readonly workflows: readonly AnyWorkflow[];
  /** Milliseconds since 1970. */
  clock(): number;
  /** Starts the execution of a run, once for each id. */
  launch(begin: Begin): Promise<void>;
  /** Completes a callback; nothing where it is completed, or its execution over. */
  wake(callback: string): Promise<void>;
  /** Lets some milliseconds pass. */
  pause(milliseconds: number): Promise<void>;
}

/** What the table is told: by a run what is its `n`-th, each once, `execution` being its own or that of the run that it starts; that an event has come; or that an execution is over, which may not have said so itself. */
export type Telling = { readonly at: number } & (
  | (Said & { readonly by: { readonly run: string; readonly execution: string; readonly n: number } })
  | { readonly method: "deliver"; readonly what: CloudEvent }
  | { readonly method: "over"; readonly what: string }
);

/** What is to be done when a page is written. */
type Todo =
  | { readonly number: number; readonly begin: Begin }
  | { readonly number: number; readonly run: string; readonly n: number; readonly message: Message };

/** The page, as the table has it. */
interface Stored extends Page {
  /** How much of what it says each run has told. */
  told: { [run: string]: number };
  todo: Todo[];
  todos: number;
}

/** How a run began. */
const runAt = (id: string): string => `run#${id}`;

/** What a run is told, by its number. */
const messageAt = (run: string, n: number): string => `message#${n}#${run}`;

/** The callback by which a run hears of a message. */
const callbackAt = (run: string, n: number): string => `callback#${n}#${run}`;

/** A message, where it is there; where it is not, the callback is completed when it is. */
export async function hear({ table }: Site, run: string, n: number, callback: string): Promise<Message | undefined> {
  await table.write(new Map([[callbackAt(run, n), callback]]));
  return (await table.get<Message>(messageAt(run, n)))?.value;
}

/** A message that is there. */
export async function messageOf({ table }: Site, run: string, n: number): Promise<Message> {
  const found = await table.get<Message>(messageAt(run, n));
  if (!found) throw new Error(`The message ${n} of the run ${run} is not in the table.`);
  return found.value;
}

/** Tells the table something, in one transaction with all that follows from it; what is to be done then is done by whoever comes first. */
export async function tell(site: Site, telling: Telling): Promise<void> {
  await change(site, (page, values) => act(site, page, values, telling));
  await finish(site);
}

/** Does what is to be done: also what others have left undone. */
export async function finish(site: Site): Promise<void> {
  const { todo = [] } = (await site.table.get<Stored>("page"))?.value ?? {};
  if (todo.length === 0) return;
  for (const each of todo) await perform(site, each);
  const done = new Set(todo.map(({ number }) => number));
  await change(site, async (page) => {
    const left = page.todo.filter(({ number }) => !done.has(number));
    if (left.length === page.todo.length) return false;
    page.todo = left;
    return true;
  });
}

async function perform({ table, launch, wake }: Site, todo: Todo): Promise<void> {
  if ("begin" in todo) return launch(todo.begin);
  const { run, n, message } = todo;
  await table.write(new Map([[messageAt(run, n), message]]));
  const callback = await table.get<string>(callbackAt(run, n));
  if (callback) await wake(callback.value);
}

/** Changes the page, as often as somebody else changes it meanwhile. */
async function change(
  { table, pause }: Site,
  make: (page: Stored, values: Map<string, unknown>) => Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const before = await table.get<Stored>("page");
    const page = before?.value ?? { ...emptyPage(), told: {}, todo: [], todos: 0 };
    const values = new Map<string, unknown>([["page", page]]);
    if (!(await make(page, values)) || (await table.write(values, before?.version ?? 0))) return;
    if (attempt >= mostAttempts) throw new Error("The table is changed too often by others.");
    await pause(Math.random() * Math.min(1000, 10 * 2 ** attempt));
  }
}

const mostAttempts = 50;

/** False where it has been told already. */
async function act(site: Site, page: Stored, values: Map<string, unknown>, telling: Telling): Promise<boolean> {
  const by = "by" in telling ? telling.by : undefined;
  if (by) {
    if ((parts.own(page.told, by.run) ?? 0) >= by.n) return false;
    parts.setOwn(page.told, by.run, by.n);
  }
  page.clock = Math.max(page.clock, telling.at);
  const keeping = keepingOf(site, page, values, telling.method === "start" ? telling.by.execution : undefined);
  const book = new Book(keeping, { workflows: site.workflows, log }, page);
  if (!(await said(site, book, values, telling))) return false;
  if (telling.method === "start" && telling.by.run === telling.what.id) correct(page, telling.what);
  await book.settle();
  for (const run of book.left) delete page.told[run];
  return true;
}

/** A run says itself of which version it is: who has started it may be of an earlier one, and new executions begin with the one that is deployed. */
function correct(page: Page, { id, version = "" }: NewRun): void {
  const isIt = ({ run, inbox }: Page["members"][number]) => run === id && inbox === "";
  page.members = page.members.map((member) => (isIt(member) ? { ...member, version } : member));
}

const log = (entry: object): void => console.error(JSON.stringify(entry));

async function said(site: Site, book: Book, values: Map<string, unknown>, telling: Telling): Promise<boolean> {
  switch (telling.method) {
    case "deliver": {
      const seen = `seen#${JSON.stringify([telling.what.source, telling.what.id])}`;
      if (await site.table.get(seen)) return false;
      values.set(seen, telling.at);
      await book.deliver(telling.what);
      return true;
    }
    case "over": {
      const run = book.reachedBy(telling.what);
      if (run !== undefined) book.leave(run, undefined);
      return run !== undefined;
    }
    case "start":
      return book.start(telling.what).then(() => true);
    case "join":
      return book.join(telling.what).then(() => true);
    case "token":
      book.setToken(telling.what.run, telling.what.inbox, telling.what.token);
      return true;
    case "leave":
      book.leave(telling.what.run, telling.what.inbox);
      return true;
    case "heard":
      book.heard(telling.what);
      return true;
    case "claim":
      book.claim(telling.what);
      return true;
    case "used":
      book.used(telling.what);
      return true;
    case "unused":
      book.unused(telling.what);
      return true;
  }
}

/** The page and the table. `execution`: that of the run of which is told that it starts; all others are launched. */
const keepingOf = (
  { table }: Site,
  page: Stored,
  values: Map<string, unknown>,
  execution: string | undefined,
): Keeping => ({
  run: async (id) => (values.get(runAt(id)) ?? (await table.get(runAt(id)))?.value ?? null) as Kept | null,
  // A run has its input itself, and an item of the table has not room for every one.
  keep: (id, run) => void values.set(runAt(id), { ...run, input: null }),
  freshId: randomUUID,
  async launch(begin) {
    if (execution === undefined) page.todo.push({ number: ++page.todos, begin });
    return execution ?? executionOf(begin.id);
  },
  tell: ({ run }, n, message) => void page.todo.push({ number: ++page.todos, run, n, message }),
});

/** The name of the execution of a run that is launched: names are short and of few characters. */
export const executionOf = (id: string): string => createHash("sha256").update(id).digest("hex");
