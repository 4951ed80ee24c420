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
function putOff(levels, left, right) {
  if (!levels.later) levels.later = [];
  levels.later.push(left, right);
}
function compareNumbers(left, right) {
  if (Number.isNaN(left)) return -1;
  if (Number.isNaN(right)) return 1;
  return left < right ? -1 : left > right ? 1 : 0;
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
function compareLists(left, right, depth, levels) {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const order = compareInside(left[i], right[i], depth, levels);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
function sortedKeys(object) {
  return Object.keys(object).sort(compareStrings);
}
function raise(value) {
  throw new EvaluationError(value);
}
function compareRecords(left, right, depth, levels) {
  const keys = sortedKeys(left);
  const others = sortedKeys(right);
  if (depth + Math.sign(Math.min(keys.length, others.length)) > 1e4) raise("Comparison too deep");
  const order = compareLists(keys, others, depth, levels);
  if (order !== 0) return order;
  for (const key of keys) {
    const order2 = compareInside(left[key], right[key], depth, levels);
    if (order2 !== 0) return order2;
  }
  return 0;
}
function rankOf(value) {
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 2 : 1;
  if (typeof value === "number") return 3;
  if (typeof value === "string") return 4;
  return Array.isArray(value) ? 5 : 6;
}
function isList(value) {
  return Array.isArray(value);
}
function compareInside(left, right, depth, levels) {
  if (depth > 1e4) return raise("Comparison too deep");
  if (typeof left === "number" && typeof right === "number") return compareNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  const rank = rankOf(left);
  if (rank < 5 || rank !== rankOf(right)) return rank - rankOf(right);
  if (depth >= levels.end) {
    putOff(levels, left, right);
    return 0;
  }
  if (isList(left)) return compareLists(left, right, depth + 1, levels);
  return compareRecords(left, right, depth + 1, levels);
}
function compareFrom(left, right, depth) {
  const levels = { end: depth + 500, later: void 0 };
  const order = compareInside(left, right, depth, levels);
  const { end, later } = levels;
  if (later) {
    for (let i = 0; i < later.length; i += 2) {
      const earlier = compareFrom(later[i], later[i + 1], end);
      if (earlier !== 0) return earlier;
    }
  }
  return order;
}
function compareValues(left, right) {
  if (typeof left === "number" && typeof right === "number") return compareNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  return compareFrom(left, right, 0);
}
function isLess(left, right) {
  return compareValues(left, right) < 0;
}
function placedDigits(digits, point) {
  if (point > -4 && point <= digits.length + 15) return digits.padEnd(point, "0");
  const exponent = Math.abs(point - 1);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${digits[0]}${fraction}e${point < 1 ? "-" : "+"}${exponent < 10 ? "0" : ""}${exponent}`;
}
function numberText(value) {
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) return String(value);
  if (size === 0) return 1 / value < 0 ? "-0" : "0";
  if (Number.isNaN(value)) return "null";
  const [mantissa, exponent] = (size === Infinity ? Number.MAX_VALUE : size).toExponential().split("e");
  return (value < 0 ? "-" : "") + placedDigits(mantissa.replace(".", ""), Number(exponent) + 1);
}
function quoted(text) {
  return JSON.stringify(text).replace(/\x7f/g, "\\u007f");
}
function jsonInside(value, depth, end, later) {
  if (depth > 1e4) return "<skipped: too deep>";
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (depth >= end) {
    later.push(value);
    return "\0";
  }
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value)
      text += `${text === "" ? "" : ","}${jsonInside(item, depth + 1, end, later)}`;
    return `[${text}]`;
  }
  const members = value;
  for (const key of Object.keys(members)) {
    text += `${text === "" ? "" : ","}${quoted(key)}:${jsonInside(members[key], depth + 1, end, later)}`;
  }
  return `{${text}}`;
}
function jsonFrom(value, depth) {
  const later = [];
  const text = jsonInside(value, depth, depth + 500, later);
  if (later.length === 0) return text;
  const pieces = text.split("\0");
  return later.reduce((before, inner, i) => before + jsonFrom(inner, depth + 500) + pieces[i + 1], pieces[0]);
}
function toJson(input) {
  return jsonFrom(input, 0);
}
function byteCount(text) {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) count += unit > 2047 && (unit & 63488) !== 55296 ? 2 : 1;
  }
  return count;
}
function excerpt(value) {
  const text = toJson(value);
  if (text.length < 30 && byteCount(text) < 30) return text;
  const end = typeof value === "string" ? '"' : Array.isArray(value) ? "]" : typeof value === "object" && value !== null ? "}" : "";
  let start = "";
  let size = 26 - end.length;
  for (const character of text) {
    size -= byteCount(character);
    if (size < 0) break;
    start += character;
  }
  return `${start}...${end}`;
}
function typeOf(input) {
  if (input === null) return "null";
  return Array.isArray(input) ? "array" : typeof input;
}
function raiseTwo(left, right, what) {
  return raise(`${typeOf(left)} (${excerpt(left)}) and ${typeOf(right)} (${excerpt(right)}) ${what}`);
}
function plus(left, right) {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (left === null) return right;
  if (right === null) return left;
  if (isList(left) && isList(right)) return left.concat(right);
  if (isRecord(left) && isRecord(right)) return { ...left, ...right };
  return raiseTwo(left, right, "cannot be added");
}

export { absorbJson as absorb, isLess, plus };
