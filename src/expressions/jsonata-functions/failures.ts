/** An error of JSONata. `limit`: the message of a limit, as the evaluator overwrites `message` by code. */
export interface JsonataFailure {
  readonly code?: string | undefined;
  readonly message: string;
  readonly limit?: string;
  readonly position?: number;
}

/** Fails with an error of JSONata, which `query` reports. */
export function failWith(code: string, message: string): never {
  throw { code, message };
}

/** A value in a message. */
export const shown = (value: unknown): string => String(JSON.stringify(value));

/** Fails because a number is infinite. */
export const failInfinite = (value: number): never => failWith("D1001", `Number out of range: ${shown(value)}`);

/** A number that a calculation gives. Fails if it is out of the range of numbers. */
export const finite = (value: number): number =>
  Number.isFinite(value) ? value : failWith("D1001", `Number out of range: ${shown(String(value))}`);

/** The maximum number of nested evaluations: as many as the stack of Node.js and browsers has room for. */
export const deepestEvaluation = 500;

/** Describes what an evaluation has thrown. */
export function describeFailure(thrown: unknown, depth: number = deepestEvaluation): JsonataFailure {
  const found = thrownFailure(thrown, depth);
  const message = found.limit ?? found.message;
  return {
    ...found,
    message: message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message,
  };
}

function thrownFailure(thrown: unknown, depth: number): JsonataFailure {
  if (thrown instanceof RangeError)
    return /call stack/.test(thrown.message)
      ? { code: "D1011", message: tooDeep(depth) }
      : { code: "D2015", message: thrown.message };
  if (thrown instanceof Error) return { message: thrown.message };
  return typeof thrown === "object" && thrown !== null && "message" in thrown
    ? (thrown as JsonataFailure)
    : { message: "The evaluation failed." };
}

/** The message of evaluations that are nested too deeply. */
export const tooDeep = (depth: number): string => `Evaluations are nested more than ${depth} levels deep.`;

const maxMessageLength = 500;
