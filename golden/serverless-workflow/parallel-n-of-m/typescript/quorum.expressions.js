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
function changedMembers(value, base) {
  const result = {};
  for (const key of Object.keys(value)) {
    const [after, before] = [value[key], own(base, key)];
    if (before === void 0) setOwn(result, key, after);
    else if (!isObject(after) || !isObject(before)) {
      if (!equalValues(after, before)) setOwn(result, key, after);
    } else {
      const inner = changedMembers(after, before);
      if (Object.keys(inner).length > 0) setOwn(result, key, inner);
    }
  }
  return result;
}
function changesJson(value, base) {
  if (isObject(value) && isObject(base)) return changedMembers(value, base);
  return equalValues(value, base) ? null : value;
}

export { absorbJson as absorb, changesJson as changes };
