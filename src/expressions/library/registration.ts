import type { Json } from "../../json.ts";
import type { JqTypeName } from "./types.ts";

/** A library function, callable here and in compiled programs. */
export interface LibraryFunction {
  apply(...values: readonly Json[]): Json;
  readonly name: string;
  readonly file: string;
  readonly returns?: JqTypeName | undefined;
  readonly canFail: boolean;
  readonly ignoresInput: boolean;
}

/** Functions by name and number of parameters. */
export type FunctionTable = { readonly [signature: string]: LibraryFunction };

/** Registers a function that never fails. `member` maps its name to it. */
export function total<Values extends readonly Json[]>(
  file: string,
  member: ExportedFunction<Values>,
  returns?: JqTypeName,
): LibraryFunction {
  return { ...register(file, member), returns, canFail: false };
}

/** Registers a function that may fail. */
export function partial<Values extends readonly Json[]>(
  file: string,
  member: ExportedFunction<Values>,
  returns?: JqTypeName,
): LibraryFunction {
  return { ...register(file, member), returns, canFail: true };
}

/** Marks a function that takes no input. */
export function withoutInput(definition: LibraryFunction): LibraryFunction {
  return { ...definition, ignoresInput: true };
}

type ExportedFunction<Values extends readonly Json[]> = { readonly [name: string]: (...values: Values) => Json };

function register<Values extends readonly Json[]>(
  file: string,
  member: ExportedFunction<Values>,
): Omit<LibraryFunction, "returns" | "canFail"> {
  const [name, apply] = Object.entries(member)[0]!;
  return { apply: apply as unknown as LibraryFunction["apply"], name, file, ignoresInput: false };
}
