import type { Json } from "../../json.ts";
import type { TypeName } from "./types.ts";

/** A function of the library: how it is called here, and where its source is for those who copy it. */
export interface LibraryFunction {
  /** The result for the values of the input, unless it is ignored, and of the parameters; throws an `EvaluationError` where the function fails. */
  apply(...values: readonly Json[]): Json;
  /** The name under which its file exports it. */
  readonly name: string;
  /** Its file in this folder. */
  readonly file: string;
  /** The type of every result, if it is always the same. */
  readonly returns?: TypeName | undefined;
  /** Whether it can fail for values of some types. */
  readonly fails: boolean;
  /** Whether it is a function of its parameters alone, so that `apply` takes no input. */
  readonly ignoresInput: boolean;
}

/** Functions by name and number of parameters. */
export type Table = { readonly [signature: string]: LibraryFunction };

/** A function of a file that fails for no values, as the only member of an object, by the name under which it is exported. */
export function total<Values extends readonly Json[]>(
  file: string,
  member: Member<Values>,
  returns?: TypeName,
): LibraryFunction {
  return { ...named(file, member), returns, fails: false };
}

/** A function of a file that fails for some values, likewise. */
export function partial<Values extends readonly Json[]>(
  file: string,
  member: Member<Values>,
  returns?: TypeName,
): LibraryFunction {
  return { ...named(file, member), returns, fails: true };
}

/** A function of the parameters alone. */
export function withoutInput(definition: LibraryFunction): LibraryFunction {
  return { ...definition, ignoresInput: true };
}

type Member<Values extends readonly Json[]> = { readonly [name: string]: (...values: Values) => Json };

function named<Values extends readonly Json[]>(
  file: string,
  member: Member<Values>,
): Omit<LibraryFunction, "returns" | "fails"> {
  const [name, apply] = Object.entries(member)[0]!;
  return { apply: apply as unknown as LibraryFunction["apply"], name, file, ignoresInput: false };
}
