import type { Expression, TypeDeclaration } from "../../../src/code/index.ts";
import type { Protocol } from "../../../src/ir/protocols.ts";
import type { Configured, Settings } from "../../../src/target.ts";
import type { Span } from "../../../src/text/source.ts";

/** A function as the emitted workflows call it. */
export interface FunctionUse {
  /** As the definition calls it. */
  readonly name: string;
  /** The name of the member of `Functions`. */
  readonly methodName: string;
  /** Where the definition says that the function is. */
  readonly resource?: string | undefined;
  /** How the definition says that it is reached. */
  readonly protocol?: Protocol | undefined;
  /** Where the function is defined, or called where no definition defines it. */
  readonly span: Span;
}

/** What `functions.ts` is made from. */
export interface Request {
  /** The functions of all workflows, in their order; those that several workflows call, several times. */
  readonly functions: readonly FunctionUse[];
  /** The modules of workflows that export an interface `Functions`, in order: `./greet.ts`, and the name to import it by. */
  readonly workflows: readonly { readonly module: string; readonly typeName: string }[];
  /** The types of emitted events, by the names of their definitions. */
  readonly events: ReadonlyMap<string, string>;
  /** Where the configurations say that functions are and events go, and what gives the documents that they name. */
  readonly settings: Configured & Pick<Settings, "read" | "modulesFrom" | "moduleNamed">;
}

/** What came of it. */
export interface Emission {
  /** The text of `functions.ts`. */
  readonly text: string;
  /** Whether it says where emitted events go. */
  readonly hasSinks: boolean;
  /** Further files, relative to the output folder: .proto files that are read when the program runs. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The files of `runtime/functions` that are needed, such as `http.ts`, without what they import. */
  readonly runtime: readonly string[];
  /** The npm packages that are needed, and their versions. */
  readonly packages: ReadonlyMap<string, string>;
}

/** How one function is implemented. */
export interface Implementation {
  /** The expression; the names in it say what has to be imported. */
  readonly code: Expression;
  /** What stands above it: where the function is. */
  readonly doc?: string | undefined;
  /** Types to export. */
  readonly types?: readonly TypeDeclaration[] | undefined;
  readonly files?: Emission["files"] | undefined;
}
