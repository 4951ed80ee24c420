import type { Explanations } from "./explanation.ts";

const head = (id = "orders"): string => `id: ${id}\nname: Orders\nversion: '1.0'\n`;

const inject = (name: string, rest: string): string =>
  `- name: ${name}\n  type: inject\n  data: { seen: ${name} }\n${rest}`;

const start = "  start: { kind: default }\n";
const ends = "  end: { kind: default }\n";
const goesTo = (name: string): string => `  transition: { nextState: ${name} }\n`;

const delay = (name: string, rest: string): string => `- name: ${name}\n  type: delay\n  timeDelay: PT5M\n${rest}`;

const parallel = (next: string): string =>
  `${head()}states:\n- name: Both\n  type: parallel\n${start}  branches:\n  - name: left\n    states:\n    - name: Weigh\n      type: delay\n      timeDelay: PT5M\n      start: { kind: default }\n      ${next}\n  - name: right\n    states:\n    - name: Pack\n      type: delay\n      timeDelay: PT5M\n      start: { kind: default }\n      end: { kind: default }\n${goesTo("Send")}${inject("Send", ends)}`;

const choice = (value: string): string =>
  `${head()}states:\n- name: Route\n  type: switch\n${start}  dataConditions:\n  - path: $.country\n    operator: equals\n    value: NL\n    transition: { nextState: ByRoad }\n  - path: $.country\n    operator: equals\n    value: ${value}\n    transition: { nextState: ByAir }\n  default: { nextState: ByAir }\n${inject("ByRoad", ends)}${inject("ByAir", ends)}`;

const subflow = (id: string, rest: string): string =>
  `- name: Run\n  type: subflow\n  waitForCompletion: true\n  workflowId: ${id}\n${rest}`;

const retried = (states: string): string => `${head("retried")}states:\n${states}`;

const asks = `- name: Ask\n  type: switch\n${start}  dataConditions:\n  - path: $.again\n    operator: equals\n    value: 'yes'\n    transition: { nextState: Run }\n  default: { nextState: Stop }\n`;

const unasked = retried(subflow("retried", start + ends));

/** How control flows. */
export const flow: Explanations = {
  WB3001: {
    means:
      "From the start of the workflow, the branch or the iteration no sequence of transitions leads to this state.",
    why: "It would never do anything. Mostly a transition to it was forgotten or leads elsewhere.",
    example: {
      file: "workflow.yaml",
      bad: `${head()}states:\n${inject("Begin", start + ends)}${inject("Forgotten", ends)}`,
      good: `${head()}states:\n${inject("Begin", start + goesTo("Forgotten"))}${inject("Forgotten", ends)}`,
    },
  },
  WB3002: {
    means:
      "A transition leads to a state that is in another branch or iteration, or outside of the one that the transition is in.",
    why: "A branch or an iteration is done as a whole and gives one result; nothing says what would become of it when control leaves it half-way or enters it from the side.",
    example: {
      file: "workflow.yaml",
      bad: parallel("transition: { nextState: Pack }"),
      good: parallel("end: { kind: default }"),
    },
  },
  WB3003: {
    means:
      "Runs that get to these states go round for ever, except for an error: no transition leads from them to an end.",
    why: "The run would cost time and money without limit, and its caller would wait for ever.",
    example: {
      file: "workflow.yaml",
      bad: `${head()}states:\n${delay("Rest", start + goesTo("Look"))}${inject("Look", goesTo("Rest"))}`,
      good: `${head()}states:\n${delay("Rest", start + goesTo("Look"))}${inject("Look", ends)}`,
    },
  },
  WB3004: {
    means: "A loop has no way out, and nothing in it waits or calls anything.",
    why: "A run that gets there would spin as fast as the machine allows.",
    example: {
      file: "workflow.yaml",
      bad: `${head()}states:\n${inject("Tick", start + goesTo("Tock"))}${inject("Tock", goesTo("Tick"))}`,
      good: `${head()}states:\n${inject("Tick", start + goesTo("Tock"))}${inject("Tock", ends)}`,
    },
  },
  WB3005: {
    means:
      "Of several conditions the first that holds decides, and this one can never be it: one before it always holds or is the same, or it can itself never hold.",
    why: "What it leads to would never be done. Mostly one of two conditions was copied and then not changed.",
    example: { file: "workflow.yaml", bad: choice("NL"), good: choice("BE") },
  },
  WB3006: {
    means: "A workflow starts itself, by way of others perhaps.",
    why: "That is sound only if some run stops starting another, or if runs are far enough apart; Waybill cannot tell.",
    example: {
      file: "workflow.yaml",
      bad: retried(asks + subflow("retried", ends) + inject("Stop", ends)),
      good: retried(asks + inject("Run", ends) + inject("Stop", ends)),
    },
  },
  WB3007: {
    means: "Each run of these workflows starts another one and waits for it, whatever its data.",
    why: "No run could ever complete.",
    example: { file: "workflow.yaml", bad: unasked, good: retried(inject("Run", start + ends)) },
  },
};
