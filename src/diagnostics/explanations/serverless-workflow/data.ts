import type { Explanations } from "../explanation.ts";
import { definition, events, example, functions, stateExample } from "./examples.ts";

const onward = "  transition: { nextState: Next }\n";
const waiting = (duration: string): string => `  type: delay\n  timeDelay: ${duration}\n${onward}`;
const injecting = (properties: string): string => `  type: inject\n  data: { order: { id: 1 } }\n${properties}`;
const calling = (parameters: string, filter: string): string =>
  `  type: operation\n  actions:\n  - functionRef: { refName: call${parameters} }\n    actionDataFilter: { ${filter} }\n${onward}`;
const choosing = (condition: string): string =>
  `  type: switch\n  dataConditions:\n  - { ${condition}, transition: { nextState: Next } }\n  default: { nextState: Next }\n`;
const each = (properties: string, body = ""): string =>
  `  type: foreach\n  inputCollection: $.orders\n${properties}  states:\n  - { name: One, type: inject, start: { kind: default }, data: { seen: true }, ${body}end: { kind: default } }\n${onward}`;
const guarded = (language: string): string =>
  injecting(`  transition: { nextState: Next, expression: { language: ${language}, body: $.order.id == 1 } }\n`);
const reading = (parameter: string): string =>
  definition(
    `- name: First\n  type: operation\n  start: { kind: default }\n  actions:\n  - functionRef: { refName: call }\n    actionDataFilter: { dataResultsPath: $.payload.greeting }\n  - functionRef: { refName: call, parameters: { one: $.greeting, two: ${parameter} } }\n  end: { kind: default }\n`,
    functions,
  );

/** What is said about the data and the expressions of a Serverless Workflow definition. */
export const data: Explanations = {
  WB4101: {
    means:
      "A text that has to be an ISO 8601 duration, such as a delay, a timeout or the interval of a retry, is not written as one.",
    why: "It cannot be known how long is meant.",
    example: stateExample(waiting("5s"), waiting("PT5S")),
  },
  WB4102: {
    means: "A duration has years or months.",
    why: "Their length depends on the calendar; a workflow that waits needs a number of seconds, so a year is taken for 365 days and a month for 30.",
    example: stateExample(waiting("P1M"), waiting("P30D")),
  },
  WB4103: {
    means:
      "A state has an input or output filter. Where its path selects nothing the data is not filtered at all, as the draft says.",
    why: "Other languages fail there, or give null; whoever reads the definition should know.",
    example: stateExample(injecting(`  stateDataFilter: { dataOutputPath: $.order }\n${onward}`), injecting(onward)),
  },
  WB4104: {
    means:
      "A filter has replaced the data by the value of a name, and a path that comes after it begins with the same name.",
    why: "After the filter `$.order` the data is the order itself: what was `$.order.id` is now `$.id`.",
    example: stateExample(
      "  type: foreach\n  stateDataFilter: { dataInputPath: $.orders }\n  inputCollection: $.orders\n  inputParameter: $.order\n  states:\n  - { name: One, type: inject, start: { kind: default }, data: { seen: true }, end: { kind: default } }\n  transition: { nextState: Next }\n",
      each("  inputParameter: $.order\n"),
    ),
  },
  WB4105: {
    means:
      "A results path has several names, and the workflow reads both what it selects in a result, which is merged under the last name, and the place that it names.",
    why: "Only one of the two is filled: if the path selects something in the result, that is merged under the path's last name; else the whole result goes to the place.",
    example: example(reading("$.payload.greeting"), reading("$.name")),
  },
  WB4106: {
    means:
      "Where a path says what of a result, an event or an error goes into the data, there is a text that is no path.",
    why: "It selects nothing and names no place; the result is merged as if there were no filter.",
    example: stateExample(
      calling("", "dataResultsPath: greeting"),
      calling("", "dataResultsPath: $.greeting"),
      functions,
    ),
  },
  WB4107: {
    means:
      "A path for a result, an event or an error is more than a chain of names, so that nothing can be placed at it.",
    why: "Where it selects nothing in what has come, nothing goes into the data.",
    example: stateExample(
      calling("", "dataResultsPath: '$.items[0]'"),
      calling("", "dataResultsPath: $.item"),
      functions,
    ),
  },
  WB4108: {
    means: "The path for the element, or for the collected results, of a foreach state is more than a chain of names.",
    why: "Something is put there, so it has to be one place.",
    example: stateExample(each("  inputParameter: '$.orders[*]'\n"), each("  inputParameter: $.order\n")),
  },
  WB4109: {
    means: "A produced event's data is a path, and the state has an output filter.",
    why: "The path is looked for in what the filter leaves. Where that does not have it, it is looked for in the data before the filter, which may surprise.",
    example: stateExample(
      injecting(
        "  stateDataFilter: { dataOutputPath: $.order }\n  end: { kind: event, produceEvent: { eventRef: Paid, data: $.order } }\n",
      ),
      injecting("  end: { kind: event, produceEvent: { eventRef: Paid, data: $.order } }\n"),
      events,
    ),
  },
  WB4110: {
    means: "A condition of a switch state has the operator `custom`.",
    why: "What it means is left to each tool; compiled for several places it could mean something else in each.",
    example: stateExample(
      choosing("path: $.a, operator: custom, value: x"),
      choosing("path: $.a, operator: equals, value: x"),
    ),
  },
  WB4111: {
    means: "A condition of a switch state compares, but has no `value`.",
    why: "Only `exists`, `notexists`, `null` and `notnull` need none.",
    example: stateExample(choosing("path: $.a, operator: equals"), choosing("path: $.a, operator: exists")),
  },
  WB4112: {
    means: "A condition asks for less or greater than a text that is neither a number nor a time.",
    why: "Texts are then compared character by character: `10` comes before `9`, and `Z` before `a`.",
    example: stateExample(
      choosing("path: $.a, operator: lessthan, value: ten"),
      choosing("path: $.a, operator: lessthan, value: '10'"),
    ),
  },
  WB4113: {
    means: "A condition compares with a value that nothing can satisfy, such as an order with `true`.",
    why: "The condition is false whatever the data is.",
    example: stateExample(
      choosing("path: $.a, operator: lessthan, value: true"),
      choosing("path: $.a, operator: equals, value: true"),
    ),
  },
  WB4114: {
    means: "An expression, or the workflow, names an expression language that Waybill does not read.",
    why: "The same text means different things in different languages. Waybill reads the part that `spel`, `jexl` and `cel` have in common.",
    example: stateExample(guarded("groovy"), guarded("spel")),
  },
  WB4115: {
    means: "The results of a foreach state are collected, and the state that ends an iteration has no output filter.",
    why: "An iteration's data holds all the data of the workflow; only what the iteration has changed goes into the collection. An output filter says exactly what does.",
    example: stateExample(
      each("  inputParameter: $.order\n  outputCollection: $.results\n"),
      each(
        "  inputParameter: $.order\n  outputCollection: $.results\n",
        "stateDataFilter: { dataOutputPath: $.seen }, ",
      ),
    ),
  },
};
