// What the workflow's expressions need.

function holds(order, operator) {
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      throw new Error(`Unknown comparison: ${JSON.stringify(operator)}`);
  }
}
function isSurrogate(unit) {
  return unit >= 55296 && unit <= 57343;
}
function compareStrings(left, right) {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}
function putOff(levels, left, right) {
  if (!levels.later) levels.later = [];
  levels.later.push(left, right);
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
function raise(value) {
  throw new EvaluationError(value);
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
function comparesNodes(left, operator, right) {
  const [a, b] = [left[0], right[0]];
  const equal = a === void 0 || b === void 0 ? a === b : equalValues(a, b);
  if (operator === "==") return equal;
  if (operator === "!=") return !equal;
  if (equal) return operator === "<=" || operator === ">=";
  if (typeof a === "number" && typeof b === "number") return holds(a - b, operator);
  return typeof a === "string" && typeof b === "string" && holds(compareStrings(a, b), operator);
}
function iteratedIf(input) {
  if (isList(input)) return input;
  return isRecord(input) ? Object.keys(input).map((key) => input[key]) : [];
}
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
function fail(name, message) {
  throw new EvaluationError({ name, message });
}
function mergeJson(target, value) {
  if (!isObject(value)) return value;
  if (!isObject(target)) fail(dataMergeError.name, dataMergeError.merge);
  return mergeObjects(target, value);
}
const present = (value) => value === void 0 ? [] : [value];

export { comparesNodes, iteratedIf as itemsOf, mergeJson as merge, present };
