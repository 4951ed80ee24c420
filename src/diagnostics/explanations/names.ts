import type { Explanations } from "./explanation.ts";

const head = (id = "orders"): string => `id: ${id}\nname: Orders\nversion: '1.0'\n`;

const calls = (name: string): string =>
  `${head()}functions:\n- name: shipOrder\n  resource: ship\nstates:\n- name: Ship\n  type: operation\n  start: { kind: default }\n  actions:\n  - functionRef: { refName: ${name} }\n  end: { kind: default }\n`;

const sends = (name: string): string =>
  `${head()}events:\n- name: orderShipped\n  type: shop.order.shipped\n  source: shop\nstates:\n- name: Ship\n  type: inject\n  data: { shipped: true }\n  start: { kind: default }\n  end: { kind: event, produceEvent: { eventRef: ${name} } }\n`;

const goesTo = (name: string): string =>
  `${head()}states:\n- name: Wait\n  type: delay\n  start: { kind: default }\n  timeDelay: PT5M\n  transition: { nextState: ${name} }\n- name: Ship\n  type: inject\n  data: { shipped: true }\n  end: { kind: default }\n`;

const parent = `${head()}states:\n- name: Bill\n  type: subflow\n  start: { kind: default }\n  waitForCompletion: true\n  workflowId: billing\n  end: { kind: default }\n`;

const child = (id: string): string =>
  `---\n${head(id)}states:\n- name: Send\n  type: inject\n  data: { sent: true }\n  start: { kind: default }\n  end: { kind: default }\n`;

const functions = (second: string): string =>
  `${head()}functions:\n- name: ship\n  resource: ship-by-road\n- name: ${second}\n  resource: ship-by-air\nstates:\n- name: Ship\n  type: operation\n  start: { kind: default }\n  actions:\n  - functionRef: { refName: ship }\n  end: { kind: default }\n`;

/** What names refer to. */
export const names: Explanations = {
  WB2001: {
    means: "A transition names a state that is nowhere in the workflow.",
    why: "A run that came there would have nowhere to go. Mostly the name is misspelt, or the state was renamed or removed.",
    example: { file: "workflow.yaml", bad: goesTo("Shpi"), good: goesTo("Ship") },
  },
  WB2002: {
    means: "An action calls a function by a name for which the workflow has no definition.",
    why: "Without a definition nothing says what would be called.",
    example: { file: "workflow.yaml", bad: calls("shipOder"), good: calls("shipOrder") },
  },
  WB2003: {
    means: "An event is waited for or produced by a name for which the workflow has no definition.",
    why: "The definition says by which type and source an event is known. Without it no event could be told apart or sent.",
    example: { file: "workflow.yaml", bad: sends("orderShiped"), good: sends("orderShipped") },
  },
  WB2004: {
    means: "A workflow is started by an id that no workflow has that was given to Waybill with this one.",
    why: "It may well exist where the compiled workflow will run, so this is no error; but nothing can be checked about it. Give both files together to have them compiled as one program.",
    example: { file: "workflow.yaml", bad: parent, good: parent + child("billing") },
  },
  WB2005: {
    means: "Two of the workflows that were given together have the same id.",
    why: "Subflows are found by their id and outputs are named after it, so one of the two would be lost.",
    example: {
      file: "workflow.yaml",
      bad: parent + child("billing") + child("billing"),
      good: parent + child("billing") + child("reminding"),
    },
  },
  WB2006: {
    means: "A function, an event or a state has the name of another one beside it.",
    why: "Whatever refers to the name could mean either. States of different branches may share a name.",
    example: { file: "workflow.yaml", bad: functions("ship"), good: functions("shipByAir") },
  },
};
