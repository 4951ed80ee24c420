import type { OptionDefinition } from "../../options.ts";

/** Options for what the documentation leaves open. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "initialState",
    values: ["auto", "input", "wrapped"],
    fallback: "auto",
    summary:
      "The initial state of a run: its input (`input`), its input with a copy under `input` (`wrapped`), or `wrapped` only if the input is not an object or `.input` is read (`auto`).",
  },
  {
    name: "resultMode",
    values: ["state", "last-output"],
    fallback: "state",
    summary:
      "The result of a run, a branch or an iteration: its state, unless the last step has an `output` (`state`), or the output of the last step that can have one (`last-output`).",
  },
];
