/** AWS Lambda's limits on durable executions. */
export const durableLimits = {
  /** Operations of an execution. */
  operations: 3000,
  /** Bytes of the result or error of one operation, and of all of them. */
  payload: 256 * 1024,
  allPayloads: 100_000_000,
  /** Updates of a checkpoint, and its bytes. */
  updates: 250,
  checkpoint: 750 * 1024,
  /** Seconds of a wait, or until the next attempt of a step. */
  seconds: 31_622_400,
  /** Bytes of the payload of an asynchronous invocation. */
  invocation: 1024 * 1024,
} as const;

/** An update of a checkpoint. */
export interface LimitedUpdate {
  readonly Id?: string | undefined;
  readonly Name?: string | undefined;
  readonly Payload?: string | undefined;
  readonly Error?: object | undefined;
  readonly WaitOptions?: { readonly WaitSeconds?: number | undefined } | undefined;
  readonly StepOptions?: { readonly NextAttemptDelaySeconds?: number | undefined } | undefined;
}

/** What an execution has stored. */
export interface StoredExecution {
  readonly operations: ReadonlyMap<string, unknown>;
  readonly bytes: number;
}

/** Throws AWS Lambda's error if a checkpoint exceeds a limit. Returns the bytes that it stores. */
export function checkUpdates(updates: readonly LimitedUpdate[], { operations, bytes }: StoredExecution): number {
  const { length } = updates;
  if (length > durableLimits.updates) throw invalid(`${length} updates`);
  if (Buffer.byteLength(JSON.stringify(updates)) > durableLimits.checkpoint) throw invalid("a checkpoint over 750 KB");
  for (const update of updates) checkUpdate(update);
  const ids = new Set([...operations.keys(), ...updates.map(({ Id }) => Id)]);
  if (ids.size > durableLimits.operations) throw invalid(`${ids.size} operations`);
  const stored = updates.reduce((sum, update) => sum + payloadBytes(update), 0);
  if (bytes + stored > durableLimits.allPayloads) throw invalid(`${bytes + stored} bytes in all`);
  return stored;
}

/** Throws AWS Lambda's error if an execution cannot start with a name and a payload. */
export function checkStart(name: string, payload: string): void {
  if (!/^[\w-]{1,64}$/.test(name)) throw invalid(`the execution name ${name}`);
  if (Buffer.byteLength(payload) > durableLimits.invocation) throw invalid("a payload over 1 MB");
}

function checkUpdate(update: LimitedUpdate): void {
  const { Id = "", Name, WaitOptions, StepOptions } = update;
  if (!/^[\w-]{1,64}$/.test(Id)) throw invalid(`the operation id ${Id}`);
  if (Name !== undefined && !/^[\x20-\x7e]{1,256}$/.test(Name)) throw invalid(`the operation name ${Name}`);
  if (payloadBytes(update) > durableLimits.payload) throw invalid("a result of an operation over 256 KB");
  for (const seconds of [WaitOptions?.WaitSeconds, StepOptions?.NextAttemptDelaySeconds])
    if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= durableLimits.seconds))
      throw invalid(`${seconds} seconds`);
}

const payloadBytes = ({ Payload = "", Error: error }: LimitedUpdate): number =>
  Buffer.byteLength(Payload) + (error ? Buffer.byteLength(JSON.stringify(error)) : 0);

const invalid = (what: string): Error =>
  Object.assign(new Error(`AWS Lambda does not accept ${what}.`), { name: "InvalidParameterValueException" });
