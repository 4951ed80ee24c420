import fc from "fast-check";
import { expect, test } from "vitest";
import { AbortSource, neverAborted, type Signal } from "../../../../targets/typescript/runtime/flow/abort.ts";
import { type PendingRequest, Replay } from "../../../../targets/typescript/runtime/replay/replay.ts";

/** A recorded result. */
interface JournalRecord {
  readonly key: string;
  readonly value: number;
}

/** A run whose journal is an array. */
class ArrayRun extends Replay<PendingRequest> {
  readonly journal: JournalRecord[];
  /** The keys of requests whose work has begun. */
  readonly begun: string[] = [];
  #isScheduled = false;

  constructor(recorded: readonly JournalRecord[], own?: Signal) {
    super(own);
    this.journal = [...recorded];
    for (const { key } of recorded) this.ahead.add(key);
    this.replay(recorded.map((record, i) => ({ seq: i + 1, give: () => this.#give(record, i + 1) })));
  }

  protected schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.pauses > 0 || this.advance()) this.schedule();
    });
  }

  /** A request whose work returns a value after some turns of the event loop. */
  after(key: string, turns: number, value: number, signal: Signal = neverAborted): Promise<number> {
    return this.ask<number>(key, signal, {
      begin: async (request) => {
        this.begun.push(key);
        for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
        if (!this.isAsked(key, request)) return;
        const seq = this.journal.push({ key, value });
        this.push({ seq, give: () => this.settle(key, ({ resolve }) => resolve(value)) });
      },
    });
  }

  #give({ key, value }: JournalRecord, seq: number): boolean {
    this.ahead.delete(key);
    const give = () => this.settle(key, ({ resolve }) => resolve(value));
    if (give()) return true;
    this.late.set(key, { seq, give });
    return false;
  }
}

test("a replay gives a race to the recorded winner, and repeats no work", async () => {
  const race = (run: ArrayRun, turns: readonly [number, number]) =>
    Promise.race([run.after("a", turns[0], 1), run.after("b", turns[1], 2)]);
  const first = new ArrayRun([]);
  expect(await race(first, [5, 1])).toBe(2);
  await first.after("c", 9, 3);
  expect(first.journal.map(({ key }) => key)).toEqual(["b", "a", "c"]);
  const again = new ArrayRun(first.journal);
  expect(await race(again, [1, 5])).toBe(2);
  expect(again.begun).toEqual([]);
});

test("a request without an entry is held until the run has received the recorded ones", async () => {
  const run = new ArrayRun([{ key: "a", value: 1 }]);
  const seen: string[] = [];
  const fresh = run.after("b", 0, 2).then(() => seen.push("b"));
  expect(run.begun).toEqual([]);
  await run.after("a", 0, 0).then(() => seen.push(`a, begun: ${run.begun.join()}`));
  await fresh;
  expect(seen).toEqual(["a, begun: ", "b"]);
});

test("an entry whose turn comes before its request is kept for it", async () => {
  const recorded = [
    { key: "late", value: 1 },
    { key: "a", value: 2 },
  ];
  const run = new ArrayRun(recorded);
  expect(await run.after("a", 0, 0)).toBe(2);
  expect(await run.after("late", 0, 0)).toBe(1);
  expect(run.begun).toEqual([]);
});

test("entries are received by their numbers, whatever order they come in", async () => {
  const run = new ArrayRun([]);
  const seen: string[] = [];
  const requested = ["a", "b"].map((key) => run.ask(key, neverAborted, { begin: () => undefined }));
  const all = requested.map((request, i) => request.then(() => seen.push("ab"[i]!)));
  await new Promise((resolve) => setImmediate(resolve));
  run.push({ seq: 2, give: () => run.settle("b", ({ resolve }) => resolve(2)) });
  run.push({ seq: 1, give: () => run.settle("a", ({ resolve }) => resolve(1)) });
  await Promise.all(all);
  expect(seen).toEqual(["a", "b"]);
});

test("a result waits while the run yields within a computation", async () => {
  const run = new ArrayRun([{ key: "a", value: 1 }]);
  const seen: string[] = [];
  const result = run.after("a", 0, 0).then(() => seen.push("a"));
  for (let i = 0; i < 3; i++) await run.giveWay();
  seen.push("computed");
  await result;
  expect(seen).toEqual(["computed", "a"]);
});

test("an aborted signal rejects its requests, and their results are not recorded", async () => {
  const run = new ArrayRun([]);
  const source = new AbortSource();
  const cut = run.after("a", 5, 1, source);
  const other = run.after("b", 9, 2);
  source.abort(new Error("Cut off."));
  await expect(cut).rejects.toThrow("Cut off.");
  await expect(run.after("c", 0, 3, source)).rejects.toThrow("Cut off.");
  expect(await other).toBe(2);
  expect(run.journal).toEqual([{ key: "b", value: 2 }]);
});

test("each prefix of a journal leads to the same results in the same order", async () => {
  const tasks = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(tasks, fc.nat(16), fc.nat(4), async (lengths, cut, shift) => {
      const recorded = new ArrayRun([]);
      const expected = await observe(recorded, lengths, 0);
      const prefix = recorded.journal.slice(0, cut);
      const replayed = new ArrayRun(prefix);
      const found = await observe(replayed, lengths, shift);
      expect(found.slice(0, prefix.length)).toEqual(expected.slice(0, prefix.length));
      expect(replayed.journal.slice(0, prefix.length)).toEqual(prefix);
      const repeated = prefix.map(({ key }) => key).filter((key) => replayed.begun.includes(key));
      expect(repeated).toEqual([]);
    }),
    { numRuns: 60, seed: 20_261_127 },
  );
});

/** Runs chains of two requests at once. Returns the order in which their results were received. */
async function observe(
  run: ArrayRun,
  lengths: readonly (readonly [number, number])[],
  shift: number,
): Promise<readonly string[]> {
  const seen: string[] = [];
  const chain = async ([one, two]: readonly [number, number], i: number) => {
    await run.after(`${i}.1`, (one + shift * i) % 5, i);
    seen.push(`${i}.1`);
    await run.after(`${i}.2`, (two + shift * i) % 5, i);
    seen.push(`${i}.2`);
  };
  await Promise.all(lengths.map(chain));
  return seen;
}
