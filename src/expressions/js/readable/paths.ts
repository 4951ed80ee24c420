import type { JsExpression as Code } from "../../../js-ast/index.ts";
import { allNames, isIdentifierName, js } from "../../../js-ast/index.ts";
import { assertNever } from "../../../json.ts";
import { alternatives, elementOf, isNever, memberOf, type Type } from "../../../types/index.ts";
import { effectsOf } from "../../analysis/effects.ts";
import type { Expression, Query, Segment, Selector } from "../../core/ast.ts";
import { identity } from "../../core/build.ts";
import { singularOfCode } from "../words.ts";
import {
  isFreeName,
  isProvenObject,
  isProvenPresent,
  mayHaveMembers,
  memberUse,
  type OpenUse,
  provenMember,
  provenName,
  type Use,
  unusedValue,
} from "./use.ts";
import { orNull, write, writeOne } from "./write.ts";
import {
  helped,
  isSimple,
  type Lines,
  noLines,
  type PrintedExpression,
  printedExpression,
  type Scope,
  truth,
  unguarded,
  withInput,
} from "./written.ts";

/** A JSONPath that selects at most one node; undefined where it may select several: `$data.order.id` → `data?.order?.id` */
export function writeQuery(query: Query, scope: Scope): PrintedExpression | undefined {
  const source = write(query.source, scope);
  if (!source || !query.segments.every(isDefinite)) return undefined;
  return chained(source, query.segments, scope);
}

/** What names and indices select, one after the other. */
const chained = (source: PrintedExpression, segments: readonly Segment[], scope: Scope): PrintedExpression =>
  segments.reduce((node, segment) => step(node, segment, scope), source);

/** Whether a segment selects one node at most. */
export const isDefinite = ({ descend, selectors }: Segment): boolean =>
  !descend && selectors.length === 1 && (selectors[0]!.kind === "name" || selectors[0]!.kind === "index");

/** An array, with what is looked at in its elements. `elementUse` is what they are where that is declared. */
export type Nodes = PrintedExpression & {
  readonly element?: OpenUse | undefined;
  readonly elementUse?: Use | undefined;
  /** The proven type of the elements. */
  readonly elementProven?: Type | undefined;
};

/** What a JSONPath selects, as an array: `$data.items[?@.paid].id` → `itemsOf(data?.items).filter((item) => item?.paid === true).flatMap((item) => present(item?.id))` */
export function writeNodes(query: Query, scope: Scope): Nodes | undefined {
  const definite = query.segments.findIndex((segment) => !isDefinite(segment));
  if (definite < 0) return undefined;
  const source = write({ ...query, segments: query.segments.slice(0, definite) }, scope);
  const [first, ...rest] = stepsOf(query.segments.slice(definite));
  const nodes = source && first && selectedIn(source, first, scope);
  return rest.reduce<Nodes | undefined>((found, each) => found && selectedInEach(found, each, scope), nodes);
}

/** What one step of a path selects: a chain of names and indices at most one node, all others a list. */
type Step =
  | { readonly kind: "chain"; readonly segments: readonly Segment[] }
  | { readonly kind: "everything" }
  | { readonly kind: "several"; readonly selectors: readonly Selector[] };

function stepsOf(segments: readonly Segment[]): readonly Step[] {
  const steps: Step[] = [];
  for (const { descend, selectors } of segments) {
    if (descend) steps.push({ kind: "everything" });
    const segment = { descend: false, selectors };
    const last = steps.at(-1);
    if (!isDefinite(segment)) steps.push({ kind: "several", selectors });
    else if (last?.kind === "chain") steps[steps.length - 1] = { kind: "chain", segments: [...last.segments, segment] };
    else steps.push({ kind: "chain", segments: [segment] });
  }
  return steps;
}

/** What a step selects in one value, as an array: `everything(data)`, `itemsOf(data).filter((item) => item?.paid === true)`. */
function selectedIn(source: PrintedExpression, step: Step, scope: Scope): Nodes | undefined {
  // In a module of expressions, elements are declared as `Json`, which has no members.
  const element = scope.fresh ? undefined : unusedValue();
  const listed = (code: Code): Nodes => ({ ...printedExpression(code, array), element });
  switch (step.kind) {
    case "chain": {
      const value = chained(source, step.segments, scope);
      return listOfValues(helped(scope, "present", [value.code]), value);
    }
    case "everything":
      return listed(helped(scope, "everything", [orNull(source)]));
    case "several": {
      const [selector] = step.selectors;
      if (step.selectors.length !== 1) return undefined;
      const declared = source.use?.kind === "closed" ? source.use.element : undefined;
      const elementProven = provenItems(source.proven);
      const isArray = (declared && source.isPresent) || (elementProven && scope.isUntyped);
      const items = isArray ? source.code : helped(scope, "itemsOf", [source.code]);
      if (selector!.kind === "wildcard") return { ...listed(items), elementUse: declared, elementProven };
      return selector!.kind === "filter"
        ? filtered({ ...listed(items), elementProven }, selector!.condition, scope)
        : undefined;
    }
    default:
      return assertNever(step);
  }
}

/** A list of what paths select in values: `present(value)` for each of them. */
const listOfValues = (code: Code, { use, proven }: PrintedExpression): Nodes => {
  const list = { ...printedExpression(code, array), elementProven: proven };
  return use?.kind === "closed" ? { ...list, elementUse: use } : { ...list, element: use };
};

/** The type of the elements of a value, if that is an array. */
function provenItems(type: Type | undefined): Type | undefined {
  const parts = type ? alternatives(type) : [];
  return parts.length > 0 && parts.every(({ kind }) => kind === "array") ? elementOf(type!) : undefined;
}

/** An element of a list as a parameter of this name. */
const itemOf = ({ element, elementProven }: Nodes, name: string, use: Use | undefined = element): PrintedExpression =>
  printedExpression(js.name(name), { use, isPresent: isProvenPresent(elementProven), proven: elementProven });

/** What a step selects in each of a list, one after the other: `list.flatMap((item) => present(item?.id))` */
function selectedInEach(list: Nodes, step: Step, scope: Scope): Nodes | undefined {
  const [selector] = step.kind === "several" ? step.selectors : [];
  const name = itemName(selector?.kind === "filter" ? selector.condition : identity, scope, list.code);
  const item = itemOf(list, name, list.elementUse);
  const value = step.kind === "chain" ? chained(item, step.segments, scope) : undefined;
  if (value && (!value.isOptional || (value.sure !== undefined && !list.elementUse)))
    return listOfValues(js.method(list.code, "map", [js.arrow([name], value.code)]), value);
  const selected = selectedIn(item, step, scope);
  return selected && { ...selected, code: js.method(list.code, "flatMap", [js.arrow([name], selected.code)]) };
}

function filtered(list: Nodes, condition: Expression, scope: Scope): Nodes | undefined {
  const name = itemName(condition, scope, list.code);
  const test = writeTest(condition, withInput(scope, itemOf(list, name)));
  return test && { ...list, code: js.method(list.code, "filter", [js.arrow([name], test.code)]) };
}

const array = { type: "array", isPresent: true } as const;

/** A filter takes what gives true, and nothing else. */
function writeTest(condition: Expression, scope: Scope): PrintedExpression | undefined {
  if (effectsOf(condition).outputs !== "one") return undefined;
  const test = writeOne(condition, unguarded(scope));
  if (!test || test.type === "boolean") return test;
  return truth(js.binary(test.code, "===", js.literal(true)));
}

function step(node: PrintedExpression, { selectors }: Segment, scope: Scope): PrintedExpression {
  const [selector] = selectors;
  if (selector?.kind === "name") return withProof(member(node, selector.name, scope), node, selector.name, scope);
  const index = selector?.kind === "index" ? selector.index : 0;
  const { use } = node;
  const element = elementOfList(node.code, index);
  if (element) return printedExpression(element);
  const proven = index === 0 ? provenElement(node.proven) : undefined;
  const elementUse = use?.kind === "closed" ? use.element : undefined;
  if (proven && scope.isUntyped) return known(js.element(node.code, js.literal(index)), proven, elementUse);
  if (use?.kind !== "closed" || !use.element || index < 0)
    return printedExpression(helped(scope, "elementOf", [node.code, js.literal(index)]), { isOptional: true });
  const sure = use.isFilled && node.isPresent ? js.nonNull(js.element(node.code, js.literal(index))) : undefined;
  return printedExpression(js.element(node.code, js.literal(index), !node.isPresent), {
    isOptional: true,
    use: use.element,
    sure,
    proven: sure && proven,
  });
}

/** The type of the first element of a value, if that is an array with elements. */
function provenElement(type: Type | undefined): Type | undefined {
  const parts = type ? alternatives(type) : [];
  return parts.every((part) => part.kind === "array" && part.isFilled) ? provenItems(type) : undefined;
}

/** JavaScript for a value of a proven type. */
const known = (code: Code, proven: Type, use: Use | undefined): PrintedExpression =>
  printedExpression(code, { isPresent: isProvenPresent(proven), type: provenName(proven), use, proven });

/** A member of a value, if that is proven or declared to be an object and the member can be read with a dot. */
export function memberOfObject(node: PrintedExpression, name: string, scope: Scope): PrintedExpression | undefined {
  const { use } = node;
  if (use?.kind === "closed" && node.isPresent && Object.hasOwn(use.members, name)) return member(node, name, scope);
  if (!isProvenObject(node.proven) || !isFreeName(name)) return undefined;
  const found = withProof(member(node, name, scope), node, name, scope);
  return found.code.kind === "call" ? undefined : found;
}

/** A member of a proven object. In TypeScript, proven members are asserted: `data.price!.total!`, `data.price.total` */
function withProof(found: PrintedExpression, node: PrintedExpression, name: string, scope: Scope): PrintedExpression {
  if (!isProvenObject(node.proven) || found.code.kind === "call") return found;
  const { type, presence } = memberOf(node.proven!, name);
  const proven = presence === "always" && !isNever(type) ? type : undefined;
  const code = dotted(node.sure ?? node.code, name, false);
  if (scope.isUntyped) return proven ? known(code, proven, found.use) : found;
  if (!found.isOptional) return { ...found, proven };
  const sure = found.sure ?? (isProvenPresent(proven) ? js.nonNull(code) : undefined);
  return { ...found, code, sure, isChained: false, proven };
}

/** An element of a list that is written out, where the others only read values: `[a, b.c][0]` → `a` */
function elementOfList(list: Code, index: number): Code | undefined {
  const elements = list.kind === "array" && list.elements.every((each) => isSimple(each)) ? list.elements : [];
  return elements.at(index);
}

/** The member of a value; undefined unless the value is an object that has it. */
function member(node: PrintedExpression, name: string, scope: Scope): PrintedExpression {
  const { use } = node;
  const mayBeNothing = !node.isPresent && !node.isChained;
  if (use?.kind === "closed" && Object.hasOwn(use.members, name)) {
    const known = use.members[name]!;
    const isOptional = known.isOptional === true || !node.isPresent;
    return printedExpression(dotted(node.code, name, mayBeNothing), {
      isOptional,
      isPresent: !isOptional && !known.isNullable,
      isChained: isOptional && !known.isOptional && !known.isNullable,
      use: known.use,
      sure: known.isOptional || node.sure === undefined ? undefined : dotted(node.sure, name, false),
    });
  }
  if (use?.kind === "closed" && use.hasOthers && isFreeName(name))
    return printedExpression(dotted(node.code, name, mayBeNothing), { isOptional: true });
  if (use?.kind !== "open" || !isFreeName(name) || !mayHaveMembers(use))
    return printedExpression(helped(scope, "memberOf", [node.code, js.literal(name)]), { isOptional: true });
  const { isAlways, isPresent, scalar } = provenMember(use.proven, name);
  const isSure = isAlways && node.isPresent === true;
  return printedExpression(dotted(node.code, name, mayBeNothing), {
    isOptional: !isSure,
    isPresent: isSure && isPresent,
    type: isSure ? scalar : undefined,
    inferred: isAlways ? scalar : undefined,
    use: memberUse(use, name),
  });
}

/** `value.name`, `value["a b"]`, and with `?.` where there may be no value. */
const dotted = (value: Code, name: string, optional: boolean): Code =>
  isIdentifierName(name) && name !== "__proto__"
    ? optional
      ? js.optionalMember(value, name)
      : js.member(value, name)
    : js.element(value, js.literal(name), optional);

/** A name for the elements of a list: none that the `.` around has, or a variable that is used for an element. */
export function itemName(used: Expression, scope: Scope, list?: Code): string {
  if (scope.fresh) return scope.fresh((list && singularOfCode(list)) ?? "item");
  const names = namesAround(used, scope);
  for (let i = 1; ; i += 1) {
    const name = i === 1 ? "item" : `item${i}`;
    if (!names.has(name)) return name;
  }
}

/** No statements yet, in a function that uses an expression for each element of a list. */
export const linesIn = (used: Expression, item: string, scope: Scope): Lines =>
  noLines([item, ...namesAround(used, scope), ...(scope.lines?.names ?? [])]);

function namesAround(used: Expression, { input, variable }: Scope): ReadonlySet<string> {
  const values = [input, ...Array.from(effectsOf(used).free.keys(), variable)];
  return allNames(values.flatMap((value) => value?.code ?? []));
}
