import type { Explanations } from "./explanation.ts";

const file = "workflow.yaml";
const target = "asl";
const head = (id = "orders"): string => `id: ${id}\nname: Orders\nversion: '1.0'\n`;
const start = "  start: { kind: default }\n";
const ends = "  end: { kind: default }\n";

const charge = "functions:\n- name: charge\n  resource: charge\n";
const charging = (rest: string): string =>
  `${head()}${charge}states:\n- name: Charge\n  type: operation\n${start}  actions:\n  - functionRef: { refName: charge }\n${rest}${ends}`;

const waiting = (time: string): string =>
  `${head()}states:\n- name: Rest\n  type: delay\n${start}  timeDelay: ${time}\n${ends}`;

const paid = "events:\n- name: Paid\n  type: shop.paid\n  source: /shop\n";
const onPaid = `- name: OnPaid\n  type: event\n${start}  eventsActions:\n  - eventRefs: [Paid]\n    actions:\n    - functionRef: { refName: charge }\n${ends}`;

const both = (completion: string, weighs: string): string =>
  `${head()}states:\n- name: Both\n  type: parallel\n${start}${completion}  branches:\n${branch("left", weighs)}${branch("right", "end: { kind: default }")}${ends}`;

const branch = (name: string, rest: string): string =>
  `  - name: ${name}\n    states:\n    - name: Weigh${name}\n      type: delay\n      timeDelay: PT5M\n      start: { kind: default }\n      ${rest}\n`;

const each = (pace: string): string =>
  `${head()}${charge}states:\n- name: Each\n  type: foreach\n${start}  inputCollection: $.orders\n  inputParameter: $.order\n${pace}  states:\n  - name: Charge\n    type: operation\n    start: { kind: default }\n    actions:\n    - functionRef: { refName: charge }\n    end: { kind: default }\n${ends}`;

const scheduled = (schedule: string): string =>
  `${head()}states:\n- name: Rest\n  type: delay\n  start: ${schedule}\n  timeDelay: PT5M\n${ends}`;

const retried = (interval: string): string =>
  charging(
    `  retry:\n  - expression: { language: spel, body: name eq 'Busy' }\n    interval: ${interval}\n    maxAttempts: 2\n`,
  );

const matched = (pattern: string): string =>
  charging("").replace(
    "{ refName: charge }\n",
    `\n      refName: charge\n      parameters: { orders: '$.orders[?search(@.note, ${pattern})]' }\n`,
  );

const repeated = (next: string): string =>
  each("  onError:\n  - expression: { body: name eq 'Empty' }\n    transition: { nextState: Done }\n")
    .replace("    end: { kind: default }\n", `    ${next}\n`)
    .replace(
      new RegExp(`${ends}$`),
      `  transition: { nextState: Done }\n- name: Done\n  type: inject\n  data: { done: true }\n${ends}`,
    );

const pages = (count: number): string =>
  `${head()}states:\n- name: Fill\n  type: inject\n${start}  data:\n    page: &page "${"Terms and conditions. ".repeat(700)}"\n    pages: [${Array.from({ length: count }, () => "*page").join(", ")}]\n${ends}`;

/** What the asl target cannot express. */
export const asl: Explanations = {
  WB5101: {
    means:
      "The workflow is started by events or waits for events, in an event state, a switch on events or a callback.",
    why: "A Step Functions execution has no mailbox: what receives an event, finds the run that waits for it and keeps those that come early has to stand beside the state machine. Waybill does not generate that yet.",
    example: {
      file,
      target,
      bad: `${head()}${paid}${charge}states:\n${onPaid}`,
      good: charging(""),
    },
  },
  WB5102: {
    means: "A parallel state is done as soon as one or some of its branches are.",
    why: "A Parallel state of Step Functions waits for all of its branches and cannot stop the others.",
    example: {
      file,
      target,
      bad: both("  completionType: xor\n", "end: { kind: default }"),
      good: both("  completionType: and\n", "end: { kind: default }"),
    },
  },
  WB5103: {
    means: "The workflow, or a branch, may start only at certain times.",
    why: "A state machine does not know schedules of its own. To start one at certain times, have Amazon EventBridge Scheduler do it.",
    example: {
      file,
      target,
      bad: scheduled("{ kind: scheduled, schedule: { interval: 2026-01-01T09:00:00Z/2026-01-01T17:00:00Z } }"),
      good: scheduled("{ kind: default }"),
    },
  },
  WB5104: {
    means: "An end of the whole run stands inside a branch, an iteration or a subflow.",
    why: "In a state machine a branch can end well only by itself, and the branches beside it go on; only failing stops them, and that would be another outcome.",
    example: { file, target, bad: both("", "end: { kind: terminate }"), good: both("", "end: { kind: default }") },
  },
  WB5105: {
    means: "A delay or a time-out is no whole number of seconds.",
    why: "Step Functions waits whole seconds only; rounding would be another time than the definition says.",
    example: { file, target, bad: waiting("PT0.5S"), good: waiting("PT1S") },
  },
  WB5106: {
    means: "A delay or a time-out is shorter or longer than Step Functions takes.",
    why: "AWS would reject the state machine, or the execution would fail.",
    example: { file, target, bad: waiting("P1200D"), good: waiting("P100D") },
  },
  WB5107: {
    means:
      "The iterations of a foreach state start at a distance from each other, and only some of them may run at once.",
    why: "Each alone is possible: a Map state limits how many run, and an iteration can wait by its index. Together they are not, as no iteration learns when it got its turn.",
    example: { file, target, bad: each("  max: 2\n  timeDelay: PT10S\n"), good: each("  max: 2\n") },
  },
  WB5108: {
    means:
      "A value, a condition or a step of the definition has no form in the state machine that does exactly the same.",
    why: "Something that is nearly the same would go wrong later, in a run, where nobody sees why.",
    example: {
      file,
      target,
      bad: repeated("transition: { nextState: Charge }"),
      good: repeated("end: { kind: default }"),
    },
  },
  WB5109: {
    means: "The text of the state machine is larger than Step Functions takes: 1 MiB.",
    why: "AWS would reject it.",
    example: { file, target, bad: pages(80), good: pages(3) },
  },
  WB5110: {
    means: "The times between the attempts of a retry cannot be had: parts of seconds, or a factor that gives such.",
    why: "Step Functions waits whole seconds only, and rounds what a factor gives.",
    example: { file, target, bad: retried("PT0.5S"), good: retried("PT1S") },
  },
  WB5111: {
    means:
      "A value or a condition has no exact form in JSONata, the expression language of state machines. A Lambda function that Waybill writes beside the state machine computes it: deploy it, and fill in its ARN where the machine says `ExpressionsFunctionArn`.",
    why: "The run does the same as everywhere, but each time it gets there it makes one more state transition and waits for the function, which both cost a little.",
    example: { file, target, bad: matched("$.wanted"), good: matched('"gift"') },
  },
};
