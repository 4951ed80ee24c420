/** A definition with one mistake, and the diagnostics that name it. */
export interface Mistake {
  readonly what: string;
  readonly text: string;
  readonly path?: string | undefined;
  /** `line code`, in the order of positions. */
  readonly found: readonly string[];
  /** What the hint or the message says to write. */
  readonly remedy: RegExp;
}

const head = `id: parcel
name: Parcel
version: '1.0'
functions:
- { name: weigh, resource: 'arn:aws:lambda:eu-west-1:123456789012:function:weigh' }
`;

const swf = (states: string, before = head): string => `${before}states:\n${states}`;

const weigh = `- name: Weigh
  type: operation
  start: { kind: default }
  actions:
  - functionRef: { refName: weigh }
`;

const choose = (condition: string, fallback = "  default: { nextState: Send }\n"): string =>
  swf(`${weigh}  transition: { nextState: Choose }
- name: Choose
  type: switch
  dataConditions:
${condition}${fallback}- name: Send
  type: inject
  data: { sent: true }
  end: { kind: default }
`);

const fw = (states: string): string => `states:\n${states}`;

const yawl = (steps: string): string => `yawl: '0.1'\nstart: weigh\nsteps:\n${steps}`;

const sm4c = (states: string): string => `name: Parcel\nversion: '1'\nstates:\n${states}`;

const fsm = (states: object): string => JSON.stringify({ Entry: "a", Exit: "c", States: states }, null, 1);

/** Own definitions with the mistakes that users make. */
export const mistakes: readonly Mistake[] = [
  {
    what: "a transition in an action",
    text: swf(
      `${weigh}    transition: { nextState: Send }\n- { name: Send, type: inject, data: {}, end: { kind: default } }\n`,
    ),
    found: ["12 WB1008"],
    remedy: /Indent it less, to align it with `name` of the operation state `Weigh`/,
  },
  {
    what: "an end outside of its state",
    text: swf(`${weigh}end: { kind: default }\n`),
    found: ["12 WB1008"],
    remedy: /Indent it further, to make it part of the operation state `Weigh`/,
  },
  {
    what: "a default among the conditions",
    text: choose(
      "  - { path: $.kilos, operator: greaterthan, value: 5, transition: { nextState: Send } }\n  - default: { nextState: Send }\n",
      "",
    ),
    found: ["17 WB1008"],
    remedy: /Indent it less|belongs to the switch state `Choose`/,
  },
  {
    what: "a value with a unit",
    text: choose("  - { path: $.weight, operator: greaterthan, value: 5 kg, transition: { nextState: Send } }\n"),
    found: ["16 WB4112"],
    remedy: /Write `5` if the data has numbers/,
  },
  {
    what: "no operator",
    text: choose("  - { path: $.weight, value: 5, transition: { nextState: Send } }\n"),
    found: ["16 WB1001"],
    remedy: /Add `operator`: .* one of `exists`/,
  },
  {
    what: "an expression in a condition",
    text: choose("  - { condition: $.weight > 5, transition: { nextState: Send } }\n"),
    found: ["16 WB1007"],
    remedy: /Write `path`, `operator` and `value`/,
  },
  {
    what: "a dot at the end of a path",
    text: choose("  - { path: $.weight., operator: exists, transition: { nextState: Send } }\n"),
    found: ["16 WB4001"],
    remedy: /Remove the `\.` at the end/,
  },
  {
    what: "a path without `$`",
    text: choose("  - { path: .weight, operator: exists, transition: { nextState: Send } }\n"),
    found: ["16 WB4001"],
    remedy: /Write `\$\.weight`/,
  },
  {
    what: "a transition inside of a transition",
    text: choose(
      "  - { path: $.weight, operator: exists, transition: { nextState: Send } }\n",
      "  default: { transition: { nextState: Send } }\n",
    ),
    found: ["17 WB1007"],
    remedy: /write `nextState` in it/,
  },
  {
    what: "handlers under another name",
    text: swf(
      `${weigh}  onErrors:\n  - { expression: { body: name eq 'Late' }, transition: { nextState: Send } }\n  end: { kind: default }\n- { name: Send, type: inject, data: {}, end: { kind: default } }\n`,
    ),
    found: ["12 WB1007"],
    remedy: /Did you mean `onError`\?/,
  },
  {
    what: "a string without quotes",
    text: swf(
      `${weigh}  onError:\n  - { expression: { body: name eq Late }, transition: { nextState: Send } }\n  end: { kind: default }\n- { name: Send, type: inject, data: {}, end: { kind: default } }\n`,
    ),
    found: ["13 WB4013"],
    remedy: /Write `'Late'` for a string/,
  },
  {
    what: "arguments outside of a short reference",
    text: swf(`- name: Weigh
  type: operation
  start: { kind: default }
  actions:
  - functionRef: weigh
    parameters: { id: $.id }
  end: { kind: default }
`),
    found: ["11 WB1004"],
    remedy: /Write `functionRef: \{ refName: weigh, parameters: \{ id: "\$\.id" \} \}`/,
  },
  {
    what: "functions as words",
    text: swf(`${weigh}  end: { kind: default }\n`, "id: parcel\nname: Parcel\nversion: '1.0'\nfunctions:\n- weigh\n"),
    found: ["5 WB1004"],
    remedy: /Write `\{ name: weigh \}`/,
  },
  {
    what: "a sleep",
    text: swf(`- { name: Rest, type: sleep, start: { kind: default }, timeDelay: PT1S, end: { kind: default } }\n`),
    found: ["7 WB1003"],
    remedy: /Did you mean `delay`\?/,
  },
  {
    what: "0.6",
    text: "id: parcel\nstart: Rest\nstates:\n- { name: Rest, type: delay, timeDelay: PT1S, end: true }\n",
    found: ["4 WB0102"],
    remedy: /Write it in 0\.8: `sleep` and `duration` for `delay` and `timeDelay`/,
  },
  {
    what: "0.8 without its version",
    text: "id: parcel\nstart: Weigh\nstates:\n- { name: Weigh, type: inject, data: {}, end: true }\n",
    found: ["1 WB2701"],
    remedy: /Write `specVersion: '0\.8'`/,
  },
  {
    what: "camel case",
    text: fw(
      "  Weigh: { type: OPERATION, start: true, actions: [{ function: weigh }], nextState: Done }\n  Done: { type: END }\n",
    ),
    found: ["2 WB1007"],
    remedy: /Did you mean `next-state`\?/,
  },
  ...[
    ["GreaterThan", /Did you mean `GT`\?/],
    ["NumGT", /Did you mean `GT`\?/],
    ["NEQ", /`Not: \{ path: …, operator: EQ, value: … \}`/],
  ].map(
    ([operator, remedy]): Mistake => ({
      what: `the operator ${operator as string}`,
      text: fw(
        `  Choose:\n    type: SWITCH\n    start: true\n    choices: [{ path: $.kilos, operator: ${operator as string}, value: 5, next-state: Done }]\n    default: Done\n  Done: { type: END }\n`,
      ),
      found: ["5 WB1005"],
      remedy: remedy as RegExp,
    }),
  ),
  {
    what: "yes for true",
    text: fw(
      "  Weigh: { type: OPERATION, start: yes, actions: [{ function: weigh }], next-state: Done }\n  Done: { type: END }\n",
    ),
    found: ["2 WB1004"],
    remedy: /Write `true`/,
  },
  {
    what: "a successor beside its call",
    text: yawl("  weigh:\n    functionCall: { functionId: d4e1 }\n    next: done\n  done: { noOp: {} }\n"),
    found: ["6 WB1008"],
    remedy: /make it part of `functionCall`|Move it to `functionCall`/,
  },
  {
    what: "two kinds in a step",
    text: yawl("  weigh:\n    wait: { duration: 5s }\n    noOp: {}\n"),
    found: ["6 WB1006"],
    remedy: /Remove one of the two/,
  },
  {
    what: "an ISO duration",
    text: yawl("  weigh:\n    wait: { duration: P1D }\n"),
    found: ["5 WB4207"],
    remedy: /Write `86400s`/,
  },
  {
    what: "another method",
    text: yawl("  weigh:\n    httpCall: { url: 'https://parcel.example', method: FETCH }\n"),
    found: ["5 WB1005"],
    remedy: /must be `OPTIONS`, `GET`/,
  },
  {
    what: "an action under another name",
    text: sm4c("- name: A\n  start: true\n  entryAction: { type: delay, timeout: '00:00:01' }\n"),
    found: ["6 WB1007"],
    remedy: /Did you mean `enterAction`\?/,
  },
  {
    what: "an action of another language",
    text: sm4c("- name: A\n  start: true\n  enterAction: { type: wait, timeout: '00:00:01' }\n"),
    found: ["6 WB1003"],
    remedy: /Did you mean `delay`\?/,
  },
  {
    what: "members in lower case",
    path: "parcel.json",
    text: fsm({
      a: { Type: "Task", action: "weigh", next: "b" },
      b: { Type: "Task", Action: "send", Next: "c" },
      c: { Type: "Pass" },
    }),
    found: ["7 WB1007", "8 WB1007"],
    remedy: /Did you mean `(?:Action|Next)`\?/,
  },
  {
    what: "a state of the draft without a type",
    text: swf(`${weigh}  transition: { nextState: Send }\n- { name: Send, data: {}, end: { kind: default } }\n`),
    found: ["13 WB1001"],
    remedy: /Add `type`/,
  },
  {
    what: "a state of 0.8 without a type",
    text: "id: parcel\nspecVersion: '0.8'\nstart: Rest\nstates:\n- { name: Rest, type: sleep, duration: PT1S, transition: Send }\n- { name: Send, data: {}, end: true }\n",
    found: ["6 WB1001"],
    remedy: /Add `type`/,
  },
  {
    what: "a state of Function Workflow without a type",
    text: fw(
      "  Rest: { type: DELAY, start: true, time-delay: 1, next-state: Weigh }\n  Weigh: { actions: [{ function: weigh }], next-state: Done }\n  Done: { type: END }\n",
    ),
    found: ["3 WB1001"],
    remedy: /Add `type`/,
  },
  {
    what: "a state of a composition without a type",
    path: "parcel.json",
    text: fsm({
      a: { Type: "Pass", Next: "b" },
      b: { Action: "weigh", Next: "c" },
      c: { Type: "Pass" },
    }),
    found: ["9 WB1001"],
    remedy: /Add `Type`/,
  },
  {
    what: "a step without a kind",
    text: yawl("  weigh:\n    wait: { duration: 5s, next: send }\n  send: {}\n"),
    found: ["6 WB1001"],
    remedy: /This step must have `switch`/,
  },
  {
    what: "a function and an event of the draft that cannot be read",
    text: swf(
      "- { name: Weigh, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: weigh } }], transition: { nextState: Wait } }\n- { name: Wait, type: event, eventsActions: [{ eventRefs: [Sent], actions: [] }], end: { kind: default } }\n",
      "id: parcel\nname: Parcel\nversion: '1.0'\nfunctions: [{ name: weigh, resource: [scales] }]\nevents: [{ name: Sent, type: [sent], source: depot, correlationToken: parcel }]\n",
    ),
    found: ["4 WB1004", "5 WB1004"],
    remedy: /must be a string, not an array/,
  },
  {
    what: "a function of 0.8 that cannot be read",
    text: "id: parcel\nspecVersion: '0.8'\nstart: Weigh\nfunctions: [{ name: weigh, operation: [scales] }]\nstates:\n- { name: Weigh, type: operation, actions: [{ functionRef: weigh }], end: true }\n",
    found: ["4 WB1004"],
    remedy: /must be a string, not an array/,
  },
  {
    what: "a function and a retry policy of SM4C that cannot be read",
    text: `${sm4c("- name: A\n  start: true\n  enterAction: { type: invokeFunction, functionName: weigh, errorHandlers: [{ retryPolicy: again }] }\n")}functions: [{ name: weigh, operation: [scales] }]\nretries: [{ name: again, maxAttempts: [3] }]\n`,
    found: ["7 WB1004", "8 WB1004"],
    remedy: /must be an? (?:string|integer), not an array/,
  },
  {
    what: "a retry policy without errors",
    text: yawl("  weigh:\n    functionCall: { functionId: d4e1, retryPolicy: { retryCount: 3, errorList: [] } }\n"),
    found: ["5 WB3205"],
    remedy: /Add the codes of errors to `errorList`/,
  },
  {
    what: "no alternative",
    path: "parcel.json",
    text: fsm({ a: { Type: "Push", Next: "b" }, b: { Type: "Choice", Then: "c" }, c: { Type: "Pass" } }),
    found: ["9 WB1001"],
    remedy: /Add `Else`: the next state otherwise/,
  },
  {
    what: "a choice without a value",
    path: "parcel.json",
    text: fsm({ a: { Type: "Choice", Then: "c", Else: "c" }, c: { Type: "Pass" } }),
    found: ["5 WB3142"],
    remedy: /Add a Push state before `a`/,
  },
];
