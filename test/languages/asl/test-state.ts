import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";

/** A call of the TestState API that was recorded on AWS. */
export interface TestState {
  readonly id: string;
  readonly request: {
    readonly definition: JsonObject;
    readonly stateName?: string;
    readonly input?: Json;
    readonly mock?: {
      readonly result?: Json;
      readonly errorOutput?: { readonly error: string; readonly cause: string };
    };
    readonly context?: JsonObject;
    readonly stateConfiguration?: {
      readonly retrierRetryCount?: number;
      readonly mapIterationFailureCount?: number;
      readonly errorCausedByState?: string;
      readonly mapItemReaderData?: string;
    };
  };
  readonly response: {
    readonly status: "SUCCEEDED" | "FAILED" | "RETRIABLE" | "CAUGHT_ERROR";
    readonly output?: Json;
    readonly error?: string;
    readonly cause?: string;
    readonly nextState?: string;
    readonly inspectionData?: JsonObject;
  };
}

/**
 * Why the runs of a machine cannot show what the API answers, if they cannot: the API takes any context object, reports
 * the error of a state in a Map as that of the Map, whatever this tolerates, and counts failures only if it does.
 */
export function unusableReason({ request }: TestState): string | undefined {
  const { context, stateConfiguration } = request;
  const failures = stateConfiguration?.mapIterationFailureCount ?? 0;
  if (failures > 0 && !Object.keys(stateIn(request)).some((key) => key.startsWith("ToleratedFailure")))
    return "the Map tolerates no failures";
  if (context !== undefined && !isObject(own((own(context, "Execution") ?? {}) as JsonObject, "Input")))
    return "the context object lacks members that every execution has";
  return stateConfiguration?.errorCausedByState === undefined ? undefined : "the error is that of an iteration";
}

/** A machine that runs the state of a request, and the results of its tasks. */
export interface StateRun {
  readonly definition: JsonObject;
  readonly input: Json;
  readonly functions: JsonObject;
}

/** How the state of a request is changed before it runs, and how often its work fails. */
export interface Variation {
  readonly change?: (state: JsonObject) => JsonObject;
  /** The failing attempts of a Task, or the failing iterations of the first attempt of a Map. */
  readonly failures?: number;
}

/** The name of the state that a request tests. */
export const nameIn = ({ stateName, context }: TestState["request"]): string =>
  stateName ?? String(own((own(context ?? {}, "State") ?? {}) as JsonObject, "Name") ?? "StateName");

/** The state that a request tests. */
export function stateIn({ definition, stateName }: TestState["request"]): JsonObject {
  return stateName === undefined ? definition : findState(definition, stateName)!;
}

function findState(value: Json, name: string): JsonObject | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const states = isObject(value) ? own(value, "States") : undefined;
  const found = isObject(states) ? own(states, name) : undefined;
  if (isObject(found)) return found;
  return Object.values(value)
    .map((each) => findState(each as Json, name))
    .find((each) => each !== undefined);
}

/** The machine of a request: its state, which ends or leads to states that end. */
export function runOf(
  { request, response }: TestState,
  { change = (state) => state, failures = 0 }: Variation,
): StateRun {
  const result = own(response.inspectionData ?? {}, "result") ?? response.output ?? null;
  const { definition, context, mock, stateConfiguration: configuration } = request;
  const name = nameIn(request);
  const { state, functions } = withMock(change(stateIn(request)), name, request, failures);
  const language = own(definition, "StartAt") === undefined ? undefined : own(definition, "QueryLanguage");
  const isJsonata = language === "JSONata";
  const targets = Object.fromEntries(targetsIn(state).map((each) => [each, { Type: "Pass", End: true }]));
  const input = request.input ?? {};
  const given = isObject(own(context ?? {}, "Execution"))
    ? own(context!["Execution"] as JsonObject, "Input")
    : undefined;
  const first = { Type: "Pass", [isJsonata ? "Output" : "Result"]: input, Next: name };
  const reader = configuration?.mapItemReaderData;
  return {
    definition: {
      ...(language === undefined ? {} : { QueryLanguage: language }),
      StartAt: given === undefined ? name : "Given",
      States: { ...(given === undefined ? {} : { Given: first }), [name]: state, ...targets },
    },
    input: given ?? input,
    functions: {
      ...functions,
      ...(reader === undefined ? {} : { [name]: { returns: JSON.parse(reader) as Json } }),
      ...(mock === undefined && state["Type"] === "Task" ? { [name]: { returns: result } } : {}),
    },
  };
}

function targetsIn(state: JsonObject): readonly string[] {
  const lists = ["Choices", "Catch"].flatMap((key) => (own(state, key) ?? []) as readonly JsonObject[]);
  return [own(state, "Default"), ...[state, ...lists].map((each) => own(each, "Next"))].filter(
    (each) => typeof each === "string",
  );
}

const work: JsonObject = { Type: "Task", Resource: "arn:aws:lambda:us-east-1:111111111111:function:work", End: true };

/** A state whose tasks, branches or iterations give what the mock says. */
function withMock(
  state: JsonObject,
  name: string,
  { mock }: TestState["request"],
  failures: number,
): { readonly state: JsonObject; readonly functions: JsonObject } {
  const { error = "", cause = "" } = mock?.errorOutput ?? {};
  const thrown: Json = Array<Json>(failures).fill({ throws: { error, cause } });
  if (mock === undefined) return { state, functions: {} };
  const results = Array.isArray(mock.result) ? (mock.result as readonly Json[]) : [];
  const returned = results.map((value): Json => ({ returns: value }));
  switch (state["Type"]) {
    case "Parallel": {
      const names = results.map((_, i) => `${name} ${i}`);
      const branches = names.map((each) => ({ StartAt: each, States: { [each]: work } }));
      return {
        state: { ...state, Branches: branches },
        functions: Object.fromEntries(names.map((each, i) => [each, returned[i]!])),
      };
    }
    case "Map": {
      const processor = own(state, "ItemProcessor") as JsonObject;
      const item = `${name} item`;
      return {
        state: { ...state, ItemProcessor: { ...processor, StartAt: item, States: { [item]: work } } },
        functions: { [item]: [...thrown, ...(failures === 0 ? [] : returned.slice(failures)), ...returned] },
      };
    }
    default: {
      const last = mock.errorOutput === undefined ? [{ returns: mock.result ?? null }] : [{ returns: null }];
      return { state, functions: { [name]: [...thrown, ...last] } };
    }
  }
}

/** Instants, tokens and names that a run makes itself. */
const madeUp = /^(?:date|abcd123|MyStateMachine|arn:.*:stateMachine:.*)$/;

/** Whether a value is the recorded one, where the recorder replaced strings by masks and wrote arrays as strings. */
export function isRecorded(got: Json, recorded: Json): boolean {
  if (typeof recorded === "string" && typeof got !== "string") return isRecorded(got, parsed(recorded) ?? "date");
  if (typeof recorded === "string") return madeUp.test(recorded) || matches(String(got), recorded);
  if (typeof recorded !== "object" || recorded === null) return got === recorded;
  if (typeof got !== "object" || got === null || Array.isArray(got) !== Array.isArray(recorded)) return false;
  const names = Object.keys(recorded);
  if (names.includes("StartTime")) return isExecution(got as JsonObject, recorded as JsonObject);
  return (
    names.length === Object.keys(got).length &&
    names.every((each) => isRecorded((got as JsonObject)[each] ?? null, (recorded as JsonObject)[each]!))
  );
}

/** The execution of the context object, whose ids and times are others. `RedriveCount` is absent before a redrive. */
function isExecution(got: JsonObject, recorded: JsonObject): boolean {
  const { RedriveCount: _, ...rest } = got;
  const hasSame = Object.keys(rest).sort().join() === Object.keys(recorded).sort().join();
  return hasSame && isRecorded(got["Input"] ?? null, recorded["Input"] ?? null);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Masks such as `<region>` stand for any string. */
function matches(text: string, recorded: string): boolean {
  const parts = recorded.split(/<[^<>]*>/);
  let at = 0;
  return parts.every((part, i) => {
    const found = i === 0 ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, at);
    at = found + part.length;
    return found >= 0 && (i < parts.length - 1 || parts.length > 1 ? true : at === text.length);
  });
}
