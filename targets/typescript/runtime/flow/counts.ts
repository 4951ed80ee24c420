/** How often a step has been entered, and called in this attempt. */
interface Count {
  entered: number;
  called: number;
}

/**
 * How often each step of a flow has been entered and called, by the end of its keys. Most iterations have one step;
 * only others need a map.
 */
export class Counts implements Count {
  #name: string | undefined;
  /** The counts of the step `#name`. */
  entered = 0;
  called = 0;
  #others: Map<string, Count> | undefined;

  /** Counts the entry of a step. Returns the count. */
  enter(name: string): number {
    const count = this.#of(name);
    count.entered += 1;
    return count.entered;
  }

  /** Counts a call of a step. Returns the count of this attempt. */
  call(name: string): number {
    const count = this.#of(name);
    count.called += 1;
    return count.called;
  }

  #of(name: string): Count {
    this.#name ??= name;
    if (this.#name === name) return this;
    this.#others ??= new Map();
    let count = this.#others.get(name);
    if (count === undefined) {
      count = { entered: 0, called: 0 };
      this.#others.set(name, count);
    }
    return count;
  }

  *#all(): Iterable<readonly [name: string, count: Count]> {
    if (this.#name !== undefined) yield [this.#name, this];
    if (this.#others) yield* this.#others;
  }

  /** Saves the counts of calls. The returned function restores them for another attempt. */
  saveCalls(): () => void {
    const before = new Map<string, number>();
    for (const [name, { called }] of this.#all()) before.set(name, called);
    return () => {
      for (const [name, count] of this.#all()) count.called = before.get(name) ?? 0;
    };
  }

  /** The recorded form, with calls under names of their own. */
  toRecord(): { readonly [name: string]: number } {
    const all = [...this.#all()];
    const entered = all.map(([name, count]) => [name, count.entered] as const);
    const called = all.map(([name, count]) => [name + callSuffix, count.called] as const);
    return Object.fromEntries([...entered, ...called].filter(([, count]) => count > 0));
  }

  /** Restores a recorded form. */
  restore(record: { readonly [name: string]: number }): void {
    for (const [name, count] of Object.entries(record)) {
      if (isCallName(name)) this.#of(name.slice(0, -callSuffix.length)).called = count;
      else this.#of(name).entered = count;
    }
  }
}

/** The end of the names of calls. */
const callSuffix = "#call";

/**
 * Whether a recorded name is that of calls. A `#` in a step's name is doubled, so `Ask##call` is the step `Ask#call`.
 */
const isCallName = (name: string): boolean => name.replaceAll("##", "").endsWith(callSuffix);
