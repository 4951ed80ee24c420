import { mergeOptions } from "../languages/options.ts";
import { emptySettings, type TargetSettings } from "../target/contract.ts";
import type { BindingEntry } from "./bindings.ts";
import type { Configuration } from "./index.ts";

/**
 * Adds what a configuration extends. Its own options, settings and bindings of a function or an event for a target
 * replace those of the base, and so does each of its lists.
 */
export function mergeConfigurations(base: Configuration, own: Configuration): Configuration {
  return {
    ...own,
    trust: own.trust ?? base.trust,
    options: mergeOptions(base.options, own.options),
    functions: mergeMaps(base.functions, own.functions, mergeEntries),
    events: mergeMaps(base.events, own.events, mergeEntries),
    targets: mergeMaps(base.targets, own.targets, mergeTargets),
    workflows: new Map([...(base.workflows ?? []), ...(own.workflows ?? [])]),
    levels: new Map([...(base.levels ?? []), ...(own.levels ?? [])]),
    pick: own.pick ?? base.pick,
    placeholders: new Map([...(base.placeholders ?? []), ...(own.placeholders ?? [])]),
    include: own.include ?? base.include,
    exclude: own.exclude ?? base.exclude,
  };
}

function mergeMaps<Value>(
  base: ReadonlyMap<string, Value>,
  own: ReadonlyMap<string, Value>,
  merge: (base: Value, own: Value) => Value,
): ReadonlyMap<string, Value> {
  const merged = new Map(base);
  for (const [name, value] of own) {
    const before = base.get(name);
    merged.set(name, before === undefined ? value : merge(before, value));
  }
  return merged;
}

const mergeEntries = (base: BindingEntry, own: BindingEntry): BindingEntry => ({
  name: own.name,
  byTarget: new Map([...base.byTarget, ...own.byTarget]),
  result: own.result ?? base.result,
  data: own.data ?? base.data,
  parameter: own.parameter ?? base.parameter,
  exported: own.exported ?? (isRebound(base, own) ? undefined : base.exported),
  trust: own.trust ?? base.trust,
  bindsReceivedEvents: own.bindsReceivedEvents || base.bindsReceivedEvents,
  isInvalid: own.isInvalid === true || base.isInvalid === true,
});

/** Whether another binding replaces that to the export. */
const isRebound = ({ exported }: BindingEntry, { byTarget }: BindingEntry): boolean =>
  exported !== undefined && byTarget.has(exported.target);

const mergeTargets = (base: TargetSettings = emptySettings, own: TargetSettings): TargetSettings => ({
  values: { ...base.values, ...own.values },
  spanOf: (...path) => own.spanOf(...path) ?? base.spanOf(...path),
});
