import {
  dateDescriptor,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { JqBinding } from "../shared/jq.ts";
import { type Context, contextName, dataName, type TaskScope, type Writer } from "./context.ts";

/** Binds an argument of an expression; notes what the run has to record for it. */
export type Argument = (context: Context) => JqBinding;

/** What an expression sees: `.` and the arguments. */
export interface Row {
  readonly input: Expression;
  readonly variables: ReadonlyMap<string, Argument>;
}

const places: ReadonlyMap<string, string> = new Map([
  ["context", "tasks and the workflow's `output.as`"],
  ["input", "a task, after its `input.from`"],
  ["output", "`export.as`"],
  ["task", "tasks"],
  ["secrets", "the arguments of `call` and `run`"],
  ["authorization", "no expression: Waybill does not support it"],
  ["workflow", "all expressions"],
  ["runtime", "all expressions"],
]);

/** Where the argument of a name exists, as the end of a sentence. */
export const isArgument = (name: string): string | undefined => places.get(name);

/** A value without members of its own. */
const plain =
  (value: Expression): Argument =>
  () => ({ value });

const data = variable(dataName);

function workflowArgument(context: Context): JqBinding {
  const { definition, facts } = context;
  const read = (name: string): Expression => {
    switch (name) {
      case "definition":
        return literal(definition as unknown as Json);
      case "input":
        facts.add("workflowInput");
        return variable("workflowInput");
      case "id":
        facts.add("runId");
        return variable("runId");
      case "startedAt":
        facts.add("startedAt");
        return dateDescriptor(variable("startedAt"));
      default:
        return literal(null);
    }
  };
  return recordOf(["id", "definition", "input", "startedAt"], read);
}

/** A value whose members are computed only if they are read. */
const recordOf = (names: readonly string[], read: (name: string) => Expression): JqBinding => ({
  value: literal(null),
  member: (_, name) => read(name),
  whole: () => object(names.map((name) => [name, read(name)])),
});

const runtimeArgument = plain(literal({ name: "waybill", version: null, metadata: {} }));

function taskArgument(writer: Writer): Argument {
  const definition = writer.task as unknown as JsonObject;
  const names = ["name", "reference", "definition", "input", "output", "startedAt"];
  const read = (name: string): Expression => {
    switch (name) {
      case "name":
        return literal(writer.name);
      case "reference":
        return literal(writer.pointer);
      case "definition":
        return literal(definition);
      case "input":
        return writer.rawInput === undefined ? data : variable(writer.rawInput);
      case "output":
        return writer.rawOutput === undefined ? literal(null) : variable(writer.rawOutput);
      case "startedAt":
        return writer.startedAt === undefined ? literal(null) : dateDescriptor(variable(writer.startedAt));
      default:
        return simplify(firstOr(member(literal(definition), name), literal(null)));
    }
  };
  return () => recordOf(names, read);
}

const common: readonly (readonly [string, Argument])[] = [
  ["workflow", workflowArgument],
  ["runtime", runtimeArgument],
];

/** Without exports, the context is always null. */
const contextArgument: readonly [string, Argument] = [
  "context",
  ({ hasExports }) => ({ value: hasExports ? variable(contextName) : literal(null) }),
];

/** What the workflow's `input.from` sees. */
export const workflowInputRow: Row = { input: data, variables: new Map(common) };

/** What the workflow's `output.as` sees. */
export const workflowOutputRow: Row = { input: data, variables: new Map([...common, contextArgument]) };

const bindingsOf = ({ bindings }: TaskScope): readonly (readonly [string, Argument])[] =>
  [...bindings].map(([name, value]) => [name, plain(value)] as const);

/** What `if` and `input.from` of a task see. */
export const inputRow = (writer: Writer): Row => ({
  input: data,
  variables: new Map([...common, contextArgument, ["task", taskArgument(writer)], ...bindingsOf(writer.scope)]),
});

/** What the properties of a task's kind see, while the data is still the transformed input. */
export const taskRow = (writer: Writer, more: ReadonlyMap<string, Expression> = new Map()): Row => ({
  input: data,
  variables: new Map([
    ...inputRow(writer).variables,
    ["input", plain(writer.keptInput === undefined ? data : variable(writer.keptInput))],
    ...[...more].map(([name, value]) => [name, plain(value)] as const),
  ]),
});

/** What `output.as` sees. */
export const outputRow = (writer: Writer): Row => taskRow(writer);

/** What `export.as` sees. */
export const exportRow = (writer: Writer): Row => ({
  input: data,
  variables: new Map([...taskRow(writer).variables, ["output", plain(data)]]),
});

/** The same arguments with another `.`. */
export const withInput = (row: Row, input: Expression, more: ReadonlyMap<string, Expression> = new Map()): Row => ({
  input,
  variables: new Map([...row.variables, ...[...more].map(([name, value]) => [name, plain(value)] as const)]),
});
