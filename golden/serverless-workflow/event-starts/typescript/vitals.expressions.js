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
function named(node, name) {
  return node !== void 0 && isRecord(node) && hasKey(node, name) ? node[name] : void 0;
}
function isList(value) {
  return Array.isArray(value);
}
function numbered(node, index) {
  return isList(node) ? node[index < 0 ? node.length + index : index] : void 0;
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

const monitorEvent2__1_ = ["patientId"];
function monitorEvent2_(input, $data_1, $received_2) {
const outputs = [];
let v3;
l4: {
{
const v5 = numbered(named($received_2, "events"), 0);
if (v5 !== undefined) {
const v6 = named(v5, "event");
if (v6 !== undefined) {
const v7 = named(v6, "data");
if (v7 !== undefined) {
v3 = v7;
break l4;
}
}
}
}
{
v3 = null;
break l4;
}
}
const $merged_8 = absorbJson($data_1, v3, "HighPressure");
let b9 = false;
l10: {
const v11 = named($merged_8, "patientId");
if (v11 !== undefined) {
b9 = true;
break l10;
}
}
let v12;
if (b9) {
v12 = true;
} else {
let b13 = false;
l14: {
const v15 = numbered(named($received_2, "events"), 0);
if (v15 !== undefined) {
const v16 = named(v15, "event");
if (v16 !== undefined) {
const k17 = attributeKey(v16, text("patientId"));
if (k17 !== undefined) {
v16[k17];
b13 = true;
break l14;
}
}
}
}
v12 = isFalse(b13);
}
if (v12) {
outputs.push($merged_8);
} else {
const v18 = numbered(named($received_2, "events"), 0);
if (v18 !== undefined) {
const v19 = named(v18, "event");
if (v19 !== undefined) {
const k20 = attributeKey(v19, text("patientId"));
if (k20 !== undefined) {
outputs.push(placeJson($merged_8, monitorEvent2__1_, v19[k20]));
}
}
}
}
return outputs;
}
export const monitorEvent2 = (v1, v2) => monitorEvent2_(null, v1, v2);

const monitorEvent__1_ = ["patientId"];
function monitorEvent_(input, $data_1, $received_2) {
const outputs = [];
let v3;
l4: {
{
const v5 = numbered(named($received_2, "events"), 0);
if (v5 !== undefined) {
const v6 = named(v5, "event");
if (v6 !== undefined) {
const v7 = named(v6, "data");
if (v7 !== undefined) {
v3 = v7;
break l4;
}
}
}
}
{
v3 = null;
break l4;
}
}
const $merged_8 = absorbJson($data_1, v3, "HighTemperature");
let b9 = false;
l10: {
const v11 = named($merged_8, "patientId");
if (v11 !== undefined) {
b9 = true;
break l10;
}
}
let v12;
if (b9) {
v12 = true;
} else {
let b13 = false;
l14: {
const v15 = numbered(named($received_2, "events"), 0);
if (v15 !== undefined) {
const v16 = named(v15, "event");
if (v16 !== undefined) {
const k17 = attributeKey(v16, text("patientId"));
if (k17 !== undefined) {
v16[k17];
b13 = true;
break l14;
}
}
}
}
v12 = isFalse(b13);
}
if (v12) {
outputs.push($merged_8);
} else {
const v18 = numbered(named($received_2, "events"), 0);
if (v18 !== undefined) {
const v19 = named(v18, "event");
if (v19 !== undefined) {
const k20 = attributeKey(v19, text("patientId"));
if (k20 !== undefined) {
outputs.push(placeJson($merged_8, monitorEvent__1_, v19[k20]));
}
}
}
}
return outputs;
}
export const monitorEvent = (v1, v2) => monitorEvent_(null, v1, v2);

export { absorbJson as absorb, attributeOf };
