import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SimulatedEnvironment } from "../../src/environment/environment.ts";
import type { FunctionFailure } from "../../src/environment/errors.ts";
import type { Json } from "../../src/json.ts";
import { createClock, rank } from "../../src/scenario/clock.ts";
import { type Setup, simulate } from "../../src/scenario/simulation.ts";
import type { Outcome } from "../../src/target/simulator.ts";

const done = (output: Json): Outcome => ({ status: "succeeded", output });

const where = { position: [] };

describe("the clock", () => {
  test("at one instant events precede responses and timers, each in the order of scheduling", () => {
    const clock = createClock(1000);
    const seen: string[] = [];
    const plan = (at: number, kind: keyof typeof rank, name: string) =>
      clock.plan(at, kind, () => seen.push(`${name}@${clock.now()}`));
    plan(2000, "timer", "t1");
    plan(2000, "answer", "a1");
    plan(2000, "arrival", "e1");
    plan(2000, "timer", "t2");
    plan(2000, "arrival", "e2");
    plan(1500, "timer", "t0");
    while (clock.advance());
    expect(seen).toEqual(["t0@1500", "e1@2000", "e2@2000", "a1@2000", "t1@2000", "t2@2000"]);
  });

  test("time never goes back, and canceled items do not happen", () => {
    const clock = createClock(5000);
    const seen: number[] = [];
    clock.plan(1000, "timer", () => seen.push(clock.now()));
    clock.plan(9000, "timer", () => seen.push(clock.now()))();
    expect(clock.advance()).toBe(true);
    expect(clock.advance()).toBe(false);
    expect(seen).toEqual([5000]);
    expect(clock.now()).toBe(5000);
  });

  test("scheduled items are ordered by time, kind and scheduling", () => {
    const kinds = ["arrival", "answer", "timer"] as const;
    const happening = fc.record({
      at: fc.integer({ min: 0, max: 5 }),
      kind: fc.constantFrom(...kinds),
      cancelled: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (plans) => {
        const clock = createClock(0);
        const seen: number[] = [];
        for (const [i, { at, kind, cancelled }] of plans.entries()) {
          const cancel = clock.plan(at, kind, () => seen.push(i));
          if (cancelled) cancel();
        }
        while (clock.advance());
        const keys = plans.map(({ at, kind }, i) => [at, rank[kind], i] as const);
        const expected = keys
          .filter(([, , i]) => !plans[i]!.cancelled)
          .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
        expect(seen).toEqual(expected.map(([, , i]) => i));
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

const setup = (rest: Partial<Setup> = {}): Setup => ({
  clock: 0,
  events: [],
  reply: async (name, index) => ({ takes: 1, answer: { kind: "returns", value: `${name}${index}` } }),
  ...rest,
});
const at = (...position: readonly number[]) => ({ position });

describe("the simulation", () => {
  test("simultaneous calls are made, counted and completed in document order", async () => {
    const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
      environment.started();
      const late = Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => environment.call("f", "first", at(0, 5)));
      return done(
        await Promise.all([environment.call("f", "third", at(1)), environment.call("f", "second", at(0, 7)), late]),
      );
    };
    const seen = await simulate(setup(), run);
    expect(seen.calls.map(({ argument }) => argument)).toEqual(["first", "second", "third"]);
    expect(seen.outcome).toEqual(done(["f2", "f1", "f0"]));
    expect(seen.elapsed).toBe(1);
  });

  test("at one instant a response precedes a timer, and an event precedes both", async () => {
    const order: string[] = [];
    const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
      environment.started();
      environment.listen(() => order.push("event"));
      const ring = environment.sleep(1).then(() => order.push("timer"));
      await Promise.all([ring, environment.call("f", null, at()).then(() => order.push("answer"))]);
      return done(null);
    };
    await simulate(setup({ events: [{ at: 1, event: {} }] }), run);
    expect(order).toEqual(["event", "answer", "timer"]);
  });

  test("time advances only when nothing else can run", async () => {
    const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
      environment.started();
      const timer = environment.sleep(0).then(() => "timer");
      const steps = (async () => {
        for (let i = 0; i < 1000; i++) await Promise.resolve();
        return "steps";
      })();
      return done(await Promise.race([timer, steps]));
    };
    expect((await simulate(setup(), run)).outcome).toEqual(done("steps"));
  });

  test("a thrown error is a failure with its name, message and data", async () => {
    const reply: Setup["reply"] = async () => ({
      takes: 0,
      answer: { kind: "throws", name: "Bad", message: "m", data: { code: 1 } },
    });
    const run = (environment: SimulatedEnvironment): Promise<Outcome> =>
      environment
        .call("f", null, at())
        .then(done, (error: FunctionFailure) => done([error.name, error.message, error.data ?? null]));
    expect((await simulate(setup({ reply }), run)).outcome).toEqual(done(["Bad", "m", { code: 1 }]));
  });

  test("an aborted call rejects at once and is not made if still pending", async () => {
    const reason = new Error("cut off");
    const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
      environment.started();
      const [before, after] = [new AbortController(), new AbortController()];
      const calls = [
        environment.call("never", null, { position: [0], signal: before.signal }),
        environment.call("made", null, { position: [1], signal: after.signal }),
      ];
      const settled = Promise.allSettled(calls);
      before.abort(reason);
      await environment.sleep(0.5);
      after.abort(reason);
      const [one, two] = await settled;
      return done([one!.status, two!.status]);
    };
    const seen = await simulate(setup(), run);
    expect(seen).toMatchObject({
      outcome: done(["rejected", "rejected"]),
      calls: [{ function: "made" }],
      elapsed: 0.5,
    });
  });

  test("an aborted signal prevents new actions and ends a sleep", async () => {
    const stopped = AbortSignal.abort(new Error("over"));
    const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
      environment.started();
      const messages = await Promise.all(
        [environment.sleep(5, stopped), environment.call("f", null, { position: [], signal: stopped })].map((each) =>
          each.then(
            () => "",
            (error: Error) => error.message,
          ),
        ),
      );
      return done(messages);
    };
    expect(await simulate(setup(), run)).toMatchObject({ outcome: done(["over", "over"]), calls: [], elapsed: 0 });
  });

  test("a run that cannot continue is waiting or not started", async () => {
    const forever = () => new Promise<Outcome>(() => undefined);
    expect(await simulate(setup(), forever)).toMatchObject({ outcome: { status: "not-started" }, elapsed: undefined });
    const waiting = await simulate(setup(), (environment) => {
      environment.started();
      environment.visit("Wait");
      return forever();
    });
    expect(waiting).toMatchObject({ outcome: { status: "waiting" }, path: ["Wait"], elapsed: undefined });
  });

  test("time counts from the start of the run; later actions are recorded, but not in its path", async () => {
    const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
      await environment.sleep(10);
      environment.started();
      await environment.sleep(5);
      environment.visit("End");
      environment.sleep(60).then(() => {
        environment.visit("After");
        environment.emit({ type: "late" });
      });
      return done(null);
    };
    expect(await simulate(setup(), run)).toMatchObject({ elapsed: 5, path: ["End"], emitted: [{ type: "late" }] });
  });

  describe("limits", () => {
    const failed = (message: string) => ({ status: "failed", error: { name: "LimitError", message, origin: "limit" } });
    const tooDeep = failed("More than 1000 subflows wait for each other.");
    const tooLarge = failed("An argument, an event or an input is larger than 4194304 characters.");

    test("a run that exceeds one fails at that instant, and has no effect afterwards", async () => {
      const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
        environment.started();
        environment.call("before", 1, where).catch(() => undefined);
        await environment.sleep(5);
        environment.call("dropped", 1, where).catch(() => undefined);
        environment.subflow(1000, {});
        expect(() => environment.subflow(1001, {})).toThrow("wait for each other");
        expect(() => environment.visit("After")).toThrow("wait for each other");
        environment.emit({ type: "late" });
        await environment.sleep(5);
        return done("over");
      };
      const seen = await simulate(setup(), run);
      expect(seen).toMatchObject({ outcome: tooDeep, elapsed: 5, path: [], emitted: [] });
      expect(seen.calls.map((call) => call.function)).toEqual(["before"]);
    });

    test("a detached part of a run that exceeds one fails the run", async () => {
      const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
        environment.started();
        environment
          .sleep(1)
          .then(() => environment.subflow(1001, {}))
          .catch(() => undefined);
        return done("over");
      };
      expect(await simulate(setup(), run)).toMatchObject({ outcome: tooDeep, elapsed: 1 });
    });

    test("values with shared parts are not walked to their end", async () => {
      let doubled: Json = "x";
      for (let i = 0; i < 100; i++) doubled = [doubled, doubled];
      const effects: readonly ((environment: SimulatedEnvironment) => unknown)[] = [
        (environment) => environment.call("f", doubled, where),
        (environment) => environment.emit({ type: "x", data: doubled }),
        (environment) => environment.subflow(1, doubled),
      ];
      for (const effect of effects)
        expect(
          await simulate(setup(), async (environment) => {
            environment.started();
            await effect(environment);
            return done("over");
          }),
        ).toMatchObject({ outcome: tooLarge, calls: [], emitted: [] });
    });
  });

  test("a run that an event starts is behind the one that produces it at once, and counts as its part", async () => {
    const twice = async (environment: SimulatedEnvironment, name: string, position: readonly number[]) => {
      await environment.call(name, 1, { position });
      await environment.call(name, 2, { position });
    };
    const startable = {
      workflow: "started",
      run: (environment: SimulatedEnvironment) =>
        new Promise<Outcome>((resolve) => {
          environment.listen(() => {
            if (!environment.mayStart()) return;
            environment.started();
            void twice(environment, "g", []).then(() => resolve(done(null)));
          });
        }),
    };
    const producer = (environment: SimulatedEnvironment): Promise<Outcome> => {
      environment.started();
      environment.emit({ type: "x" });
      return twice(environment, "f", [Number.POSITIVE_INFINITY]).then(() => done(null));
    };
    const { calls } = await simulate(setup({ startable: [startable] }), producer);
    expect(calls.map((call) => `${call.function} ${String(call.argument)}`)).toEqual(["f 1", "g 1", "f 2", "g 2"]);
  });

  test("internal errors are rethrown", async () => {
    await expect(simulate(setup(), () => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
  });

  test("ten thousand waits of an hour are simulated quickly", async () => {
    const run = async (environment: SimulatedEnvironment): Promise<Outcome> => {
      environment.started();
      for (let i = 0; i < 10_000; i++) await environment.sleep(3600);
      return done(null);
    };
    expect((await simulate(setup(), run)).elapsed).toBe(36_000_000);
  });
});
