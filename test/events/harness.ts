import { step } from "../../src/events/broker.ts";
import type { Command, Effect, NewWait } from "../../src/events/commands.ts";
import { type Answer, emptyPartition, type Partition } from "../../src/events/partition.ts";
import { eventKey } from "../../src/events/rules.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { deepFreeze } from "./broker-and-model.ts";
import { type EventProgram, type ProgramEvent, rulesOf } from "./program.ts";

/** A broker whose commands are short to write. Each partition is frozen. */
export class TestBroker {
  partition: Partition = emptyPartition;
  /** In milliseconds. */
  now = 0;
  readonly rules: ReturnType<typeof rulesOf>;
  /** The latest answer of each wait. */
  readonly answers = new Map<string, Answer>();
  readonly starts: (Effect & { readonly kind: "start" })[] = [];
  #positions = 0;

  constructor(program: Partial<EventProgram>) {
    this.rules = rulesOf({ name: "test", events: plainEvents, waits: {}, starts: [], ...program });
  }

  do(command: Command): readonly Effect[] {
    const { partition, effects } = step(deepFreeze(this.partition), command, this.rules);
    this.partition = partition;
    for (const effect of effects) {
      if (effect.kind === "wake") this.answers.set(effect.wait.id, effect.answer);
      if (effect.kind === "start") this.starts.push(effect);
    }
    return effects;
  }

  /** An event of a type arrives. Without an id it is distinct from all others. */
  arrive(type: string, event: JsonObject = {}): readonly Effect[] {
    const complete = { type, source: "/test", ...event };
    return this.do({ kind: "arrive", at: this.now, event: complete, key: eventKey(complete) });
  }

  /** A run waits at a step; the id of the wait is that of the run by default. */
  wait(run: string, step: string, given: Partial<NewWait> = {}): readonly Effect[] {
    this.#positions += 1;
    const wait = {
      id: run,
      run,
      step,
      age: [0],
      position: [this.#positions],
      since: Number.NEGATIVE_INFINITY,
      at: this.now,
      variables: {},
    };
    return this.do({ kind: "wait", wait: { ...wait, ...given } });
  }

  cancel(id: string, options: { readonly discards?: boolean; readonly closes?: boolean } = {}): readonly Effect[] {
    return this.do({ kind: "cancelWait", id, at: this.now, ...options });
  }

  expire(id: string): readonly Effect[] {
    return this.do({ kind: "expire", id, at: this.now });
  }

  confirm(...ids: readonly string[]): void {
    for (const id of ids) this.do({ kind: "confirm", id });
  }

  leave(run: string): readonly Effect[] {
    return this.do({ kind: "leave", run, at: this.now });
  }

  join(run: string, value?: Json): void {
    this.do({ kind: "join", run, value, after: this.partition.next - 1 });
  }

  sweep(before = Number.NEGATIVE_INFINITY, limit = Number.POSITIVE_INFINITY): readonly Effect[] {
    return this.do({ kind: "sweep", before, limit });
  }

  /** What a wait has received: the ids of the events, or `timeout`, or `failed`; undefined if it still waits. */
  received(id: string): readonly Json[] | string | undefined {
    const answer = this.answers.get(id);
    if (!answer) return undefined;
    if (answer.error !== undefined) return "failed";
    return answer.alternative === null ? "timeout" : answer.events.map(({ event }) => event["id"] ?? null);
  }

  /** The ids of the events that are kept. */
  kept(): readonly Json[] {
    return this.partition.events.map(({ event }) => event["id"] ?? null);
  }
}

/** Definitions `a` to `d` with types of these names. */
export const plainEvents: readonly ProgramEvent[] = ["a", "b", "c", "d"].map((type) => ({ name: type, type }));

/** Definitions `a` to `d` with a key in the attribute `key`. */
export const keyedEvents: readonly ProgramEvent[] = plainEvents.map((event) => ({ ...event, attribute: "key" }));
