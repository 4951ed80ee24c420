import type { Delivery } from "../../engine.ts";
import type { CloudEvent } from "../../events.ts";
import { Book, inOrder, type Keeping, type Started } from "../hearing/book.ts";
import type { Claim, Granted, Heard, Joining, Kept, Leaver, Message, NewRun } from "../hearing/messages.ts";
import { emptyPage, type Page } from "../hearing/page.ts";
import { messageKey, type Names, seenPrefix } from "./messages.ts";
import type { ObjectContext } from "./sdk.ts";
import type { Setting } from "./serving.ts";

/** What the object is told, and when: by the clock of who tells it. */
export interface Told<T> {
  readonly at: number;
  readonly what: T;
}

/** The handlers of the object. */
export function bookHandlers(setting: Setting) {
  const inBook = async <T>(ctx: ObjectContext, at: number, act: (book: Book) => Promise<T> | T): Promise<T> => {
    await setting.alive();
    const page = (await ctx.get<Page>("page")) ?? emptyPage();
    page.clock = Math.max(page.clock, at);
    const book = new Book(keepingOf(ctx, setting.names), setting.options, page);
    const result = await act(book);
    await book.settle();
    ctx.set("page", page);
    return result;
  };
  const handler =
    <T, R>(act: (book: Book, what: T) => Promise<R> | R) =>
    (ctx: ObjectContext, { at, what }: Told<T>): Promise<R> =>
      inBook(ctx, at, (book) => act(book, what));
  return {
    start: handler<NewRun, void>(async (book, run) => void (await book.start(run))),
    startAll: handler<readonly NewRun[], readonly Started[]>(async (book, runs) =>
      (await book.startAll(runs)).map((started) => ({ ...started, kept: { ...started.kept, input: null } })),
    ),
    join: handler<Joining, void>((book, joining) => book.join(joining)),
    token: handler<Joining, void>((book, { run, inbox, token }) => book.setToken(run, inbox, token)),
    leave: handler<Leaver, void>((book, { run, inbox }) => book.leave(run, inbox)),
    heard: handler<Heard, void>((book, heard) => book.heard(heard)),
    claim: handler<Claim, void>((book, claim) => book.claim(claim)),
    used: handler<Granted, void>((book, granted) => book.used(granted)),
    unused: handler<Granted, void>((book, granted) => book.unused(granted)),
    /** Whoever asks knows by the answer that what it has said before is done. */
    known: async (): Promise<void> => setting.alive(),
    retry: handler<string, boolean>((book, run) => book.retry(run)),
    cancelled: handler<string, void>((book, run) => book.cancelled(run)),
    async deliverAll(
      ctx: ObjectContext,
      { at, what: events }: Told<readonly CloudEvent[]>,
    ): Promise<readonly Delivery[]> {
      const keys = events.map(({ source, id }) => `${seenPrefix}${JSON.stringify([source, id])}`);
      const before = await inOrder(keys.map((key) => ctx.get<number>(key)));
      const seen = new Set(keys.filter((_, i) => before[i] !== null));
      return inBook(ctx, at, async (book) => {
        const deliveries: Delivery[] = [];
        for (const [i, event] of events.entries()) {
          const key = keys[i]!;
          const isNew = !seen.has(key);
          if (isNew) ctx.set(key, at);
          seen.add(key);
          deliveries.push(isNew ? await book.deliver(event) : duplicate);
          await book.settle();
        }
        return deliveries;
      });
    },
    /** Forgets runs. */
    async forget(ctx: ObjectContext, { at, what: runs }: Told<readonly string[]>): Promise<void> {
      await inBook(ctx, at, (book) => {
        for (const run of runs) book.leave(run, undefined);
      });
      for (const run of runs) ctx.clear(`run:${run}`);
    },
    /** Forgets that events have come. */
    async unsee(ctx: ObjectContext, { what: keys }: Told<readonly string[]>): Promise<void> {
      await setting.alive();
      for (const key of keys) if (key.startsWith(seenPrefix)) ctx.clear(key);
    },
  };
}

const duplicate: Delivery = { status: "duplicate", started: [], delivered: [] };

/** The state of the object, and runs as workflows of Restate. */
const keepingOf = (ctx: ObjectContext, names: Names): Keeping => ({
  run: (id) => ctx.get<Kept>(`run:${id}`),
  keep: (id, run) => ctx.set(`run:${id}`, run),
  freshId: () => ctx.rand.uuidv4(),
  async launch(begin) {
    const parameter = new TextEncoder().encode(JSON.stringify(begin));
    const handle = ctx.genericSend({ service: names.run, key: begin.id, method: "run", parameter });
    return handle.invocationId;
  },
  tell: ({ invocation }, n, message) => ctx.invocation(invocation).signal<Message>(messageKey(n)).resolve(message),
});
