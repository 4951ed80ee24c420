import type { Explanations } from "../explanation.ts";
import { definition, events, example, functions, stateExample } from "./examples.ts";

const onward = "  transition: { nextState: Next }\n";
const choosing = (properties: string): string =>
  `  type: switch\n  dataConditions:\n  - { path: $.a, operator: exists, transition: { nextState: Next } }\n${properties}`;
const byDefault = "  default: { nextState: Next }\n";
const waiting = (properties: string): string =>
  `  type: switch\n  eventConditions:\n  - { eventRef: Paid, transition: { nextState: Next } }\n${properties}${byDefault}`;
const calling = (properties: string): string =>
  `  type: operation\n  actions:\n  - functionRef: { refName: call }\n${properties}${onward}`;
const awaiting = (properties: string): string =>
  `  type: callback\n  action: { functionRef: { refName: call } }\n  eventRef: Paid\n  timeout: PT1H\n${properties}${onward}`;
const starting = (start: string): string =>
  definition(`- name: First\n  type: inject\n  start: ${start}\n  data: {}\n  end: { kind: default }\n`);
const during = (interval: string): string => starting(`{ kind: scheduled, schedule: { interval: ${interval} } }`);
const joining = (n: number): string =>
  `  type: parallel\n  completionType: n_of_m\n  n: ${n}\n  branches:\n  - { name: A, states: [{ name: X, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }] }\n  - { name: B, states: [{ name: Y, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }] }\n${onward}`;
const inner = (type: string): string =>
  `  type: parallel\n  branches:\n  - name: A\n    states:\n    - name: Inner\n      start: { kind: default }\n${type}      end: { kind: default }\n${onward}`;
const retrying = (retry: string): string =>
  calling(`  retry:\n  - { expression: { body: "name eq 'Busy'" }, ${retry} }\n`);
const proceeding = "In this draft a state goes on after a timeout as if nothing had happened, so nobody may notice.";

/** What is said about the control flow of a Serverless Workflow definition. */
export const flow: Explanations = {
  WB3101: {
    means: "A state has `transition` and `end`.",
    why: "It would have to go on and to end at the same time.",
    example: stateExample(
      `  type: inject\n  data: {}\n  end: { kind: default }\n${onward}`,
      `  type: inject\n  data: {}\n${onward}`,
    ),
  },
  WB3102: {
    means: "A state has neither `transition` nor `end`.",
    why: "It is not said what comes after it.",
    example: stateExample("  type: inject\n  data: {}\n", `  type: inject\n  data: {}\n${onward}`),
  },
  WB3103: {
    means: "A switch state has a `transition` or an `end` of its own.",
    why: "Where a switch state leads is said by its conditions and its `default`; it cannot be the last state.",
    example: stateExample(choosing(`${byDefault}  end: { kind: default }\n`), choosing(byDefault)),
  },
  WB3104: {
    means: "A switch state has conditions on the data and on events, or none at all.",
    why: "It either looks at the data or waits for an event.",
    example: stateExample(`  type: switch\n${byDefault}`, choosing(byDefault)),
  },
  WB3105: {
    means: "A switch state has no `default`.",
    why: "When none of its conditions holds, the run fails with the error `NoChoiceMatched`.",
    example: stateExample(choosing(""), choosing(byDefault)),
  },
  WB3106: {
    means: "A switch state that waits for events has no `eventTimeout`.",
    why: "It then waits for ever, and its `default` is never taken.",
    example: stateExample(waiting(""), waiting("  eventTimeout: PT1H\n"), events),
  },
  WB3107: {
    means: "A state of a type that cannot be tried again has `retry`.",
    why: "Only states that call functions, or that have states in them, have anything to try again.",
    example: stateExample(
      `  type: inject\n  data: {}\n  retry: [{ expression: $.error ne null }]\n${onward}`,
      `  type: inject\n  data: {}\n${onward}`,
    ),
  },
  WB3108: {
    means: `A timeout does not stop the workflow. ${proceeding}`,
    why: "An action that timed out contributes no result; the states after it may rely on one.",
    example: stateExample(
      "  type: operation\n  actions:\n  - { functionRef: { refName: call }, timeout: PT5S }\n  transition: { nextState: Next }\n",
      "  type: operation\n  actions:\n  - { functionRef: { refName: call }, timeout: PT5S }\n  onError: [{ expression: name eq 'Timeout', transition: { nextState: Next } }]\n  transition: { nextState: Next }\n",
      functions,
    ),
  },
  WB3109: {
    means:
      "A callback state has an `onError` that can take the error `Timeout`, so the timeout of its event is an error for it.",
    why: "Without such an `onError` the state would go on in silence, as the draft says.",
    example: stateExample(
      awaiting("  onError: [{ expression: name eq 'Timeout', transition: { nextState: Next } }]\n"),
      awaiting("  onError: [{ expression: name eq 'Declined', transition: { nextState: Next } }]\n"),
      functions + events,
    ),
  },
  WB3110: {
    means:
      "A property means nothing in the place where it stands: the number of branches where all are awaited, an event where none is produced.",
    why: "Whoever wrote it expects something that will not happen.",
    example: stateExample(
      `  type: inject\n  data: {}\n  end: { kind: default, produceEvent: { eventRef: Paid } }\n`,
      `  type: inject\n  data: {}\n  end: { kind: event, produceEvent: { eventRef: Paid } }\n`,
      events,
    ),
  },
  WB3111: {
    means: "A parallel state is one of the states of a branch or of a foreach state.",
    why: "The draft's schema leaves parallel states out there; other tools may refuse the definition.",
    example: stateExample(
      inner(
        "      type: parallel\n      branches:\n      - { name: B, states: [{ name: X, type: delay, timeDelay: PT1S, start: { kind: default }, end: { kind: default } }] }\n",
      ),
      inner("      type: delay\n      timeDelay: PT1S\n"),
    ),
  },
  WB3112: {
    means: "A parallel state waits for no branch, or for more than it has.",
    why: "The number `n` has to be one that can be reached.",
    example: stateExample(joining(3), joining(2)),
  },
  WB3113: {
    means:
      "A subflow state is the last one and does not wait for its subflow. `waitForCompletion` is false where it is not given.",
    why: "The run ends at once; neither the subflow's output nor its errors have any effect on it.",
    example: example(started(false, "default"), started(true, "default")),
  },
  WB3114: {
    means: "A start of kind `scheduled` has no `schedule`.",
    why: "It is not said when the workflow may start.",
    example: example(starting("{ kind: scheduled }"), starting("{ kind: default }")),
  },
  WB3115: {
    means: "A schedule's `interval` is not an ISO 8601 time interval.",
    why: "It has to say from when until when runs may start.",
    example: example(during("Sundays"), during("2026-01-01T00:00:00Z/P7D")),
  },
  WB3116: {
    means: "A schedule's `interval` repeats (`R…`).",
    why: "In this draft a schedule is a window in which runs may start; it starts none itself.",
    example: example(during("R5/PT1H"), during("2026-01-01T00:00:00Z/PT5H")),
  },
  WB3117: {
    means: "A schedule's `interval` is a duration only. It counts from the deployment, which a compiler does not know.",
    why: "Whether a run may start would depend on when the definition was compiled.",
    example: example(during("P7D"), during("2026-01-01T00:00:00Z/P7D")),
  },
  WB3118: {
    means: "The option `deployed` is not an instant.",
    why: "A schedule that counts from the deployment needs one, with date, time and time zone.",
    example: example(during("P7D"), during("2026-01-01T00:00:00Z/P7D"), { deployed: "tomorrow" }),
  },
  WB3119: {
    means: "An end of kind `event` does not say which event it produces.",
    why: "There is nothing to produce.",
    example: stateExample(
      "  type: inject\n  data: {}\n  end: { kind: event }\n",
      "  type: inject\n  data: {}\n  end: { kind: event, produceEvent: { eventRef: Paid } }\n",
      events,
    ),
  },
  WB3120: {
    means: "A retry's interval repeats without end (`R/…`), and `maxAttempts` is not given.",
    why: "The default of `maxAttempts` is 1, so there is one retry; say how many are meant.",
    example: stateExample(retrying("interval: R/PT5S"), retrying("interval: R3/PT5S"), functions),
  },
  WB3121: {
    means: "A retry's `multiplier` is a number, as in later versions of the language.",
    why: "In this draft a multiplier is a duration that is added to the interval with each retry; a number is taken to multiply it.",
    example: stateExample(
      retrying("interval: PT5S, multiplier: 2, maxAttempts: 3"),
      retrying("interval: PT5S, multiplier: PT5S, maxAttempts: 3"),
      functions,
    ),
  },
  WB3122: {
    means: "A subflow is started without waiting for it, and it has an end of kind `terminate`.",
    why: "In a subflow that is waited for, `terminate` ends the whole run; here the run may long be over, so only the subflow ends.",
    example: example(started(false, "terminate"), started(true, "terminate")),
  },
};

/** A workflow that starts one with an end of this kind. */
function started(waits: boolean, kind: string): string {
  const parent = `- { name: Sub, type: subflow, workflowId: child, waitForCompletion: ${waits}, start: { kind: default }, end: { kind: default } }\n`;
  const states = `- { name: Only, type: inject, data: {}, start: { kind: default }, end: { kind: ${kind} } }\n`;
  return `${definition(parent)}---\n${definition(states).replace("id: demo", "id: child")}`;
}
