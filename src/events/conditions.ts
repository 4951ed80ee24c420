import type { JsonObject } from "../json.ts";
import type { OrderedEvent } from "./matching.ts";
import type { EventPattern } from "./rules.ts";

/** Evaluates the conditions of a wait once for each event. */
export class Conditions {
  readonly #variables: JsonObject;
  readonly #results = new Map<EventPattern, Results>();

  constructor(variables: JsonObject) {
    this.#variables = variables;
  }

  /** Whether a pattern's condition holds for an event. Throws what the condition throws. */
  hold(pattern: EventPattern, { order, event }: OrderedEvent): boolean {
    if (!pattern.when) return true;
    let results = this.#results.get(pattern);
    if (!results) {
      results = { evaluated: new OrderSet(), fulfilled: new Set(), errors: new Map() };
      this.#results.set(pattern, results);
    }
    if (!results.evaluated.has(order)) {
      results.evaluated.add(order);
      try {
        if (pattern.when(event, this.#variables)) results.fulfilled.add(order);
      } catch (thrown) {
        results.errors.set(order, thrown);
      }
    }
    if (results.errors.has(order)) throw results.errors.get(order);
    return results.fulfilled.has(order);
  }
}

/** What a condition has yielded, by the order of the event. Most events do not fulfill it. */
interface Results {
  readonly evaluated: OrderSet;
  readonly fulfilled: Set<number>;
  readonly errors: Map<number, unknown>;
}

/** A set of orders, as bits. */
class OrderSet {
  readonly #words = new Map<number, number>();

  has(order: number): boolean {
    return ((this.#words.get(Math.floor(order / 32)) ?? 0) & (1 << (order % 32))) !== 0;
  }

  add(order: number): void {
    const index = Math.floor(order / 32);
    this.#words.set(index, (this.#words.get(index) ?? 0) | (1 << (order % 32)));
  }
}
