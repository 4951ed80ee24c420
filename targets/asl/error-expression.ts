import { nameOfError, timedOut } from "../../src/ir/failures.ts";
import type { ErrorNames } from "../../src/ir/workflow.ts";
import { namedCalls } from "./errors.ts";
import { errorMarker } from "./jsonata/index.ts";

/** Which of the law's cases can occur at a state. */
export interface ErrorSources {
  readonly timeout: boolean;
  readonly expression: boolean;
  readonly function: boolean;
  readonly subflow: boolean;
  /** What the language of subflows calls errors that nothing has named, where that is another. */
  readonly within?: ErrorNames | undefined;
  /** The names of errors of ours that come, which carry a value; absent: none. */
  readonly carried?: readonly string[];
}

/** What of an error is wanted: its members, its Cause, and of its data perhaps the trace only. */
export interface WantedError {
  readonly members: ReadonlySet<KeptMember>;
  readonly traceOnly: boolean;
}

type KeptMember = (typeof keptMembers)[number];

/** The members of an error. */
export const errorMembers = ["origin", "name", "message", "data"] as const;

/** The same, and the Cause with which it can be raised as it came. */
export const keptMembers = [...errorMembers, "cause"] as const;

/** Whether only functions can have failed, whose errors' names stand for themselves. */
export const isPlain = ({ timeout, expression, subflow, carried = [] }: ErrorSources, names?: ErrorNames): boolean =>
  !timeout && !expression && !subflow && carried.length === 0 && !names?.calls;

/**
 * The law as JSONata: an expression over `$states.errorOutput` that gives an object of what is wanted of the `ErrorValue`, with the cases that can occur.
 * Of data that has no trace nothing is there where only the trace is wanted.
 */
export function errorExpression(
  sources: ErrorSources,
  names?: ErrorNames,
  wanted: WantedError = { members: new Set(errorMembers), traceOnly: false },
): string {
  const { subflow, within, carried = [] } = sources;
  const calls = names?.calls ?? within?.calls;
  const isTold = wanted.members.has("message") || wanted.members.has("data") || calls !== undefined;
  const asked: Asked = {
    sources,
    names,
    wanted,
    hasCallNames: calls !== undefined,
    isCarried: carried.length > 0 && wanted.members.has("data") && !wanted.traceOnly,
    isThrown: (sources.function || subflow) && isTold,
    error: isPlain(sources, names) ? "$states.errorOutput" : "$e",
  };
  const heads = headsOf(asked);
  const law = [...heads, casesOf(asked).join(" : ")].join("; ");
  if (subflow && within) return `($law := function($e, $within) { (${law}) }; $law($states.errorOutput, false))`;
  if (subflow) return `($law := function($e) { (${law}) }; $law($states.errorOutput))`;
  const all = asked.error === "$e" ? `$e := $states.errorOutput; ${law}` : law;
  return heads.length === 0 && asked.error !== "$e" ? all : `(${all})`;
}

/** What is asked of the law. */
interface Asked {
  readonly sources: ErrorSources;
  readonly names: ErrorNames | undefined;
  readonly wanted: WantedError;
  /** Whether a language has names for calls that Step Functions itself lets fail. */
  readonly hasCallNames: boolean;
  /** Whether the value is wanted that an error of ours carries. */
  readonly isCarried: boolean;
  /** Whether it is to be known if a function has thrown. */
  readonly isThrown: boolean;
  /** How the error is written. */
  readonly error: string;
}

/** What the cases read. */
function headsOf({ sources, wanted: { members }, hasCallNames, isCarried, isThrown, error }: Asked): readonly string[] {
  const { subflow, expression } = sources;
  const isRead = isCarried || isThrown || subflow || expression || members.has("message") || members.has("cause");
  return [
    ...(isRead ? [`$cause := "" & ${error}.Cause`] : []),
    ...(expression ? [`$m := $e.Error = "States.QueryEvaluationError" ? ${markIn}`] : []),
    ...(isThrown ? [`$l := ${detailIn}${hasCallNames ? "" : ' : {"errorMessage": $cause}'}`] : []),
  ];
}

/** The cases, of which the last is for all that is left. */
function casesOf({ sources, names, wanted, hasCallNames, isCarried, isThrown, error }: Asked): readonly string[] {
  const { timeout, expression, subflow, within, carried } = sources;
  const either = (text: (names: ErrorNames | undefined) => string): string =>
    within && text(within) !== text(names) ? `($within ? ${text(within)} : ${text(names)})` : text(names);
  const isChild = '$e.Error = "States.TaskFailed" and $contains($cause, /^\\{.*"Error":/)';
  const named = () => either((each) => nameText(error, each));
  return [
    ...(isCarried ? [`$e.Error in ${JSON.stringify(carried)} ? ${carrying(wanted)}`] : []),
    ...(subflow ? [`${isChild} ? $law($parse($cause)${within ? ", true" : ""})`] : []),
    ...(timeout ? [`$e.Error = "States.Timeout" ? ${late(wanted, either(lateName))}`] : []),
    ...(expression ? [`$exists($m) ? ${marked(wanted, either(markedName))}`] : []),
    ...(isThrown && hasCallNames ? [`$exists($l) ? ${thrown("$e", wanted)}`] : []),
    isThrown && !hasCallNames ? thrown(error, wanted) : plain(named(), "$cause", wanted),
  ];
}

const markIn = `$match($cause, /${errorMarker}/).groups.$decodeUrlComponent($)`;

/** The members that are wanted, of all. */
function errorText(all: { readonly [Member in KeptMember]: string }, { members, traceOnly }: WantedError): string {
  const some = Object.entries(all).filter(
    ([name, text]) => members.has(name as KeptMember) && !(traceOnly && name === "data" && text === "null"),
  );
  return `{${some.map(([name, text]) => `"${name}": ${text}`).join(", ")}}`;
}

const late = (wanted: WantedError, name: string): string => {
  const message = JSON.stringify(timedOut.message);
  return errorText({ origin: '"timeout"', name, message, data: "null", cause: message }, wanted);
};

const lateName = (names: ErrorNames | undefined): string => JSON.stringify(nameOfError(timedOut, names));

const marked = (wanted: WantedError, name: string): string => {
  const cause = `$string({"errorMessage": $m[1], "errorType": ${name}})`;
  return errorText({ origin: '"expression"', name, message: "$m[1]", data: "null", cause }, wanted);
};

const markedName = (names: ErrorNames | undefined): string =>
  names ? `$m[0] in ["ExpressionError", "DataError"] ? ${JSON.stringify(names.expression)} : $m[0]` : "$m[0]";

const plain = (name: string, message: string, wanted: WantedError, data = "null"): string =>
  errorText({ origin: '"function"', name, message, data, cause: "$cause" }, wanted);

/** An error of ours: nothing but the value that it carries. */
const carrying = (wanted: WantedError): string => plain("$e.Error", '""', wanted, "$parse($cause).value");

/** What a Lambda function says of its error, where the Cause is that. */
const detailIn = '$contains($cause, /^\\{"error(Message|Type)":.*\\}$/) ? $parse($cause)';

/** What a function has thrown. */
const thrown = (error: string, wanted: WantedError): string =>
  plain(
    `${error}.Error`,
    "$l.errorMessage",
    wanted,
    wanted.traceOnly
      ? '{"trace": $exists($l.stackTrace) ? $l.stackTrace : $l.trace}'
      : '$exists($l.stackTrace) ? {"trace": $l.stackTrace} : $exists($l.trace) ? {"trace": $l.trace} : null',
  );

/** The name under which Step Functions itself lets a call fail, as the language has it. */
function nameText(error: string, names: ErrorNames | undefined): string {
  if (!names?.calls) return `${error}.Error`;
  const table = JSON.stringify(Object.fromEntries(namedCalls(names.calls)));
  return `($n := $lookup(${table}, ${error}.Error); $exists($n) ? $n : ${error}.Error)`;
}
