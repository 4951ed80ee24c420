/** How often something has been entered, and called in this attempt. */
interface Count {
  entered: number;
  called: number;
}

/** How often each step of a flow has been entered and called, by what its keys end with. Most flows of items have one step: only others need a table. */
export class Counts implements Count {
  #name: string | undefined;
  /** Of the step of that name. */
  entered = 0;
  called = 0;
  #others: Map<string, Count> | undefined;

  /** Enters a step: how often it has been by now. */
  enter(name: string): number {
    const count = this.#of(name);
    count.entered += 1;
    return count.entered;
  }

  /** Calls what a step calls: how often it has in this attempt. */
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

  /** Remembers how often steps have been called; what it gives counts on from there again, for a further attempt. */
  callingAgain(): () => void {
    const before = new Map<string, number>();
    for (const [name, { called }] of this.#all()) before.set(name, called);
    return () => {
      for (const [name, count] of this.#all()) count.called = before.get(name) ?? 0;
    };
  }

  /** As it is recorded: calls under a name of their own. */
  toRecord(): { readonly [name: string]: number } {
    const all = [...this.#all()];
    const entered = all.map(([name, count]) => [name, count.entered] as const);
    const called = all.map(([name, count]) => [name + callMark, count.called] as const);
    return Object.fromEntries([...entered, ...called].filter(([, count]) => count > 0));
  }

  /** Counts on from what is recorded. */
  restore(record: { readonly [name: string]: number }): void {
    for (const [name, count] of Object.entries(record)) {
      if (isOfCalls(name)) this.#of(name.slice(0, -callMark.length)).called = count;
      else this.#of(name).entered = count;
    }
  }
}

/** Ends the names under which calls are recorded. */
const callMark = "#call";

/** Whether a recorded name is one of calls: a `#` in the name of a step is doubled, so that `Ask##call` is the step `Ask#call`. */
const isOfCalls = (name: string): boolean => name.replaceAll("##", "").endsWith(callMark);
