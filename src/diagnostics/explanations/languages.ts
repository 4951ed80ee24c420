import type { Explanations } from "./explanation.ts";

const good =
  "id: greet\nname: Greet\nversion: '1.0'\nstates:\n- name: Greet\n  type: inject\n  start: { kind: default }\n  data: { hello: world }\n  end: { kind: default }\n";

/** Why a document was taken for no language. */
export const languages: Explanations = {
  WB0101: {
    means: "The name given after `--from` is not the name of a source language.",
    why: "Reading a definition by the rules of another language would give it another meaning.",
    example: { file: "workflow.yaml", bad: good, good, from: "yaml" },
  },
  WB0102: {
    means: "Waybill looks at the top-level properties of a document to find its language, and found the marks of none.",
    why: "Guessing would compile something that was never meant. Later versions of Serverless Workflow, for instance, use the same words for other things.",
    example: { file: "workflow.yaml", bad: "hello: world\n", good },
  },
  WB0103: {
    means:
      "Of the files in a folder only workflow definitions are read. This one is none that Waybill reads, but it looks as if it were meant as one: it is in another version of a language, or has a few of the properties of one.",
    why: "A workflow that is left out in silence is missed only when it is needed.",
    example: { file: "flows/workflow.yaml", bad: `specVersion: '0.8'\n${good}`, good },
  },
};
