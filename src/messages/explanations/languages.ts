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
};
