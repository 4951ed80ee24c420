import { builtins } from "../../../../src/expressions/builtins/builtins.ts";
import type { TypeScriptProgram } from "../../../../targets/typescript/expressions/print.ts";

/** The functions of the runtime, other than those of builtins, that read like functions that a programmer would write. */
const vocabulary: ReadonlySet<string> = new Set(
  (
    "member absent memberIf valueAt valueIf memberOf elementOf attributeOf elementsOf itemsOf sliced present everything isTrue either raise caught objectKey " +
    "Sum Maximum Minimum countUnique groupByKey numberIf mayHaveMembers listIn withMember setAt takeAt putAt errorData matchesNode appendTo toFinite toText text slice"
  ).split(" "),
);

const builtinNames: ReadonlySet<string> = new Set(
  [...builtins.values()].flatMap((builtin) => {
    if (builtin.kind === "form") return [];
    const { javascript } = builtin;
    return typeof javascript === "string" ? [javascript] : [javascript.name];
  }),
);

/**
 * Whether a program reads as if written by hand: it calls no functions of the runtime but those of builtins and a small vocabulary, and has no numbered
 * names.
 */
export const isReadable = ({ code, helpers }: TypeScriptProgram): boolean =>
  [...helpers.keys()].every((helper) => vocabulary.has(helper) || builtinNames.has(helper)) &&
  !/\b(?:const|let|function) [a-z]+\d+\b|\([a-z]+\d+: /.test(code);
