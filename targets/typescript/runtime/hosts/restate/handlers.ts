import type { Delivery } from "../../engine.ts";
import type { CloudEvent } from "../../events.ts";
import type { NewRun, SubflowSubscription, WaitMessage, WaitReference } from "../broker/messages.ts";
import { Book, type RunPort, type StartResult } from "./book.ts";
import { type Names, seenPrefix } from "./messages.ts";
import { inOrder } from "./partitions.ts";
import type { ObjectContext } from "./sdk.ts";
import type { Setting } from "./serving.ts";

/** A message to the object, and when it was sent by the sender's clock. */
export interface BookMessage<T> {
  readonly at: number;
  readonly what: T;
}

/** The handlers of the object. */
export function bookHandlers(setting: Setting) {
  const inBook = async <T>(ctx: ObjectContext, at: number, act: (book: Book) => Promise<T> | T): Promise<T> => {
    await setting.alive();
    const book = await Book.open(ctx, runPortOf(ctx, setting.names), setting.options, at);
    const result = await act(book);
    await book.close();
    return result;
  };
  const handler =
    <T, R>(act: (book: Book, what: T, at: number) => Promise<R> | R) =>
    (ctx: ObjectContext, { at, what }: BookMessage<T>): Promise<R> =>
      inBook(ctx, at, (book) => act(book, what, at));
  return {
    start: handler<NewRun, void>(async (book, run) => void (await book.startAll([run]))),
    startAll: handler<readonly NewRun[], readonly StartResult[]>(async (book, runs) =>
      (await book.startAll(runs)).map((started) => ({ ...started, kept: { ...started.kept, input: null } })),
    ),
    join: handler<SubflowSubscription, void>((book, subscription) => book.join(subscription)),
    leave: handler<{ readonly run: string; readonly key?: string }, void>((book, { run, key }) => book.leave(run, key)),
    wait: handler<WaitMessage, void>((book, message) => book.wait(message)),
    cancelWait: handler<WaitReference, void>((book, wait) => book.cancelWait(wait)),
    confirm: handler<WaitReference, void>((book, wait) => book.confirm(wait)),
    expire: handler<WaitReference, void>((book, wait, at) => book.expire(wait, at)),
    /** The response means that the caller's earlier messages have been processed. */
    known: async (): Promise<void> => setting.alive(),
    /** Adapts the state to the program of this process. */
    adopt: handler<null, void>(() => undefined),
    retry: handler<{ readonly run: string; readonly reply: string }, boolean>((book, { run, reply }) =>
      book.retry(run, reply),
    ),
    cancelled: handler<string, void>((book, run) => book.cancelled(run)),
    async deliverAll(
      ctx: ObjectContext,
      { at, what: events }: BookMessage<readonly CloudEvent[]>,
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
        }
        return deliveries;
      });
    },
    /** Forgets runs. */
    async forget(ctx: ObjectContext, { at, what: runs }: BookMessage<readonly string[]>): Promise<void> {
      await inBook(ctx, at, async (book) => {
        for (const run of runs) await book.leave(run);
      });
      for (const run of runs) ctx.clear(`run:${run}`);
    },
    /** Deletes unused events that arrived before an instant. */
    prune: handler<number, void>((book, before) => book.prune(before)),
    /** Forgets the ids of events. */
    async unsee(ctx: ObjectContext, { what: keys }: BookMessage<readonly string[]>): Promise<void> {
      await setting.alive();
      for (const key of keys) if (key.startsWith(seenPrefix)) ctx.clear(key);
    },
  };
}

const duplicate: Delivery = { status: "duplicate", started: [], delivered: [] };

/** Runs as workflows of Restate. */
const runPortOf = (ctx: ObjectContext, names: Names): RunPort => ({
  freshId: () => ctx.rand.uuidv4(),
  async launch(begin) {
    const parameter = new TextEncoder().encode(JSON.stringify(begin));
    const handle = ctx.genericSend({ service: names.run, key: begin.id, method: "run", parameter });
    return handle.invocationId;
  },
  signal: (invocation, name, message) => ctx.invocation(invocation).signal(name).resolve(message),
});
