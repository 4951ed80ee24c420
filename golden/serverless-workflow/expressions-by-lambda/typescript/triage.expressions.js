// What the workflow's expressions need.

const dataMergeError = {
  name: "DataMergeError",
  merge: "An object cannot be merged into a value that is not an object.",
  place: "A value cannot be placed inside a value that is not an object."
};
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function own(object, key) {
  return Object.prototype.hasOwnProperty.call(object, key) ? object[key] : void 0;
}
function setOwn(object, key, value) {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
function mergeObjects(target, value) {
  const result = { ...target };
  for (const key of Object.keys(value)) {
    const [before, after] = [own(target, key), value[key]];
    setOwn(result, key, isObject(before) && isObject(after) ? mergeObjects(before, after) : after);
  }
  return result;
}
function hasKey(object, key) {
  return Object.prototype.hasOwnProperty.call(object, key);
}
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function messageOf(value) {
  if (typeof value === "string") return value;
  const message = isRecord(value) && hasKey(value, "message") ? value.message : void 0;
  if (typeof message === "string") return message;
  return JSON.stringify(message === void 0 ? value : message);
}
class EvaluationError extends Error {
  constructor(value) {
    super(messageOf(value));
    this.name = "EvaluationError";
    this.value = value;
  }
}
function fail(name, message) {
  throw new EvaluationError({ name, message });
}
function mergeJson(target, value) {
  if (!isObject(value)) return value;
  if (!isObject(target)) fail(dataMergeError.name, dataMergeError.merge);
  return mergeObjects(target, value);
}
function nested(path, value) {
  return path.reduceRight((inner, name) => {
    const object = {};
    setOwn(object, name, inner);
    return object;
  }, value);
}
const textOf = (value) => typeof value === "string" ? value : JSON.stringify(value);
function absorbJson(target, value, key) {
  if (value === null) return target;
  if (isObject(value)) return mergeJson(target, value);
  return mergeJson(target, nested([textOf(key)], value));
}
function isFalse(value) {
  return value === null || value === false;
}
function isList(value) {
  return Array.isArray(value);
}
function iteratedIf(input) {
  if (isList(input)) return input;
  return isRecord(input) ? Object.keys(input).map((key) => input[key]) : [];
}
const isLargeRegexp = (text) => text.length > 1e4 || text.split("(").length > 1001;
const regexpEscape = "\\\\[(-+.?[-^nrt{-}-]";
const regexpCategory = "\\\\[pP]\\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfno]?)\\}";
const regexpCharacter = `(?:[^[\\]\\\\\\ud800-\\udfff-]|${regexpEscape})`;
const regexpMember = `(?:${regexpCharacter}(?:-${regexpCharacter})?|${regexpCategory})`;
const regexpClass = `\\[(?:\\^|(?!\\^))(?:-|${regexpMember})${regexpMember}*-?\\]`;
const regexpToken = `(${regexpClass})|(${regexpCategory})|(${regexpEscape})|\\{\\d+(?:,\\d*)?\\}|[^\\\\[\\]{}\\ud800-\\udfff]`;
function unescaped(text) {
  if (text.length < 2 || !text.startsWith("\\")) return text;
  const letter = text.charAt(1);
  return letter === "n" ? "\n" : letter === "r" ? "\r" : letter === "t" ? "	" : letter;
}
function classOf(text) {
  const negated = text.charAt(1) === "^";
  const inside = text.slice(negated ? 2 : 1, -1);
  const members = [];
  const member = new RegExp(`(${regexpCategory})|(-|${regexpCharacter})(?:-(${regexpCharacter}))?`, "uy");
  for (let found = member.exec(inside); found !== null; found = member.exec(inside)) {
    const [, category, from = "", to = from] = found;
    members.push(
      category === void 0 ? { kind: "range", from: unescaped(from), to: unescaped(to) } : { kind: "category", text: category }
    );
  }
  return { kind: "class", negated, members };
}
function regexpPart([text, list, category, escaped]) {
  if (list !== void 0) return classOf(list);
  if (category !== void 0) return { kind: "category", text: category };
  if (escaped !== void 0) return { kind: "character", character: unescaped(escaped) };
  if (text === ".") return { kind: "any" };
  return /^[()|*+?{^$]/.test(text) ? { kind: "syntax", text } : { kind: "character", character: text };
}
function characterSource(character) {
  if (/[\^$\\.*+?()[\]{}|/]/.test(character)) return `\\${character}`;
  return /[\p{Cc}\u2028\u2029]/u.test(character) ? `\\u${`000${character.charCodeAt(0).toString(16)}`.slice(-4)}` : character;
}
const classCharacter = (character) => character === "-" ? "\\-" : characterSource(character);
function memberSource(member) {
  if (member.kind === "category") return member.text;
  const { from, to } = member;
  return from === to ? classCharacter(from) : `${classCharacter(from)}-${classCharacter(to)}`;
}
function partSource(part) {
  switch (part.kind) {
    case "syntax":
      return part.text === "(" ? "(?:" : part.text;
    case "any":
      return "[^\\n\\r]";
    case "character":
      return characterSource(part.character);
    case "category":
      return part.text;
    default:
      return `[${part.negated ? "^" : ""}${part.members.map(memberSource).join("")}]`;
  }
}
function regexpSource(parts, whole) {
  const source = parts.map(partSource).join("");
  return whole ? `^(?:${source})$` : source;
}
function isWritable(parts) {
  try {
    return new RegExp(regexpSource(parts, true), "u") !== void 0;
  } catch {
    return false;
  }
}
function readRegexp(text) {
  const token = new RegExp(regexpToken, "uy");
  const parts = [];
  let depth = 0;
  let repeats = false;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (found === null) return void 0;
    const part = regexpPart(found);
    const sign = part.kind === "syntax" ? part.text.charAt(0) : "";
    if ("*+?{".includes(sign) && sign !== "" && !repeats) return void 0;
    if (sign === "(") depth++;
    if (sign === ")" && --depth < 0) return void 0;
    repeats = sign === "" || sign === ")" || sign === "^" || sign === "$";
    parts.push(part);
  }
  return depth === 0 && isWritable(parts) ? parts : void 0;
}
function matchesNode(node, pattern, whole) {
  if (typeof node !== "string" || typeof pattern !== "string") return false;
  if (isLargeRegexp(pattern)) fail("LimitError", "A pattern is too large.");
  const parts = readRegexp(pattern);
  return parts !== void 0 && new RegExp(regexpSource(parts, whole), "u").test(node);
}
function named(node, name) {
  return node !== void 0 && isRecord(node) && hasKey(node, name) ? node[name] : void 0;
}
function placeJson(target, path, value) {
  const names = Array.isArray(path) ? path.map(textOf) : [];
  if (names.length === 0) return value;
  if (!isObject(target)) fail(dataMergeError.name, dataMergeError.place);
  const result = { ...target };
  let object = result;
  for (const name of names.slice(0, -1)) {
    const inner = own(object, name);
    const copy = isObject(inner) ? { ...inner } : {};
    setOwn(object, name, copy);
    object = copy;
  }
  setOwn(object, names[names.length - 1], value);
  return result;
}
const present = (value) => value === void 0 ? [] : [value];
function putOff(levels, left, right) {
  if (!levels.later) levels.later = [];
  levels.later.push(left, right);
}
function raise(value) {
  throw new EvaluationError(value);
}
function equalInside(left, right, depth, levels) {
  if (depth > 1e4) return raise("Equality check too deep");
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (depth >= levels.end) {
    putOff(levels, left, right);
    return true;
  }
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((item, i) => equalInside(item, right[i], depth + 1, levels));
  }
  if (isList(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) => hasKey(right, key) && equalInside(left[key], right[key], depth + 1, levels)
  );
}
function equalFrom(left, right, depth) {
  const levels = { end: depth + 500, later: void 0 };
  const equal = equalInside(left, right, depth, levels);
  const { end, later } = levels;
  if (later) {
    for (let i = 0; i < later.length; i += 2) if (!equalFrom(later[i], later[i + 1], end)) return false;
  }
  return equal;
}
function equalValues(left, right) {
  if (left === right) return true;
  return typeof left === "object" && typeof right === "object" && equalFrom(left, right, 0);
}
function equalsOperand(value, operand) {
  if (typeof operand !== "string") return equalValues(value, operand);
  return typeof value === "object" ? false : String(value) === operand;
}
const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d))$/;
function instantOf(local, fraction2 = "", offset = "+00:00") {
  const milliseconds = Date.parse(`${local}Z`);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== local) return void 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return milliseconds + Number(fraction2.slice(0, 3).padEnd(3, "0")) - (offset.startsWith("-") ? -minutes : minutes) * 6e4;
}
function timeOf(value) {
  var _a;
  if (typeof value !== "string" || value.length > 64) return void 0;
  const [, local, fraction, offset] = (_a = timestamp.exec(value)) != null ? _a : [];
  return local === void 0 ? void 0 : instantOf(local, fraction, offset);
}
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
function numberOf(value) {
  if (typeof value === "number") return value;
  return typeof value === "string" && number.test(value) ? Number(value) : void 0;
}
function both(read, a, b) {
  const [x, y] = [read(a), read(b)];
  return x === void 0 || y === void 0 ? void 0 : [x, y];
}
function orderOf(a, b) {
  var _a;
  const numbers = (_a = both(numberOf, a, b)) != null ? _a : both(timeOf, a, b);
  if (numbers) return Math.sign(numbers[0] - numbers[1] || 0) || (numbers[0] === numbers[1] ? 0 : void 0);
  if (typeof a !== "string" || typeof b !== "string") return void 0;
  return a < b ? -1 : Number(a > b);
}
function ordered(value, operand, holds) {
  const order = orderOf(value, operand);
  return order !== void 0 && holds(order);
}
function patternOf(operand) {
  try {
    if (typeof operand === "string") return new RegExp(operand);
  } catch {
  }
  return fail("ExpressionError", "The operand of `matches` is not a regular expression.");
}
function test(operator, operand) {
  switch (operator) {
    case "equals":
      return (value) => equalsOperand(value, operand);
    case "notequals":
      return (value) => !equalsOperand(value, operand);
    case "lessthan":
      return (value) => ordered(value, operand, (order) => order < 0);
    case "lessthanorequals":
      return (value) => ordered(value, operand, (order) => order <= 0);
    case "greaterthan":
      return (value) => ordered(value, operand, (order) => order > 0);
    case "greaterthanorequals":
      return (value) => ordered(value, operand, (order) => order >= 0);
    case "matches":
    case "notmatches": {
      const pattern = patternOf(operand);
      return (value) => typeof value === "string" && pattern.test(value) === (operator === "matches");
    }
    default:
      throw new Error(`Unknown operator: ${JSON.stringify(operator)}`);
  }
}
function satisfies(values, operator, operand) {
  const list = Array.isArray(values) ? values : [values];
  if (operator === "notexists") return list.length === 0;
  if (list.length === 0) return false;
  switch (operator) {
    case "exists":
      return true;
    case "null":
      return list.includes(null);
    case "notnull":
      return !list.includes(null);
    case "notequals":
    case "notmatches": {
      const holds = test(operator, operand);
      return list.every((value) => value !== null && holds(value));
    }
    default: {
      const holds = test(operator, operand);
      return list.some((value) => value !== null && holds(value));
    }
  }
}

function sort_(input, $data_1) {
const r2 = [];
const v3 = named($data_1, "tickets");
if (v3 !== undefined) {
for (const v4 of iteratedIf(v3)) {
let b5 = false;
l6: {
let v7;
const v9 = named(v4, "text");
if (v9 !== undefined) {
v7 = v9;
}
let v10;
const v12 = named($data_1, "rule");
if (v12 !== undefined) {
v10 = v12;
}
b5 = matchesNode(v7, v10, false) === true;
break l6;
}
if (b5) {
r2.push(v4);
}
}
}
return satisfies(r2, "exists", null);
}
export const sort = (v1) => sort_(null, v1);

function assignValue_(input, $data_1) {
const r2 = [];
const v3 = named($data_1, "tickets");
if (v3 !== undefined) {
for (const v4 of iteratedIf(v3)) {
let b5 = false;
l6: {
let v7;
const v9 = named(v4, "owner");
if (v9 !== undefined) {
v7 = v9;
}
let v10;
const v12 = named($data_1, "staff");
if (v12 !== undefined) {
v10 = v12;
}
b5 = isFalse(matchesNode(v7, v10, true)) === true;
break l6;
}
if (b5) {
r2.push(v4);
}
}
}
return r2;
}
export const assignValue = (v1) => assignValue_(null, v1);

function notifyNotify_(input, $data_1) {
const r2 = [];
const v3 = named($data_1, "tickets");
if (v3 !== undefined) {
for (const v4 of iteratedIf(v3)) {
let b6 = false;
l7: {
let v8;
const v10 = named(v4, "text");
if (v10 !== undefined) {
v8 = v10;
}
let v11;
const v13 = named($data_1, "rule");
if (v13 !== undefined) {
v11 = v13;
}
b6 = matchesNode(v8, v11, false) === true;
break l7;
}
if (b6) {
const v5 = named(v4, "id");
if (v5 !== undefined) {
r2.push(v5);
}
}
}
}
let v14;
l15: {
{
const v16 = named($data_1, "rule");
if (v16 !== undefined) {
v14 = v16;
break l15;
}
}
{
v14 = null;
break l15;
}
}
return { "about": r2, "rule": v14 };
}
export const notifyNotify = (v1) => notifyNotify_(null, v1);

export { absorbJson as absorb, mergeJson as merge, placeJson as place, present, satisfies };
