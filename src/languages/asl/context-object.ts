import { concatenate, type Expression, literal, object, variable } from "../../expressions/index.ts";
import type { Span } from "../../text/source.ts";
import { awaitsCallback } from "./callbacks.ts";
import { emptyContextField, unsupportedField } from "./diagnostics/kinds.ts";
import type { PathRoots } from "./paths.ts";

/** What the context object depends on. */
export type ContextRoots = Pick<PathRoots, "writer" | "item" | "token">;

const account = "arn:aws:states:local:000000000000";

/** The context object (`$$`) of a state. */
export function contextObject({ writer, item, token }: ContextRoots): Expression {
  const { name, preparation } = writer;
  const { facts } = writer.scope;
  const machine = [writer.context.id, ...facts.maps].join("/");
  const run = variable(facts.name);
  const execution = object([
    ["Id", concatenate([literal(`${account}:execution:${machine}:`), run])],
    ["Input", variable(facts.input)],
    ["Name", run],
    ["RoleArn", literal("arn:aws:iam::000000000000:role/waybill")],
    ["StartTime", variable(facts.startTime)],
    ["RedriveCount", literal(0)],
  ]);
  const state = object([
    ...(preparation.entered === undefined
      ? []
      : [["EnteredTime", variable(preparation.entered)] satisfies [string, Expression]]),
    ["Name", literal(name)],
    ["RetryCount", preparation.retries === undefined ? literal(0) : variable(preparation.retries)],
  ]);
  const map: [string, Expression][] = item
    ? [
        [
          "Map",
          object([
            [
              "Item",
              object([
                ["Index", item.index],
                ["Value", item.value],
              ]),
            ],
          ]),
        ],
      ]
    : [];
  return object([
    ["Execution", execution],
    ["State", state],
    [
      "StateMachine",
      object([
        ["Id", literal(`${account}:stateMachine:${machine}`)],
        ["Name", literal(machine)],
      ]),
    ],
    ...map,
    ...(token ? [["Task", object([["Token", token]])] satisfies [string, Expression]] : []),
  ]);
}

/** Reports fields of the context object that cannot be read, or have no value here. `root`: how the source calls it. */
export function checkContextNames(
  roots: ContextRoots,
  names: readonly string[],
  span: Span,
  root: "$$" | "$states.context",
): void {
  const { context } = roots.writer;
  const [first] = names;
  if (first === "Task" && !roots.token && awaitsCallback(roots.writer.state))
    context.report(unsupportedField(span, { what: "The token of a task outside of what it sends" }));
  else if (!isInContext(contextObject(roots), names))
    context.report(emptyContextField(span, { path: `${root}.${names.join(".")}` }));
}

/** Whether the context object may have a value there. */
function isInContext(source: Expression, [name, ...rest]: readonly string[]): boolean {
  if (source.kind !== "object" || name === undefined) return true;
  const entry = source.entries.find(({ key }) => key.kind === "literal" && key.value === name);
  return entry !== undefined && isInContext(entry.value, rest);
}

/** The parts of the context object to which some names lead. */
export function partOfContext(source: Expression, paths: readonly (readonly string[])[]): Expression {
  if (source.kind !== "object" || paths.some(([name]) => name === undefined)) return source;
  return object(
    source.entries.flatMap(({ key, value }) => {
      const name = key.kind === "literal" ? String(key.value) : "";
      const inner = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      return inner.length === 0 ? [] : [[name, partOfContext(value, inner)] as const];
    }),
  );
}
