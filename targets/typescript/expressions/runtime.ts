import type { Identifier, NamedType } from "../../../src/code/index.ts";
import { js } from "../../../src/code/index.ts";
import { helperWord } from "./helpers.ts";

/** The one module that emitted modules have the runtime from. */
export const runtimeModule = "./runtime/index.ts";

/** Something of the workflow runtime. */
export const runtime = (name: string): Identifier => js.imported(name, runtimeModule);

/** A type of the workflow runtime. */
export const runtimeType = (name: string): NamedType => js.importedType(name, runtimeModule);

/** Any JSON value. */
export const jsonType: NamedType = runtimeType("Json");

/** A function of the expressions' runtime. */
export const helper = (name: string): Identifier => runtime(helperWord(name));
