import type { Explanations } from "./explanation.ts";

/** Beside it there is a definition, `workflow.yaml`, that calls the function `greet`. */
const file = "scenarios.yaml";

const computing = (program: string): string => `workflow: ./workflow.yaml
scenarios:
- name: somebody is greeted
  input: { name: Ann }
  functions:
    greet: { computes: ${JSON.stringify(program)} }
  expect:
    status: succeeded
`;

/** What is wrong with jq programs. */
export const jq: Explanations = {
  WB4010: {
    means:
      "A text that has to be a program in the language of jq 1.8 breaks its grammar. The message says what was expected at the place.",
    why: "A program that is read otherwise than it was meant gives other values.",
    example: { file, bad: computing("{ greeting: .name"), good: computing("{ greeting: .name }") },
  },
  WB4011: {
    means:
      "A jq program calls a function, reads a variable or breaks to a label that neither jq nor the program itself has, at least not with as many arguments.",
    why: "jq itself refuses such programs before they run; so does Waybill.",
    example: { file, bad: computing(".name | ascii_upper"), good: computing(".name | ascii_upcase") },
  },
  WB4012: {
    means:
      "Numbers are kept as other languages keep them: with 53 bits. A whole number in a jq program or a condition has more digits than fit, or is too large, so that it becomes another number.",
    why: "Some engines keep all digits of a number that nothing is calculated with, and the places where workflows run do not. An id with many digits is better written as text.",
    example: {
      file,
      bad: computing("{ greeting: 12345678901234567890 }"),
      good: computing('{ greeting: "12345678901234567890" }'),
    },
  },
};
