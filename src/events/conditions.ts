import type { JsonObject } from "../json.ts";
import type { EventPattern } from "./rules.ts";

/** Evaluates the conditions of a wait once for each event. */
export class Conditions {
  readonly #variables: JsonObject;
  readonly #results = new Map<EventPattern, Results>();

  constructor(variables: JsonObject) {
    this.#variables = variables;
  }

  /** Whether a pattern's condition holds for an event. Throws what the condition throws. */
  hold(pattern: EventPattern, event: JsonObject): boolean {
    if (!pattern.when) return true;
    const number = numberOf(event);
    let results = this.#results.get(pattern);
    if (!results) {
      results = { evaluated: new BitSet() };
      this.#results.set(pattern, results);
    }
    if (!results.evaluated.has(number)) {
      results.evaluated.add(number);
      try {
        if (pattern.when(event, this.#variables)) {
          results.fulfilled ??= new Set();
          results.fulfilled.add(number);
        }
      } catch (thrown) {
        results.errors ??= new Map();
        results.errors.set(number, thrown);
      }
    }
    if (results.errors?.has(number)) throw results.errors.get(number);
    return results.fulfilled?.has(number) === true;
  }
}

/** What a condition has yielded, by the number of the event. Most events do not fulfill it. */
interface Results {
  readonly evaluated: BitSet;
  fulfilled?: Set<number>;
  errors?: Map<number, unknown>;
}

/** Numbers for events. Two events may have the same order in partitions that begin alike. */
const numbers = new WeakMap<JsonObject, number>();
let next = 0;

function numberOf(event: JsonObject): number {
  let number = numbers.get(event);
  if (number === undefined) {
    number = next++;
    numbers.set(event, number);
  }
  return number;
}

/** A set of natural numbers. */
class BitSet {
  readonly #words = new Map<number, number>();

  has(number: number): boolean {
    return ((this.#words.get(Math.floor(number / 32)) ?? 0) & (1 << (number % 32))) !== 0;
  }

  add(number: number): void {
    const index = Math.floor(number / 32);
    this.#words.set(index, (this.#words.get(index) ?? 0) | (1 << (number % 32)));
  }
}
