import { type JsExpression as Code, js, negate } from "../../js-ast/index.ts";
import type { Call, Chain, Jsonata, Variable } from "../syntax/jsonata/syntax.ts";
import { printFunction } from "./blocks.ts";
import { type FunctionForm, functionForms } from "./functions.ts";
import { conditionOf, textOf } from "./operators.ts";
import { print } from "./print.ts";
import { call, type Local, type Printed, read, refuse, type Scope } from "./scope.ts";

/** `$f(A, B)`, after arguments that are already printed. */
export function printCall({ procedure, args }: Call, given: readonly Printed[], scope: Scope): Printed {
  if (procedure.kind !== "variable") return refuse("a call of an expression");
  const nodes = args.map((arg) => (arg.kind === "placeholder" ? refuse("a partial application") : arg));
  const local = scope.locals.get(procedure.name);
  if (local) return printLocalCall(local, [...given, ...nodes.map((node) => print(node, scope))]);
  const { inputs, assigned } = scope.program;
  const { name } = procedure;
  if (assigned.has(name) || inputs.has(name) || inputs.has(`${name}[]`)) return refuse("a call of a value");
  return printSpecial(name, given, nodes, scope) ?? printBuiltin(name, given, nodes, scope);
}

/** `A ~> $f(B)`, `A ~> $f` */
export function printChain({ left, right }: Chain, scope: Scope): Printed {
  const first = print(left, scope);
  if (right.kind === "call") return printCall(right, [first], scope);
  if (right.kind !== "variable") return refuse("an application of another expression");
  const { start, end } = right;
  return printCall({ kind: "call", procedure: right satisfies Variable, args: [], start, end }, [first], scope);
}

function printLocalCall(local: Local, args: readonly Printed[]): Printed {
  if (local.kind !== "function" || args.length > local.parameters) return refuse("a call of a value");
  const missing = Array.from({ length: local.parameters - args.length }, () => js.undefinedName);
  return { code: js.call(local.code, [...args.map(({ code }) => code), ...missing]), isOptional: true, canFail: true };
}

/** Functions that are operators of JavaScript, or give what was recorded. */
function printSpecial(
  name: string,
  given: readonly Printed[],
  nodes: readonly Jsonata[],
  scope: Scope,
): Printed | undefined {
  const arity = given.length + nodes.length;
  if (name === "uuid" || (name === "random" && arity === 0)) return arity === 0 ? drawn(name, scope) : refuse(name);
  if ((name === "now" || name === "millis") && arity === 0) {
    const seconds = read(scope, scope.program.inputs.get("now()") ?? refuse(`$${name}`)).code;
    return call(scope, `$${name}`, [seconds], { type: name === "now" ? "string" : "number" });
  }
  if (arity !== 1 || !["exists", "string", "not", "boolean"].includes(name)) return undefined;
  const value = given[0] ?? print(nodes[0]!, scope);
  const { code, isOptional, canFail } = value;
  const boolean = { type: "boolean", canFail, isOptional } as const;
  switch (name) {
    case "exists":
      return { ...boolean, code: js.binary(code, "!==", js.undefinedName), isOptional: false };
    case "string":
      return isOptional
        ? call(scope, "$string", [code], { type: "string", isOptional, canFail })
        : textOf(value, scope);
    case "not":
      return isOptional
        ? call(scope, "$not", [code], boolean)
        : { ...boolean, code: negate(conditionOf(value, scope)) };
    default:
      return call(scope, "$boolean", [code], boolean);
  }
}

/** The next of the values that a function has given when the state began. */
function drawn(name: string, scope: Scope): Printed {
  const { inputs, drawn: counts } = scope.program;
  const values = inputs.get(`${name}()`);
  const items = values?.kind === "array" ? values.items : undefined;
  const list = items?.kind === "comma" ? items.items : items ? [items] : [];
  const index = counts.get(name) ?? 0;
  counts.set(name, index + 1);
  const value = read(scope, list[index] ?? refuse(name));
  return name === "uuid" ? { ...value, type: "string" } : value;
}

function printBuiltin(name: string, given: readonly Printed[], nodes: readonly Jsonata[], scope: Scope): Printed {
  const form = functionForms.get(name) ?? refuse(`$${name}`);
  const [fewest, most] = form.arity;
  const arity = given.length + nodes.length;
  if (arity < fewest || arity > most) return refuse(`$${name} of ${arity} arguments`);
  // The package cannot call the comparison where a function ends with this call.
  if (name === "sort" && arity > 1 && scope.isFunction) return refuse("$sort in a function");
  const args: Printed[] = [...given];
  for (const [i, node] of nodes.entries())
    args.push(form.callback && given.length + i === 1 ? printCallback(node, form, scope) : print(node, scope));
  return printKnown(name, form, args, scope);
}

function printKnown(name: string, form: FunctionForm, args: readonly Printed[], scope: Scope): Printed {
  const [first] = args as readonly [Printed, ...Printed[]];
  if (form.required !== undefined && args[form.required]!.isOptional) return refuse(`$${name} of nothing`);
  if (
    form.isAmbiguous &&
    (scope.context || scope.isFunction) &&
    args.length < form.arity[1] &&
    first.type === undefined
  )
    return refuse(`$${name} of the context`);
  const codes: readonly Code[] = args.map(({ code }) => code);
  return call(scope, `$${name}`, codes, {
    type: form.type,
    isCount: form.isCount,
    isOptional: form.nothing === "always" || (form.nothing === "as first" && first.isOptional),
    canFail: !form.isSafe || args.some(({ canFail }) => canFail),
  });
}

/** A function that another one calls. */
function printCallback(node: Jsonata, { callback, isCondition }: FunctionForm, scope: Scope): Printed {
  const { code, parameters, canFail, givesSequence } = printFunction(node, scope);
  const [fewest, most] = callback!;
  if (parameters < fewest || parameters > most) return refuse("a function of other parameters");
  if (givesSequence && !isCondition) return refuse("a function that gives a sequence");
  return { code, isOptional: false, canFail };
}
