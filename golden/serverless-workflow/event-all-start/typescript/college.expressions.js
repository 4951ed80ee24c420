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
function attributeKey(event, name) {
  const folded = name.toLowerCase();
  return isRecord(event) && folded !== "data" ? Object.keys(event).find((key) => key.toLowerCase() === folded) : void 0;
}
function attributeOf(event, name) {
  const key = attributeKey(event, name);
  return key === void 0 ? void 0 : event[key];
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
const text = (value2) => typeof value2 === "string" ? value2 : JSON.stringify(value2);

const finaliseEvents__1_ = ["applicantId"];
function finaliseEvents_(input, $data_1, $received_2) {
let s3 = $data_1;
const v5 = named($received_2, "events");
if (v5 !== undefined) {
for (const v6 of iteratedIf(v5)) {
const $each_7 = v6;
const v8 = s3;
s3 = null;
let v9;
l10: {
{
const v11 = named($each_7, "event");
if (v11 !== undefined) {
const v12 = named(v11, "data");
if (v12 !== undefined) {
v9 = v12;
break l10;
}
}
}
{
v9 = null;
break l10;
}
}
const v13 = named($each_7, "name");
if (v13 !== undefined) {
const $merged_14 = absorbJson(v8, v9, v13);
let b15 = false;
l16: {
const v17 = named($merged_14, "applicantId");
if (v17 !== undefined) {
b15 = true;
break l16;
}
}
let v18;
if (b15) {
v18 = true;
} else {
let b19 = false;
l20: {
const v21 = named($each_7, "event");
if (v21 !== undefined) {
const k22 = attributeKey(v21, text("applicantId"));
if (k22 !== undefined) {
v21[k22];
b19 = true;
break l20;
}
}
}
v18 = isFalse(b19);
}
if (v18) {
s3 = $merged_14;
} else {
const v23 = named($each_7, "event");
if (v23 !== undefined) {
const k24 = attributeKey(v23, text("applicantId"));
if (k24 !== undefined) {
s3 = placeJson($merged_14, finaliseEvents__1_, v23[k24]);
}
}
}
}
}
}
return s3;
}
export const finaliseEvents = (v1, v2) => finaliseEvents_(null, v1, v2);

export { absorbJson as absorb, attributeOf };
