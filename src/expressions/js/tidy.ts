import {
  type Block,
  blockMayComplete,
  boundNames,
  childrenOf,
  isPure,
  type JsExpression,
  type JsNode,
  js,
  mapNodes,
  negate,
  type Statement,
  type VariableDeclaration,
  walkNodes,
} from "../../js-ast/index.ts";

import type { Temporary } from "./temporaries.ts";
import { wordOfCode } from "./words.ts";

/**
 * Simplifies the statements of a program, whose temporaries all have different names. Inlines constants that rename a value, or that the next statement uses
 * once before it evaluates anything else. Drops unneeded branches, blocks and labels.
 */
export function tidy(body: Block, temporaries: Map<string, Temporary>): Block {
  let current = body;
  for (let round = 0; round < maxRounds; round += 1) {
    const tidying = new Tidying(current, temporaries);
    current = tidying.block(current, true);
    if (!tidying.hasDropped) break;
  }
  return current;
}

/** What is dropped may have been the last use of something else. */
const maxRounds = 3;

/** What is known of the names of a program. */
class Tidying {
  /** Whether code that used names was dropped. */
  hasDropped = false;
  readonly #uses = new Map<string, number>();
  readonly #assignments = new Map<string, number>();
  readonly #jumps = new Map<string, number>();
  /** What is written in place of constants. */
  readonly #replaced = new Map<string, JsExpression>();

  readonly #temporaries: Map<string, Temporary>;

  constructor(body: Block, temporaries: Map<string, Temporary>) {
    this.#temporaries = temporaries;
    for (const node of walkNodes(body)) {
      if (node.kind === "identifier") add(this.#uses, node.name, 1);
      for (const name of targetsOf(node)) {
        add(this.#uses, name, -1);
        if (node.kind === "assign") add(this.#assignments, name, 1);
      }
      if (node.kind === "jump" && node.label !== undefined) add(this.#jumps, node.label, 1);
    }
  }

  /** `isLast`: whether the function ends after the block. */
  block(body: Block, isLast: boolean): Block {
    const result: Statement[] = [];
    for (let i = 0; i < body.length; i += 1) {
      const [statement, length] = this.#joined(body, i);
      i += length - 1;
      const isEnd = isLast && i === body.length - 1;
      if (statement.kind === "variable" && this.#isReplaced(statement, nextOf(body, i + 1))) continue;
      result.push(...this.#statement(statement, isEnd));
      const last = result.at(-1);
      if (last && !blockMayComplete([last]) && last.kind !== "labeled") break;
    }
    const flat = withoutOnlyBlock(result);
    return isLast ? withoutFinalTest(flat) : flat;
  }

  /** A variable that the next statement sets becomes a constant. Also returns the number of statements that it replaces. */
  #joined(body: Block, i: number): readonly [Statement, number] {
    const [statement, next] = [body[i]!, body[i + 1]];
    if (statement.kind !== "variable" || statement.value || statement.target.kind !== "identifier")
      return [statement, 1];
    const { name } = statement.target;
    const count = this.#assignments.get(name) ?? 0;
    const set = next && valueSetBy([next], name);
    if (set && count === 1) {
      this.#assignments.delete(name);
      return [js.constant(name, set), 2];
    }
    if (set && !walkNodes([set]).some((node) => node.kind === "identifier" && node.name === name)) {
      this.#assignments.set(name, count - 1);
      return [js.variable(name, set, { type: statement.type }), 2];
    }
    if (next?.kind !== "if" || count !== 2) return [statement, 1];
    const [yes, no] = [valueSetBy(next.then, name), valueSetBy(next.otherwise ?? [], name)];
    return yes && no ? [js.constant(name, js.conditional(next.test, yes, no)), 2] : [statement, 1];
  }

  /** Whether a constant is written where it is used. */
  #isReplaced({ keyword, target, value: own }: VariableDeclaration, next: Statement | undefined): boolean {
    if (keyword !== "const" || target.kind !== "identifier" || !own) return false;
    const { name } = target;
    const value = this.#resolved(own);
    const count = this.#uses.get(name) ?? 0;
    const isName = value.kind === "identifier" && !this.#assignments.has(value.name);
    if (isName || isSmallLiteral(value)) {
      if (isName) {
        add(this.#uses, value.name, count - 1);
        this.#passName(name, value.name);
      }
      this.#replaced.set(name, value);
      return true;
    }
    if (count === 0 && hasNoEffect(this.#code(value))) {
      this.hasDropped ||= value.kind !== "literal";
      return true;
    }
    if (count !== 1 || !next || firstUse(next, name) !== "first") return false;
    this.#replaced.set(name, value);
    return true;
  }

  #statement(statement: Statement, isLast: boolean): readonly Statement[] {
    switch (statement.kind) {
      case "variable": {
        const { target, value } = statement;
        if (target.kind !== "identifier" || this.#isRead(target.name)) return [this.#code(statement)];
        return value ? this.#dropped(value) : [];
      }
      case "expression": {
        const { expression } = statement;
        if (expression.kind !== "assign" || expression.target.kind !== "identifier" || expression.operator !== "=")
          return this.#dropped(expression);
        return this.#isRead(expression.target.name) ? [this.#code(statement)] : this.#dropped(expression.value);
      }
      case "if":
        return this.#if(
          this.#code(statement.test),
          this.block(statement.then, isLast),
          this.block(statement.otherwise ?? [], isLast),
        );
      case "block": {
        const body = this.block(statement.body, isLast);
        return body.some(({ kind }) => kind === "variable") ? [js.block(body)] : body;
      }
      case "labeled":
        return this.#labeled(statement.label, statement.body, isLast);
      case "while":
        return [{ ...statement, test: this.#code(statement.test), body: this.block(statement.body, false) }];
      case "for":
        return [
          {
            ...statement,
            initial: statement.initial && this.#code(statement.initial),
            test: statement.test && this.#code(statement.test),
            update: statement.update && this.#code(statement.update),
            body: this.block(statement.body, false),
          },
        ];
      case "forOf":
        return [{ ...statement, values: this.#code(statement.values), body: this.block(statement.body, false) }];
      case "try":
        return [
          {
            ...statement,
            body: this.block(statement.body, false),
            handler: statement.handler && { ...statement.handler, body: this.block(statement.handler.body, false) },
          },
        ];
      case "functionDeclaration":
        return [{ ...statement, body: this.block(statement.body, true) }];
      default:
        return [this.#code(statement)];
    }
  }

  /** A name from the source passes to what it is another name for, unless that has one too. */
  #passName(name: string, other: string): void {
    const [temporary, kept] = [this.#temporaries.get(name), this.#temporaries.get(other)];
    const word = temporary && sourceWord(name);
    if (word === undefined || !kept || sourceWord(other) !== undefined || kept.words[0] === word) return;
    this.#temporaries.set(other, { ...kept, words: [word, ...kept.words] });
  }

  #isRead(name: string): boolean {
    return (this.#uses.get(name) ?? 0) > 0;
  }

  /** The evaluation of what has no use. */
  #dropped(value: JsExpression): readonly Statement[] {
    const code = this.#code(value);
    if (!hasNoEffect(code)) return [js.expressionStatement(code)];
    this.hasDropped ||= code.kind !== "literal";
    return [];
  }

  #if(test: JsExpression, then: Block, otherwise: Block): readonly Statement[] {
    if (then.length === 0 && otherwise.length === 0) return hasNoEffect(test) ? [] : [js.expressionStatement(test)];
    if (then.length === 0) return [js.ifStatement(negate(test), otherwise)];
    if (otherwise.length === 0) return [js.ifStatement(test, then)];
    return blockMayComplete(then)
      ? [js.ifStatement(test, then, otherwise)]
      : [js.ifStatement(test, then), ...otherwise];
  }

  /** A label that nothing jumps to, or only from its end, is dropped; a loop that is left from inside needs none. */
  #labeled(label: string, statement: Statement, isLast: boolean): readonly Statement[] {
    const body =
      statement.kind === "block"
        ? this.block(this.#withoutEnd(statement.body, label), isLast)
        : this.#statement(statement, isLast);
    const jumps = this.#jumps.get(label) ?? 0;
    if (jumps === 0 && !this.#uses.has(label))
      return body.some(({ kind }) => kind === "variable") && body.length > 1 ? [js.block(body)] : body;
    const [loop, ...rest] = body;
    if (loop && rest.length === 0 && (loop.kind === "forOf" || loop.kind === "for" || loop.kind === "while")) {
      const [plain, count] = withPlainBreaks(loop.body, label);
      if (count === jumps && !this.#uses.has(label)) return [{ ...loop, body: plain }];
      return [js.labeled(label, loop)];
    }
    return [js.labeled(label, body)];
  }

  #withoutEnd(body: Block, label: string): Block {
    const last = body.at(-1);
    if (last?.kind === "jump" && last.label === label) {
      add(this.#jumps, label, -1);
      return this.#withoutEnd(body.slice(0, -1), label);
    }
    if (last?.kind === "if") {
      const then = this.#withoutEnd(last.then, label);
      const otherwise = last.otherwise && this.#withoutEnd(last.otherwise, label);
      return [...body.slice(0, -1), { ...last, then, otherwise }];
    }
    if (last?.kind === "block") return [...body.slice(0, -1), js.block(this.#withoutEnd(last.body, label))];
    return body;
  }

  /** Code with what is written in place of names in it. */
  #code<T extends JsNode>(code: T): T {
    return mapNodes(
      code,
      (node) => this.#node(node),
      ({ kind }) => kind === "function",
    );
  }

  #node(node: JsNode): JsNode {
    if (node.kind === "function")
      return { ...node, body: "kind" in node.body ? this.#code(node.body) : this.block(node.body, true) };
    if (node.kind !== "identifier") return node;
    const code = this.#resolved(node);
    return code.kind === "function" ? this.#node(code) : code;
  }

  /** What is written for a name. */
  #resolved(code: JsExpression): JsExpression {
    const other = code.kind === "identifier" ? this.#replaced.get(code.name) : undefined;
    return other ? this.#resolved(other) : code;
  }
}

/** The only block in a block needs no braces: all names differ. */
function withoutOnlyBlock(body: Block): Block {
  return body.filter(({ kind }) => kind === "block").length === 1
    ? body.flatMap((statement) => (statement.kind === "block" ? statement.body : [statement]))
    : body;
}

/** The next statement that does more than to declare a variable with a constant or something empty. */
function nextOf(body: Block, start: number): Statement | undefined {
  let i = start;
  while (i < body.length - 1 && isEmptyDeclaration(body[i]!)) i += 1;
  return body[i];
}

/** Functions of the runtime that have no effects and cannot fail. */
const totalFunctions: ReadonlySet<string> = new Set(["childOf", "memberOf", "elementOf", "present", "isTrue"]);

function hasNoEffect(code: JsExpression): boolean {
  switch (code.kind) {
    case "new":
      return code.args.length === 0;
    case "call":
      return code.callee.kind === "identifier" && totalFunctions.has(code.callee.name) && code.args.every(hasNoEffect);
    case "unary":
      return hasNoEffect(code.operand);
    case "binary":
      return hasNoEffect(code.left) && hasNoEffect(code.right);
    case "conditional":
      return [code.condition, code.then, code.otherwise].every(hasNoEffect);
    case "array":
      return code.elements.every(hasNoEffect);
    case "object":
      return code.members.every(
        (member) =>
          member.kind === "property" &&
          hasNoEffect(member.value) &&
          (typeof member.key === "string" || hasNoEffect(member.key)),
      );
    default:
      return isPure(code);
  }
}

const isEmptyDeclaration = (statement: Statement): boolean =>
  statement.kind === "variable" &&
  (!statement.value ||
    statement.value.kind === "literal" ||
    (statement.value.kind === "array" && statement.value.elements.length === 0) ||
    (statement.value.kind === "new" && statement.value.args.length === 0));

const sourceWord = (name: string): string | undefined => wordOfCode(js.name(name));

const add = (counts: Map<string, number>, name: string, more: number): void => {
  counts.set(name, (counts.get(name) ?? 0) + more);
};

/** The names that a node declares or sets, which are identifiers in it too. */
function targetsOf(node: JsNode): readonly string[] {
  switch (node.kind) {
    case "variable":
    case "parameter":
    case "forOf":
      return boundNames(node.target);
    case "assign":
      return node.operator === "=" && (node.target.kind === "identifier" || node.target.kind === "arrayPattern")
        ? boundNames(node.target)
        : [];
    case "try":
      return node.handler?.caught ? boundNames(node.handler.caught) : [];
    default:
      return [];
  }
}

/** The value of a block that does nothing but set a variable. */
function valueSetBy(body: Block, name: string): JsExpression | undefined {
  const [only, ...others] = body;
  if (only?.kind !== "expression" || others.length > 0 || only.expression.kind !== "assign") return undefined;
  const { target, operator, value } = only.expression;
  return target.kind === "identifier" && target.name === name && operator === "=" ? value : undefined;
}

const isSmallLiteral = (value: JsExpression): boolean =>
  value.kind === "literal" && (typeof value.value !== "string" || value.value.length <= 20);

/** Whether a statement evaluates a name before all else that has an effect or may fail, and whatever values are; `free`: it has neither. */
type FirstUse = "first" | "later" | "free";

function firstUse(node: JsNode, name: string): FirstUse {
  switch (node.kind) {
    case "identifier":
      return node.name === name ? "first" : "free";
    case "literal":
    case "jump":
      return "free";
    case "variable":
      return node.value ? firstUse(node.value, name) : "free";
    case "expression":
      return firstUse(node.expression, name);
    case "return":
      return node.value ? firstUse(node.value, name) : "free";
    case "throw":
      return firstUse(node.value, name);
    case "if":
      return unlessFree(firstUse(node.test, name));
    case "forOf":
      return unlessFree(firstUse(node.values, name));
    case "assign":
      return node.target.kind === "identifier" && node.operator === "="
        ? unlessFree(firstUse(node.value, name))
        : "later";
    case "conditional":
      return unlessFree(firstUse(node.condition, name));
    case "binary": {
      const left = firstUse(node.left, name);
      if (left !== "free") return left;
      const right = firstUse(node.right, name);
      return ["&&", "||", "??"].includes(node.operator) && right !== "free" ? "later" : right;
    }
    case "call":
    case "new":
      return unlessFree(firstOf([...(node.callee.kind === "identifier" ? [] : [node.callee]), ...node.args], name));
    case "template":
      return unlessFree(
        firstOf(
          node.parts.filter((part) => typeof part !== "string"),
          name,
        ),
      );
    case "member":
    case "element":
    case "array":
    case "object":
    case "property":
    case "unary":
    case "nonNull":
      return firstOf(childrenOf(node), name);
    case "spread":
      return unlessFree(firstUse(node.operand, name));
    case "function":
      return walkNodes([node]).some((each) => each.kind === "identifier" && each.name === name) ? "later" : "free";
    default:
      return "later";
  }
}

const unlessFree = (use: FirstUse): FirstUse => (use === "free" ? "later" : use);

function firstOf(nodes: readonly JsNode[], name: string): FirstUse {
  for (const node of nodes) {
    const use = firstUse(node, name);
    if (use !== "free") return use;
  }
  return "free";
}

/** The body of a loop with `break;` in place of `break label;`, but for loops and functions in it; how many these were. */
function withPlainBreaks(body: Block, label: string): readonly [Block, number] {
  let count = 0;
  const isKept = ({ kind }: JsNode): boolean =>
    ["forOf", "for", "while", "function", "functionDeclaration", "switch"].includes(kind);
  const plain = mapNodes(
    body,
    (node) => {
      if (node.kind !== "jump" || node.label !== label || node.keyword !== "break") return node;
      count += 1;
      return js.breakStatement();
    },
    isKept,
  );
  return [plain, count];
}

/** `if (value !== undefined) return value;` at the end of a function is `return value;`. */
function withoutFinalTest(body: Block): Block {
  const last = body.at(-1);
  if (last?.kind !== "if" || last.otherwise || last.then.length !== 1) return body;
  const [only] = last.then;
  const { test } = last;
  if (only?.kind !== "return" || only.value?.kind !== "identifier" || test.kind !== "binary") return body;
  const isPresent = test.operator === "!==" && test.right.kind === "identifier" && test.right.name === "undefined";
  return isPresent && test.left.kind === "identifier" && test.left.name === only.value.name
    ? [...body.slice(0, -1), only]
    : body;
}
