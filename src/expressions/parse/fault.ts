/**
 * What is wrong with a text that should be an expression: `from` and `to` are UTF-16 offsets in that text, the message is a sentence
 * for the user. `syntax`: it does not follow the grammar; `unsupported`: it does, but Waybill does not read that construct; `limit`: it is
 * too long or too deeply nested.
 */
export interface Fault {
  readonly fault: "syntax" | "unsupported" | "limit";
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What a parser gives: what it read, or the first thing that is wrong. Parsers never throw. */
export type Parsed<T extends object> = T | Fault;

/** Whether a parser found something wrong. */
export const isFault = (parsed: object): parsed is Fault => "fault" in parsed;

/** How parsers leave their depths: thrown and caught inside this folder only. */
export class FaultSignal extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Runs a parser; what it signals becomes its result. */
export function parsing<T extends object>(parse: () => T): Parsed<T> {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FaultSignal) return error.fault;
    throw error;
  }
}

/** Texts beyond this many UTF-16 units are refused. */
export const longestText = 1_000_000;
/** Parentheses and filters nested deeper than this are refused. */
export const deepestNesting = 100;
