import type { Explanations } from "./explanation.ts";

const good = `id: greet
name: Greet
version: '1.0'
states:
- name: Greet
  type: inject
  start: { kind: default }
  data: { hello: world }
  end: { kind: default }
`;

const goodPair = good.replace(
  "  end: { kind: default }\n",
  "  transition: { nextState: Wait }\n- name: Wait\n  type: delay\n  timeDelay: PT5S\n  end: { kind: default }\n",
);

const file = "workflow.yaml";

/** How a definition differs from what its language's schema describes. */
export const shape: Explanations = {
  WB1001: {
    means: "An object lacks a property that the language asks for.",
    why: "Nothing can be assumed in its place. Properties that have a default may be left out.",
    example: { file, bad: good.replace("end: { kind: default }", "end: {}"), good },
  },
  WB1002: {
    means:
      "The language has no property of this name at this place, so it has no effect. Names that begin with `x-` and everything under `metadata` are left alone.",
    why: "A misspelt property would be dropped without a word. It is a warning, because tools of other vendors may know the property; `--strict` makes it fail.",
    example: {
      file,
      bad: good.replace("name: Greet\nv", "name: Greet\ndescripton: Says hello.\nv"),
      good: good.replace("name: Greet\nv", "name: Greet\ndescription: Says hello.\nv"),
    },
  },
  WB1003: {
    means: "The property that says which kind of object this is has a value that the language does not know.",
    why: "Which other properties there are depends on it, so that nothing else in the object can be checked.",
    example: { file, bad: goodPair.replace("type: delay", "type: dely"), good: goodPair },
  },
  WB1004: {
    means: "A value has another type than the language asks for, such as a string where there has to be a list.",
    why: "It cannot be read as what it is not. In YAML, check the indentation and the dashes; a number that is meant as text needs quotes.",
    example: { file, bad: good.replace("- name: Greet", "- name: [Greet]"), good },
  },
  WB1005: {
    means: "The language lists the values that may stand here, and this is none of them.",
    why: "What it stands for is not defined.",
    example: { file, bad: good.replace("end: { kind: default }", "end: { kind: normal }"), good },
  },
  WB1006: {
    means:
      "A value has the right type, and is otherwise not as it has to be: it is empty, out of range, not written in the right form, or has properties that exclude each other.",
    why: "It would have no meaning as it stands.",
    example: { file, bad: good.replace("- name: Greet", "- name: ''"), good },
  },
};
