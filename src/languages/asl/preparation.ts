import { binary, call, type Expression, literal, variable } from "../../expressions/index.ts";
import type { State } from "../../generated/asl-definition.ts";
import type { BuiltIn } from "../../ir/protocols.ts";
import { assign, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { type Context, freshVariable, type Preparation, type Writer } from "./context.ts";
import { usesJsonata } from "./dialects.ts";
import { queriedValues } from "./queried-values.ts";

/** A state that is written, before it is known what it reads. */
type Unprepared = Omit<Writer, "preparation">;

/** Prepares a state by what its text contains: returns the steps when it is entered, and what expressions may read. */
export function prepareState(writer: Unprepared): { readonly once: StepFragment; readonly preparation: Preparation } {
  const { state, construct } = writer;
  const text = JSON.stringify({ ...state, Branches: 0, ItemProcessor: 0, Iterator: 0 });
  const isRetried = hasRetries(state);
  const isJsonata = usesJsonata(writer.context, state);
  const readsAll = (isJsonata ? otherStates : otherContext).test(text);
  const readsCount = /(?:\$\$|\$states\.context)\.State\.RetryCount\b/.test(text);
  const counts = isRetried && (readsAll || readsCount);
  const fresh = (wanted: string): string => freshVariable(writer, wanted);
  const drawn = {
    id: [...text.matchAll(/States\.UUID\s*\(/g)].map(() => fresh("uuid")),
    random: [...text.matchAll(/States\.MathRandom\s*\(/g)].map(() => fresh("random")),
  };
  const queried = isJsonata ? queriedValues(state, fresh) : undefined;
  const entered = readsAll ? fresh("entered") : undefined;
  const retries = counts ? fresh("retries") : undefined;
  const { span } = construct;
  const once: StepFragment[] = [];
  if (entered !== undefined) {
    once.push(recorded(writer, "clock", entered));
    once.push(assign(writer, "entered", span, { variable: entered, value: call("instant", variable(entered)) }));
  }
  if (retries !== undefined) once.push(assign(writer, "retries", span, { variable: retries, value: literal(-1) }));
  const list = [
    ...drawn.id.map((name) => ["id", name] as const),
    ...drawn.random.map((name) => ["random", name] as const),
    ...(queried?.calls ?? []),
  ];
  const each = (inner: Unprepared): StepFragment => {
    const count: Expression = binary("+", variable(retries ?? ""), literal(1));
    const counting =
      retries === undefined ? noSteps : assign(inner, "retry", span, { variable: retries, value: count });
    return sequence(counting, ...list.map(([kind, name]) => recorded(inner, kind, name)));
  };
  return { once: sequence(...once), preparation: { entered, retries, drawn, queried, each } };
}

/** Reads of the context object other than of what needs no steps. */
const otherContext = /\$\$(?!\.(?:Execution|StateMachine|Map|Task|State\.Name|State\.RetryCount)\b)/;

/** The same in JSONata. */
const otherStates =
  /\$states\b(?!\.(?:input|result|errorOutput|context\.(?:Execution|StateMachine|Map|Task|State\.Name|State\.RetryCount))\b)/;

/** Whether a state may run several attempts. */
export const hasRetries = (state: State): boolean =>
  "Retry" in state && state.Retry !== undefined && state.Retry.length > 0;

/** A call whose result is recorded with the run. */
function recorded(writer: Unprepared, kind: BuiltIn["kind"], bind: string): StepFragment {
  const { context, construct } = writer;
  const { span } = construct;
  const called = { name: builtIn(context, kind), span };
  return step(writer, kind, span, (base, next) => ({
    ...base,
    kind: "call",
    function: called,
    argument: literal(null),
    wait: true,
    retries: [],
    bind,
    handlers: [],
    next,
  }));
}

/** The name of a built-in function, which is defined on first use. */
export function builtIn({ functions, functionNames, builtIns, document }: Context, kind: BuiltIn["kind"]): string {
  const known = builtIns.get(kind);
  if (known !== undefined) return known;
  const name = functionNames.fresh(kind);
  builtIns.set(kind, name);
  functions.push({ name, protocol: { kind }, span: document.start });
  return name;
}
