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

/** The retry policy of a step. */
interface Patience {
  readonly initialRetryInterval: number;
  readonly retryIntervalFactor: number;
  readonly maxRetryInterval: number;
}

/** The context of a handler. */
interface Context {
  run<T>(name: string, work: () => Promise<T> | T, patience?: Patience): RestatePromise<T>;
  sleep(milliseconds: number, name?: string): RestatePromise<void>;
  set<T>(name: string, value: T): void;
  genericSend(sending: Sending): { readonly invocationId: Promise<string> };
  request(): { readonly attemptCompletedSignal: AbortSignal };
}

/** The used part of the context of a run's handler. */
export interface WorkflowContext extends Context {
  signal<T>(name: string): RestatePromise<T>;
  genericCall(calling: Sending): RestatePromise<unknown>;
  /** Logs, with a mark on messages that are replayed. */
  readonly console: { info(message: unknown): void };
}

/** The context of an object's handler. */
export interface ObjectContext extends Context {
  genericCall(calling: Sending): RestatePromise<Uint8Array>;
  readonly key: string;
  readonly rand: { uuidv4(): string };
  get<T>(name: string): Promise<T | null>;
  clear(name: string): void;
  clearAll(): void;
  stateKeys(): Promise<readonly string[]>;
  invocation(id: string): { signal<T>(name: string): { resolve(value: T): void } };
}

/** A service of a program. */
interface ServiceDefinition {
  readonly name: string;
  readonly handlers: object;
  readonly options: object;
}

/** The used part of the SDK. */
export interface Sdk {
  workflow(described: ServiceDefinition): object;
  object(described: ServiceDefinition): object;
  createEndpointHandler(options: {
    readonly services: readonly object[];
    readonly logger: unknown;
    /** The public keys of the Restate servers that may call. */
    readonly identityKeys?: readonly string[];
  }): (request: never, response: never) => void;
  readonly RestatePromise: { race<T>(all: readonly RestatePromise<T>[]): RestatePromise<T> };
  /** Marks a handler that may run concurrently with others of its object. */
  readonly handlers: { readonly object: { shared<T>(handler: T): T } };
  readonly TerminalError: new (message: string, options?: { readonly errorCode: number }) => Error;
  readonly CancelledError: new () => Error;
}

/** Loads the SDK, which is installed only for programs on this host. */
export async function loadSdk(): Promise<Sdk> {
  const name: string = "@restatedev/restate-sdk";
  return (await import(name)) as Sdk;
}
