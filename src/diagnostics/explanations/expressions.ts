import type { Explanations } from "./explanation.ts";

const head = "id: check\nname: Check\nversion: '1.0'\nfunctions:\n- { name: ask, resource: ask }\nstates:\n";
const ending = "- name: Done\n  type: inject\n  data: {}\n  end: { kind: default }\n";

const switching = (condition: string): string =>
  `${head}- name: Check\n  type: switch\n  start: { kind: default }\n  dataConditions:\n  - ${condition}\n    transition: { nextState: Done }\n  default: { nextState: Done }\n${ending}`;

const transition = (body: string): string =>
  `${head}- name: Check\n  type: inject\n  start: { kind: default }\n  data: { ok: true }\n  transition:\n    nextState: Done\n    expression: { language: spel, body: ${JSON.stringify(body)} }\n${ending}`;

const calling = (greeting: string): string =>
  `${head}- name: Ask\n  type: operation\n  start: { kind: default }\n  actions:\n  - functionRef: { refName: ask, parameters: { greeting: ${JSON.stringify(greeting)} } }\n  end: { kind: default }\n`;

const file = "workflow.yaml";

/** What is wrong with expressions. */
export const expressions: Explanations = {
  WB4001: {
    means:
      "A text that has to be a JSONPath breaks JSONPath's grammar. A path begins with `$`; names follow after dots or quoted in brackets.",
    why: "A path that is read otherwise than it was meant selects something else, or nothing.",
    example: {
      file,
      bad: switching("path: $.order[id\n    operator: exists"),
      good: switching("path: $.order.id\n    operator: exists"),
    },
  },
  WB4002: {
    means:
      "A condition breaks the grammar that Waybill reads: paths, names, texts, numbers, comparisons, `and`, `or`, `not` and parentheses.",
    why: "Guessing at a condition would send runs the wrong way.",
    example: { file, bad: transition("$.ok == true and"), good: transition("$.ok == true") },
  },
  WB4003: {
    means:
      "An expression uses something that its language may have and Waybill does not read, such as a method call, arithmetic or a function in a path.",
    why: "Every target has to give the same answer, so Waybill reads a small language that it can express everywhere.",
    example: { file, bad: transition("$.ok matches 'y.*'"), good: transition("$.ok eq 'yes'") },
  },
  WB4004: {
    means:
      "An expression is longer than a million characters or has more than a hundred parentheses or filters inside each other.",
    why: "Such a text is an accident or an attack; reading it would take unbounded time or memory.",
    example: { file, bad: transition(`${"(".repeat(101)}$.ok${")".repeat(101)}`), good: transition("($.ok)") },
  },
  WB4005: {
    means:
      "A text contains something that looks like a path but does not begin with it. Only a text that is a path as a whole is replaced by what it selects.",
    why: "Some engines replace such paths, and the definition does not say which it was written for.",
    example: { file, bad: calling("Hello $.name"), good: calling("$.greeting") },
  },
  WB4006: {
    means:
      "The pattern of a `matches` condition is not a regular expression, or uses look-around, back-references, named groups, flags or escapes that only some dialects have.",
    why: "The targets have different engines for regular expressions; what they read alike is what Waybill accepts.",
    example: {
      file,
      bad: switching("path: $.name\n    operator: matches\n    value: (?=A)"),
      good: switching("path: $.name\n    operator: matches\n    value: ^A"),
    },
  },
};
