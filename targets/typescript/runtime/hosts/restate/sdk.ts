/** A promise of Restate's journal. */
export interface RestatePromise<T> extends Promise<T> {
  map<U>(mapper: (value?: T, failure?: Error) => U): RestatePromise<U>;
}

/** A call of a handler. */
interface Sending {
  readonly service: string;
  readonly key: string;
  readonly method: string;
  readonly parameter: Uint8Array;
}

/** How often what a step throws is tried again. */
interface Patience {
  readonly initialRetryInterval: number;
  readonly retryIntervalFactor: number;
  readonly maxRetryInterval: number;
}

/** What handlers act by. */
interface Context {
  run<T>(name: string, work: () => Promise<T> | T, patience?: Patience): RestatePromise<T>;
  sleep(milliseconds: number, name?: string): RestatePromise<void>;
  set<T>(name: string, value: T): void;
  genericSend(sending: Sending): { readonly invocationId: Promise<string> };
  request(): { readonly attemptCompletedSignal: AbortSignal };
}

/** What the handler of a run acts by: as much of the package as is used here. */
export interface WorkflowContext extends Context {
  signal<T>(name: string): RestatePromise<T>;
  genericCall(calling: Sending): RestatePromise<unknown>;
  /** Gives what is logged to the logger, and says whether it has been before. */
  readonly console: { info(message: unknown): void };
}

/** What the handlers of an object act by. */
export interface ObjectContext extends Context {
  readonly key: string;
  readonly rand: { uuidv4(): string };
  get<T>(name: string): Promise<T | null>;
  clear(name: string): void;
  clearAll(): void;
  stateKeys(): Promise<readonly string[]>;
  invocation(id: string): { signal<T>(name: string): { resolve(value: T): void } };
}

/** A service of a program. */
interface Described {
  readonly name: string;
  readonly handlers: object;
  readonly options: object;
}

/** The package, as much of it as is used here. */
export interface Sdk {
  workflow(described: Described): object;
  object(described: Described): object;
  createEndpointHandler(options: {
    readonly services: readonly object[];
    readonly logger: unknown;
  }): (request: never, response: never) => void;
  readonly RestatePromise: { race<T>(all: readonly RestatePromise<T>[]): RestatePromise<T> };
  readonly TerminalError: new (message: string) => Error;
  readonly CancelledError: new () => Error;
}

/** The package is there where a program runs on this host. */
export async function loadSdk(): Promise<Sdk> {
  const name: string = "@restatedev/restate-sdk";
  return (await import(name)) as Sdk;
}
