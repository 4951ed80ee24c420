import type { Explanations } from "../explanation.ts";
import { definition, events, example, functions, stateExample } from "./examples.ts";

const only = "- { name: Only, type: inject, start: { kind: default }, data: {}, end: { kind: default } }\n";
const second = "- { name: Second, type: inject, data: {}, end: { kind: default } }\n";
const awaiting = (event: string): string =>
  definition(
    "- name: Wait\n  type: switch\n  start: { kind: default }\n  eventConditions:\n  - { eventRef: Paid, transition: { nextState: Done } }\n  eventTimeout: PT1H\n  default: { nextState: Done }\n- { name: Done, type: inject, data: {}, end: { kind: default } }\n",
    `events:\n- ${event}\n`,
  );

/** What is said about the spelling, the names and the references of a Serverless Workflow definition. */
export const names: Explanations = {
  WB2101: {
    means: "A word of the language, such as a type of state or a kind of end, is written in upper or mixed case.",
    why: "The draft writes its words in lower case, but its own examples do not keep to that, so any case is read.",
    example: stateExample(
      "  type: DELAY\n  timeDelay: PT1S\n  transition: { nextState: Next }\n",
      "  type: delay\n  timeDelay: PT1S\n  transition: { nextState: Next }\n",
    ),
  },
  WB2102: {
    means: "A property has a name that other parts of the draft, or older versions, use for it.",
    why: "The definition is read as it is meant, but other tools may ignore such a property without a word.",
    example: stateExample(
      "  type: inject\n  data: {}\n  stateDataFilter: { outputPath: $.order }\n  transition: { nextState: Next }\n",
      "  type: inject\n  data: {}\n  stateDataFilter: { dataOutputPath: $.order }\n  transition: { nextState: Next }\n",
    ),
  },
  WB2103: {
    means:
      "The workflow has no `id`, `name` or `version`. The id is then the file's name, the name is the id, the version is 1.0.",
    why: "Subflows are found by their id, and generated files are named after it; it should not change when a file is renamed.",
    example: example(`name: Demo\nversion: '1.0'\nstates:\n${only}`, definition(only)),
  },
  WB2104: {
    means: "The workflow says with `startsAt` where it begins, as an older draft did.",
    why: "This draft marks the start state itself; the old way is understood.",
    example: example(
      definition("- { name: Only, type: inject, data: {}, end: { kind: default } }\n", "startsAt: Only\n"),
      definition(only),
    ),
  },
  WB2105: {
    means: "`startsAt` names a state that the workflow does not have.",
    why: "Without a start state there is nothing to run.",
    example: example(definition(second, "startsAt: Sekond\n"), definition(second, "startsAt: Second\n")),
  },
  WB2106: {
    means:
      "None of several states has `start`, so it is not said where the workflow, the branch or the iteration begins.",
    why: "Taking the first one would make the order of the states mean something, which it does not in this language.",
    example: example(
      definition(`- { name: One, type: inject, data: {}, transition: { nextState: Second } }\n${second}`),
      definition(
        `- { name: One, type: inject, start: { kind: default }, data: {}, transition: { nextState: Second } }\n${second}`,
      ),
    ),
  },
  WB2107: {
    means: "Two states have `start`.",
    why: "A workflow, a branch and the states of a foreach state each begin with exactly one state.",
    example: example(
      definition(
        `${only}- { name: Second, type: inject, start: { kind: default }, data: {}, end: { kind: default } }\n`,
      ),
      definition(only),
    ),
  },
  WB2108: {
    means: "There is only one state, and it has no `start`.",
    why: "It can only be this one; but the language asks for `start`, and other tools insist.",
    example: example(definition(second), definition(only)),
  },
  WB2109: {
    means: "A transition says `nextState: x`, and `x` is the name of one state and the id of another.",
    why: "The draft allows both ways to name a state, so it cannot be known which of the two is meant.",
    example: example(
      definition(
        "- { name: One, type: inject, start: { kind: default }, data: {}, transition: { nextState: end } }\n- { name: end, type: inject, data: {}, end: { kind: default } }\n- { name: Other, id: end, type: inject, data: {}, transition: { nextState: One } }\n",
      ),
      definition(
        "- { name: One, type: inject, start: { kind: default }, data: {}, transition: { nextState: end } }\n- { name: end, type: inject, data: {}, end: { kind: default } }\n- { name: Other, id: other, type: inject, data: {}, transition: { nextState: One } }\n",
      ),
    ),
  },
  WB2110: {
    means: "Two states of the same list have the same `id`.",
    why: "Transitions may name states by their ids, so these must tell them apart.",
    example: example(
      definition(
        "- { name: One, id: a, type: inject, start: { kind: default }, data: {}, transition: { nextState: Two } }\n- { name: Two, id: a, type: inject, data: {}, end: { kind: default } }\n",
      ),
      definition(
        "- { name: One, id: a, type: inject, start: { kind: default }, data: {}, transition: { nextState: Two } }\n- { name: Two, id: b, type: inject, data: {}, end: { kind: default } }\n",
      ),
    ),
  },
  WB2111: {
    means: "Two branches of a parallel state have the same name.",
    why: "What a branch gives can go into the data under the branch's name, so the names must differ.",
    example: example(
      definition(
        "- name: Both\n  type: parallel\n  start: { kind: default }\n  branches:\n  - { name: A, states: [{ name: X, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }] }\n  - { name: A, states: [{ name: X, type: delay, timeDelay: PT2S, start: { kind: default }, end: { kind: default } }] }\n  end: { kind: default }\n",
      ),
      definition(
        "- name: Both\n  type: parallel\n  start: { kind: default }\n  branches:\n  - { name: A, states: [{ name: X, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }] }\n  - { name: B, states: [{ name: X, type: delay, timeDelay: PT2S, start: { kind: default }, end: { kind: default } }] }\n  end: { kind: default }\n",
      ),
    ),
  },
  WB2112: {
    means:
      "A state waits for an event whose definition has no `source`. Events of the right type are then taken wherever they come from.",
    why: "The draft asks for a source; leaving it out makes the workflow listen to more than was perhaps meant.",
    example: example(
      awaiting("{ name: Paid, type: shop.paid, correlationToken: order }"),
      awaiting("{ name: Paid, type: shop.paid, source: /shop, correlationToken: order }"),
    ),
  },
  WB2113: {
    means: "A function definition does not say with `resource` where the function lives.",
    why: "The definition compiles all the same; a placeholder with the function's name has to be filled in when the output is deployed.",
    example: example(
      definition(
        "- { name: Only, type: operation, start: { kind: default }, actions: [], end: { kind: default } }\n",
        "functions:\n- { name: call }\n",
      ),
      definition(
        "- { name: Only, type: operation, start: { kind: default }, actions: [], end: { kind: default } }\n",
        functions,
      ),
    ),
  },
  WB2114: {
    means:
      "The correlation token has upper-case letters or other characters that names of CloudEvents attributes cannot have.",
    why: "Brokers and libraries write attribute names in lower case, so the names are compared without regard to case.",
    example: example(
      awaiting("{ name: Paid, type: shop.paid, source: /shop, correlationToken: orderId }"),
      awaiting("{ name: Paid, type: shop.paid, source: /shop, correlationToken: orderid }"),
    ),
  },
  WB2115: {
    means: "A state that is not the start waits for an event whose definition has no `correlationToken`.",
    why: "When several runs wait for such an event nothing says whose it is; the one that has waited longest gets it.",
    example: example(
      awaiting("{ name: Paid, type: shop.paid, source: /shop }"),
      awaiting(events.slice(events.indexOf("{")).trimEnd()),
    ),
  },
  WB2116: {
    means: "A subflow names a function or an event that it does not define, and the workflow that starts it does.",
    why: "In the draft each workflow has its own definitions. The parent's are taken, but alone, or under another parent, the subflow would not compile.",
    example: example(
      `${definition("- { name: Sub, type: subflow, workflowId: child, waitForCompletion: true, start: { kind: default }, end: { kind: default } }\n", functions)}---\n${child("")}`,
      `${definition("- { name: Sub, type: subflow, workflowId: child, waitForCompletion: true, start: { kind: default }, end: { kind: default } }\n")}---\n${child(functions)}`,
    ),
  },
};

/** A subflow that calls a function. */
function child(more: string): string {
  const states =
    "- { name: Only, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: call } }], end: { kind: default } }\n";
  return definition(states, more).replace("id: demo", "id: child");
}
