import { choice, type Document, group, hardLine, indent, join, willBreak } from "../layout/index.ts";
import { isIdentifierName } from "./literals.ts";
import { printArguments, printLookup } from "./print-calls.ts";
import { printAccessed } from "./print-expressions.ts";
import type { Place, Style } from "./style.ts";
import type { CallExpression, ElementAccess, JsExpression, NonNullExpression, PropertyAccess } from "./tree.ts";

/** A part of `first.a.b().c![0]()`, after the first. */
type Link = CallExpression | PropertyAccess | ElementAccess | NonNullExpression;

/** A chain in groups; each group after the first begins a line if the chain is broken. */
interface Chain {
  readonly first: JsExpression;
  readonly groups: readonly (readonly Link[])[];
  /** Whether the second group stays on the line of the first. */
  readonly isMerged: boolean;
}

/** Whether a call is a chain with several calls of members, which has a line for each. */
export function isLongChain(call: CallExpression): boolean {
  const { groups, isMerged } = chainOf(call, "other");
  return groups.length > (isMerged ? 3 : 2);
}

/** Prints a chain of members and calls on one line, or with a line per call. */
export function printChain(call: CallExpression, style: Style, place: Place): Document {
  const { first, groups, isMerged } = chainOf(call, place);
  const [start, ...others] = groups.map((links) => links.map((link) => printLink(link, style)));
  const head = [printAccessed(first, style), ...start!];
  const line = [head, ...others];
  if (groups.length <= (isMerged ? 3 : 2)) return group(line);
  const calls = [first, ...groups.flat()].filter((link) => link.kind === "call");
  const kept = isMerged ? 1 : 0;
  const broken = [head, ...others.slice(0, kept), indent([hardLine, join(hardLine, others.slice(kept))])];
  const isComplex = calls.length > 2 && calls.some(({ args }) => args.some((argument) => !isSimple(argument, 2)));
  const breaksInside =
    line.slice(0, -1).some(willBreak) ||
    (willBreak(line.at(-1)!) && calls.slice(0, -1).some(({ args }) => args.some(({ kind }) => kind === "function")));
  return isComplex || breaksInside ? group(broken) : choice([line, broken]);
}

function chainOf(call: CallExpression, place: Place): Chain {
  const { first, links } = linksOf(call);
  const groups: Link[][] = [[]];
  let i = 0;
  for (; i < links.length && (links[i]!.kind === "nonNull" || links[i]!.kind === "call" || isIndex(links[i]!)); i += 1)
    groups[0]!.push(links[i]!);
  const isCall = first.kind === "call";
  for (; !isCall && i + 1 < links.length && isAccess(links[i]!) && isAccess(links[i + 1]!); i += 1)
    groups[0]!.push(links[i]!);
  let hasCall = true;
  for (; i < links.length; i += 1) {
    const link = links[i]!;
    if (hasCall && isAccess(link) && !(isIndex(link) && groups.length > 1)) {
      groups.push([]);
      hasCall = false;
    }
    if (link.kind === "call") hasCall = true;
    groups.at(-1)!.push(link);
  }
  return { first, groups, isMerged: groups.length >= 2 && isShortStart(first, groups, place) };
}

function linksOf(call: CallExpression): { readonly first: JsExpression; readonly links: readonly Link[] } {
  const links: Link[] = [call];
  let first = call.callee;
  while (true) {
    if (first.kind === "call" && (isAccess(first.callee) || first.callee.kind === "call")) {
      links.push(first);
      first = first.callee;
    } else if (first.kind === "member" || first.kind === "element") {
      links.push(first);
      first = first.object;
    } else if (first.kind === "nonNull") {
      links.push(first);
      first = first.operand;
    } else return { first, links: links.reverse() };
  }
}

const isAccess = ({ kind }: JsExpression): boolean => kind === "member" || kind === "element";

const isIndex = (link: Link): boolean =>
  link.kind === "element" && link.index.kind === "literal" && typeof link.index.value === "number";

/** Whether the chain begins with a class or a short name, whose first call stays on its line. */
function isShortStart(first: JsExpression, groups: readonly (readonly Link[])[], place: Place): boolean {
  const isComputed = groups[1]![0]?.kind === "element" || isQuoted(groups[1]![0]);
  const last = groups[0]!.at(-1);
  if (last) return last.kind === "member" && !isQuoted(last) && (isFactory(last.name) || isComputed);
  if (first.kind !== "identifier") return false;
  return isFactory(first.name) || (place === "statement" && first.name.length <= 2) || isComputed;
}

const isQuoted = (link: Link | undefined): boolean => link?.kind === "member" && !isIdentifierName(link.name);

const isFactory = (name: string): boolean => /^[A-Z]|^[$_]+$/.test(name);

function printLink(link: Link, style: Style): Document {
  switch (link.kind) {
    case "call":
      return [link.optional ? "?." : "", printArguments(link, style)];
    case "nonNull":
      return style.types ? "!" : "";
    default:
      return printLookup(link, style);
  }
}

/** Whether an argument is a name, literal or short path, or consists of a few of them. */
export function isSimple(argument: JsExpression, depth: number): boolean {
  if (depth <= 0) return false;
  const isPart = (part: JsExpression): boolean => isSimple(part, depth - 1);
  switch (argument.kind) {
    case "literal":
    case "identifier":
      return true;
    case "regex":
      return argument.source.length <= 5;
    case "template":
      return argument.parts.every((part) => typeof part === "string" || isPart(part));
    case "object":
      return argument.members.every(
        (member) => member.kind === "property" && typeof member.key === "string" && isPart(member.value),
      );
    case "array":
      return argument.elements.every(isPart);
    case "call":
    case "new":
      return isSimple(argument.callee, depth) && argument.args.length <= depth && argument.args.every(isPart);
    case "member":
      return isSimple(argument.object, depth);
    case "element":
      return isSimple(argument.object, depth) && isSimple(argument.index, depth);
    case "unary":
      return /^[-!+~]$/.test(argument.operator) && isSimple(argument.operand, depth);
    case "nonNull":
      return isSimple(argument.operand, depth);
    default:
      return false;
  }
}
