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
const text = (value) => typeof value === "string" ? value : JSON.stringify(value);
function nested(path, value) {
  return path.reduceRight((inner, name) => {
    const object = {};
    setOwn(object, name, inner);
    return object;
  }, value);
}
function mergeResultJson(target, value, key) {
  if (value === null) return target;
  if (isObject(value)) return mergeJson(target, value);
  return mergeJson(target, nested([text(key)], value));
}
function named(node, name) {
  return node !== void 0 && isRecord(node) && hasKey(node, name) ? node[name] : void 0;
}
function placeJson(target, path, value) {
  const names = Array.isArray(path) ? path.map(text) : [];
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
function raise(value) {
  throw new EvaluationError(value);
}
function putOff(levels, left, right) {
  if (!levels.later) levels.later = [];
  levels.later.push(left, right);
}
function isList(value) {
  return Array.isArray(value);
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
function switchCondition(values, operator, operand) {
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

export { mergeJson as merge, mergeResultJson as mergeResult, named as memberOf, placeJson as place, present, raise, switchCondition };
