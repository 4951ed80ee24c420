import { failWith } from "./errors.ts";
import type { Filter, Jsonata, Name } from "./syntax.ts";
import { childrenOf } from "./walk.ts";

/**
 * Checks what depends on the steps of paths: literals as steps, the order of predicates, groupings and bindings, and
 * whether each `%` has a containing object. The checks, their order and their exceptions are those of JSONata 2.2.2.
 */
export function checkSteps(root: Jsonata, missing: Name | undefined): void {
  const piece = pieceOf(root, missing);
  if (piece.kind === "parent" || piece.seeking) failWith("S0217", root, "%");
}

/** An expression as JSONata's evaluator sees it: a path of steps, or a node. */
interface Piece {
  readonly node: Jsonata;
  kind: "path" | "name" | "wildcard" | "parent" | "block" | "literal" | "sort" | "other";
  /** Of a path. */
  readonly steps: Piece[];
  /** The value of a block. */
  readonly last?: Piece | undefined;
  /** Of a `%`. */
  readonly slot?: Slot;
  /** The containing objects that no step has provided yet. Pieces share arrays, and then see each other's additions. */
  seeking?: Slot[];
  hasPredicate?: boolean;
  hasGroup?: boolean;
  hasFocus?: boolean;
}

/** A containing object, `level` steps up. */
interface Slot {
  level: number;
}

function pieceOf(node: Jsonata, missing: Name | undefined): Piece {
  if (node === missing) failWith("S0207", node);
  const read = (child: Jsonata): Piece => pieceOf(child, missing);
  switch (node.kind) {
    case "map":
      return mapPiece(read(node.left), () => read(node.right));
    case "filter":
      return filterPiece(read(node.target), node, () => read(node.predicate));
    case "keepArray":
      return read(node.target);
    case "group": {
      const piece = read(node.target);
      if (piece.hasGroup) failWith("S0210", node);
      for (const { key, value } of node.entries) [key, value].forEach(read);
      piece.hasGroup = true;
      return piece;
    }
    case "sort": {
      const path = pathOf(read(node.target));
      const step: Piece = { node, kind: "sort", steps: [] };
      for (const { expression } of node.terms) inherit(step, read(expression));
      path.steps.push(step);
      resolveParents(path);
      return path;
    }
    case "focus": {
      const piece = read(node.target);
      const step = lastStep(piece);
      if (step.hasPredicate) failWith("S0215", node);
      if (step.kind === "sort") failWith("S0216", node);
      step.hasFocus = true;
      return piece;
    }
    case "index":
      return pathOf(read(node.target));
    case "name":
      return { node, kind: "path", steps: [{ node, kind: "name", steps: [] }] };
    case "parent":
      return { node, kind: "parent", steps: [], slot: { level: 1 } };
    case "wildcard":
      return { node, kind: "wildcard", steps: [] };
    case "string":
      return { node, kind: "other", steps: [] };
    case "number":
    case "constant":
      return { node, kind: "literal", steps: [] };
    case "negation": {
      const operand = read(node.operand);
      const isNumber = operand.kind === "literal" && operand.node.kind !== "constant";
      return isNumber ? operand : combine(node, [operand]);
    }
    case "block": {
      const parts = node.expressions.map(read);
      const block: Piece = { node, kind: "block", steps: [], last: parts.at(-1) };
      for (const part of parts) inherit(block, part);
      return block;
    }
    case "fallback": {
      // JSONata copies the left operand: both copies look for their containing objects.
      const [left, copy] = [read(node.left), read(node.left)];
      const piece: Piece = { node, kind: "other", steps: [] };
      for (const part of [copy, left]) inherit(piece, part);
      inherit(piece, read(node.right));
      return piece;
    }
    case "call": {
      const args = node.args.filter((arg) => arg.kind !== "placeholder").map(read);
      read(node.procedure);
      return combine(node, args);
    }
    case "chain":
    case "lambda":
    case "transform":
      for (const child of childrenOf(node)) read(child);
      return { node, kind: "other", steps: [] };
    default:
      return combine(node, childrenOf(node).map(read));
  }
}

/** `A.B`. */
function mapPiece(left: Piece, readRight: () => Piece): Piece {
  const path = pathOf(left);
  if (left.kind === "parent") path.seeking = [left.slot!];
  const right = readRight();
  if (right.kind === "path") path.steps.push(...right.steps);
  else path.steps.push(right);
  const literal = path.steps.find(({ kind }) => kind === "literal");
  if (literal) failWith("S0213", literal.node, describeLiteral(literal.node));
  // A string that is a step is a name.
  for (const step of path.steps) if (step.node.kind === "string") step.kind = "name";
  resolveParents(path);
  return path;
}

/** `E[P]`. */
function filterPiece(target: Piece, node: Filter, readPredicate: () => Piece): Piece {
  const step = lastStep(target);
  if (step.hasGroup) failWith("S0209", node);
  const predicate = readPredicate();
  if (predicate.seeking) {
    for (const slot of predicate.seeking) {
      if (slot.level === 1) seekParent(step, slot);
      else slot.level -= 1;
    }
    inherit(step, predicate);
  }
  step.hasPredicate = true;
  return target;
}

function combine(node: Jsonata, parts: readonly Piece[]): Piece {
  const piece: Piece = { node, kind: "other", steps: [] };
  for (const part of parts) inherit(piece, part);
  return piece;
}

const pathOf = (piece: Piece): Piece =>
  piece.kind === "path" ? piece : { node: piece.node, kind: "path", steps: [piece] };

const lastStep = (piece: Piece): Piece => (piece.kind === "path" ? piece.steps.at(-1)! : piece);

/** The slots that a part has not found are sought by the whole. */
function inherit(whole: Piece, part: Piece): void {
  if (!part.seeking && part.kind !== "parent") return;
  const slots = slotsOf(part);
  if (whole.seeking) whole.seeking.push(...slots);
  else whole.seeking = slots;
}

function slotsOf(piece: Piece): Slot[] {
  const slots = piece.seeking ?? [];
  if (piece.slot) slots.push(piece.slot);
  return slots;
}

/** Seeks the containing objects of the last step in the steps before it. */
function resolveParents(path: Piece): void {
  for (const slot of slotsOf(path.steps.at(-1)!)) {
    let index = path.steps.length - 2;
    while (slot.level > 0) {
      if (index < 0) {
        path.seeking ??= [];
        path.seeking.push(slot);
        break;
      }
      let step = path.steps[index--]!;
      // Steps in a row that bind the focus have the same context.
      while (step.hasFocus && path.steps[index]?.hasFocus) step = path.steps[index--]!;
      seekParent(step, slot);
    }
  }
}

function seekParent(piece: Piece, slot: Slot): void {
  switch (piece.kind) {
    case "name":
    case "wildcard":
      slot.level -= 1;
      return;
    case "parent":
      slot.level += 1;
      return;
    case "block":
      if (piece.last) seekParent(piece.last, slot);
      return;
    case "path": {
      let index = piece.steps.length - 1;
      do seekParent(piece.steps[index--]!, slot);
      while (slot.level > 0 && index >= 0);
      return;
    }
    default:
      failWith("S0217", piece.node, "%");
  }
}

const describeLiteral = (node: Jsonata): string =>
  node.kind === "number" || node.kind === "constant" ? `\`${node.value}\`` : "";
