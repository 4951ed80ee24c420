import type { TaskState } from "../../generated/composer-fsm-definition.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import {
  invalidVariableName,
  notCallable,
  notJavaScript,
  reservedVariableName,
  uncheckableConstruct,
  unknownName,
} from "./diagnostics/kinds.ts";
import { type ExternalNames, escapingNames, moduleNames, standardNames } from "./javascript/names.ts";
import { describeUncallable, type FunctionTree, parseFunction } from "./javascript/parse.ts";
import { variablesOn } from "./stack.ts";
import type { Visit } from "./visits.ts";

/** A Task state that runs a function. */
export type FunctionState = TaskState & { readonly Function: string };

/** The parsed function of a state. */
export interface FunctionBody {
  readonly state: FunctionState;
  readonly parsed: FunctionTree;
  readonly external: ExternalNames;
}

/** Whether a state runs a function. */
export const hasFunction = (state: Visit["state"]): state is FunctionState =>
  state.Type === "Task" && state.Action === undefined && state.Value === undefined && state.Function !== undefined;

/** Parses a function; reports errors independent of the stack. */
export function readFunction(state: FunctionState, reading: ReadContext, allowsAny: boolean): FunctionBody | undefined {
  const { document, report } = reading;
  const parsed = parseFunction(state.Function);
  if ("problem" in parsed) {
    const { from, upTo, problem, hint } = parsed;
    report(notJavaScript(document.spanWithin(state, "Function", from, upTo), { problem, hint }));
    return undefined;
  }
  const noun = describeUncallable(parsed);
  if (noun !== undefined) report(notCallable(spanOf(reading, state, "Function"), { noun }));
  const { external } = parsed;
  const reported = new Set<string>();
  for (const { what, from, upTo, isImpossible } of external.escapes) {
    if (reported.has(what) || (allowsAny && !isImpossible)) continue;
    reported.add(what);
    const why = isImpossible ? "is not supported" : "creates functions from strings, which Waybill cannot check";
    const hint = isImpossible ? undefined : globalsHint;
    report(uncheckableConstruct(document.spanWithin(state, "Function", from, upTo), { what, why, hint }));
  }
  return { state, parsed, external };
}

const globalsHint = "Set the option `globals: any` to allow it.";

/** Checks the free names of a function on each visit. */
export function checkNames(
  { state, external }: FunctionBody,
  visits: readonly Visit[],
  { document, report }: ReadContext,
  allowsAny: boolean,
): void {
  const scopes = visits.map(({ stack }) => variablesOn(stack));
  const known = new Set(scopes.flatMap((variables) => [...variables.keys()]));
  const reported = new Set<string>();
  for (const { name, from, upTo, isTypeofOperand } of external.freeNames) {
    const span = document.spanWithin(state, "Function", from, upTo);
    if (reported.has(name) || scopes.every((variables) => variables.has(name))) continue;
    reported.add(name);
    if (moduleNames.has(name))
      report(
        uncheckableConstruct(span, {
          what: `\`${name}\``,
          why: "is not available in functions",
          hint: "Move this code into an action.",
        }),
      );
    else if (escapingNames.has(name) && !allowsAny)
      report(
        uncheckableConstruct(span, { what: `\`${name}\``, why: "bypasses the check of names", hint: globalsHint }),
      );
    else if (!standardNames.has(name) && !isTypeofOperand && !allowsAny) report(unknownName(span, { name, known }));
  }
}

/** The variables that a function may use, sorted by symbol. */
export function usedVariables({ external: { freeNames } }: FunctionBody, { stack }: Visit): readonly string[] {
  const names = new Set(freeNames.map(({ name }) => name));
  const all = [...variablesOn(stack).keys()].sort();
  return names.has("eval") ? all : all.filter((symbol) => names.has(symbol));
}

/** Reports variables that functions cannot use. */
export function checkSymbols(visits: readonly Visit[], reading: ReadContext): void {
  const running = visits.filter(({ state }) => hasFunction(state));
  const seen = new Set(running.flatMap(({ stack }) => [...variablesOn(stack).keys()]));
  const reported = new Set<object>();
  for (const { state } of visits) {
    if (state.Type !== "Let" || reported.has(state) || !seen.has(state.Symbol)) continue;
    reported.add(state);
    const span = spanOf(reading, state, "Symbol");
    if (conductorNames.has(state.Symbol)) reading.report(reservedVariableName(span, { symbol: state.Symbol }));
    else if (!isVariableName(state.Symbol)) reading.report(invalidVariableName(span, { symbol: state.Symbol }));
  }
}

const conductorNames: ReadonlySet<string> = new Set(["params", "main", "__env__", "__eval__"]);

const isVariableName = (text: string): boolean =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(text) && !reservedWords.has(text);

const reservedWords: ReadonlySet<string> = new Set(
  (
    "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new " +
    "null return super switch this throw true try typeof var void while with implements interface let package private protected public static yield " +
    "await eval arguments"
  ).split(" "),
);
