import type { Delivery } from "../../engine.ts";
import type { CloudEvent } from "../../events.ts";
import type { NewRun, SubflowSubscription, WaitMessage, WaitReference } from "../broker/messages.ts";
import { partitionOfWait } from "../broker/routing.ts";
import { Book, type StartResult } from "./book.ts";
import { type Draft, decide, type Execution } from "./decision.ts";
import { headFrom, type StoredHead } from "./head.ts";
import { memberKey, runKey, seenPrefix } from "./messages.ts";
import { partitionPrefix } from "./partition-documents.ts";
import type { ObjectContext } from "./sdk.ts";
import type { Setting } from "./serving.ts";

/** A message to the object, and when it was sent by the sender's clock. */
export interface BookMessage<T> {
  readonly at: number;
  readonly what: T;
}

/** What an operation reads and refers to, whichever program executes it. */
interface Foreseen<T> {
  /** The entries that its message names. */
  readonly keys?: (what: T) => readonly string[];
  /** The partition of its wait. */
  readonly wait?: (what: T) => WaitReference;
  /** Values that it stores as they are. */
  readonly values?: (what: T) => readonly unknown[];
}

/** The handlers of the object. */
export function bookHandlers({ options, names, alive }: Setting) {
  const handler =
    <T, R>(
      act: (book: Book, what: T, draft: Draft, at: number) => Promise<R> | R,
      { keys, wait, values }: Foreseen<T> = {},
    ) =>
    async (ctx: ObjectContext, { at, what }: BookMessage<T>): Promise<R> => {
      await alive();
      const ahead: Execution["ahead"] = [
        () => ["page", ...(keys?.(what) ?? [])],
        ...(wait ? [(known: (key: string) => unknown) => [partitionKeyOf(wait(what), known("page"))]] : []),
      ];
      return decide(ctx, { runs: names.run, alive, ahead, values: values?.(what) ?? [] }, async (draft) => {
        const book = await Book.open(draft, draft, options, at);
        const result = await act(book, what, draft, at);
        await book.close();
        return result;
      });
    };
  const starting = (runs: readonly NewRun[]): readonly string[] => [
    ...new Set(runs.flatMap(({ id, parent }) => [runKey(id), ...(parent === undefined ? [] : [runKey(parent)])])),
  ];
  const ofWait = { wait: (wait: WaitReference) => wait };
  return {
    start: handler<NewRun, void>(async (book, run) => void (await book.startAll([run])), {
      keys: (run) => starting([run]),
      values: ({ input }) => [input],
    }),
    startAll: handler<readonly NewRun[], readonly StartResult[]>(
      async (book, runs) =>
        (await book.startAll(runs)).map(({ isNew, kept }) => ({
          isNew,
          kept: { ...kept, input: null, invocation: "" },
        })),
      { keys: starting, values: (runs) => runs.map(({ input }) => input) },
    ),
    join: handler<SubflowSubscription, void>((book, subscription) => book.join(subscription), {
      keys: ({ run }) => [memberKey(run)],
    }),
    leave: handler<{ readonly run: string; readonly key?: string }, void>(
      (book, { run, key }) => book.leave(run, key),
      { keys: ({ run }) => [memberKey(run)] },
    ),
    wait: handler<WaitMessage, void>((book, message) => book.wait(message), {
      keys: ({ run }) => [memberKey(run)],
      ...ofWait,
    }),
    cancelWait: handler<WaitReference, void>((book, wait) => book.cancelWait(wait), ofWait),
    confirm: handler<WaitReference, void>((book, wait) => book.confirm(wait), ofWait),
    expire: handler<WaitReference, void>((book, wait, _, at) => book.expire(wait, at), ofWait),
    /** The response means that the caller's earlier messages have been processed. */
    known: async (): Promise<void> => alive(),
    /** Adapts the state to the program of this process. */
    adopt: handler<null, void>(() => undefined),
    retry: handler<{ readonly run: string; readonly reply: string }, boolean>(
      (book, { run, reply }) => book.retry(run, reply),
      { keys: ({ run }) => [runKey(run)] },
    ),
    cancelled: handler<string, void>((book, run) => book.cancelled(run), {
      keys: (run) => [runKey(run), memberKey(run)],
    }),
    deliverAll: handler<readonly CloudEvent[], readonly Delivery[]>(
      async (book, events, draft, at) => {
        const deliveries: Delivery[] = [];
        const seen = new Set<string>();
        for (const event of events) if ((await draft.get(seenKey(event))) !== null) seen.add(seenKey(event));
        await book.load(events.filter((event) => !seen.has(seenKey(event))));
        for (const event of events) {
          const key = seenKey(event);
          const isNew = !seen.has(key);
          if (isNew) draft.set(key, at);
          seen.add(key);
          deliveries.push(isNew ? await book.deliver(event) : duplicate);
        }
        return deliveries;
      },
      { keys: (events) => [...new Set(events.map(seenKey))], values: (events) => events },
    ),
    /** Forgets runs. */
    forget: handler<readonly string[], void>(
      async (book, runs, draft) => {
        for (const run of runs) await book.leave(run);
        for (const run of runs) draft.clear(runKey(run));
      },
      { keys: (runs) => [...new Set(runs.map(memberKey))] },
    ),
    /** Deletes unused events that arrived before an instant. */
    prune: handler<number, void>((book, before) => book.prune(before)),
    /** Forgets the ids of events. */
    async unsee(ctx: ObjectContext, { what: keys }: BookMessage<readonly string[]>): Promise<void> {
      await alive();
      for (const key of keys) if (key.startsWith(seenPrefix)) ctx.clear(key);
    },
  };
}

const seenKey = ({ source, id }: CloudEvent): string => `${seenPrefix}${JSON.stringify([source, id])}`;

/** The key of the partition of a wait. */
function partitionKeyOf({ run, workflow, values, value }: WaitReference, page: unknown): string {
  const { keys } = headFrom(page as StoredHead | null);
  return partitionPrefix + partitionOfWait(workflow, values, value ?? run, keys);
}

const duplicate: Delivery = { status: "duplicate", started: [], delivered: [] };
