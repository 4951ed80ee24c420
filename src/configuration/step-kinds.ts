import { knownName } from "../ir/definitions.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Binding, TargetConfiguration } from "../target/contract.ts";

/** A configuration of some workflows, whose functions are bound by name. */
export interface ConfiguredWorkflows {
  readonly configuration: TargetConfiguration;
  readonly ids: ReadonlySet<string>;
}

/**
 * Binds functions by the kinds of the steps that call them. Workflows share a configuration unless it would bind functions of
 * the same name differently.
 */
export function bindStepKinds(
  configuration: TargetConfiguration,
  workflows: readonly Workflow[],
): readonly ConfiguredWorkflows[] {
  const groups: { readonly kinds: Map<string, string | undefined>; readonly ids: Set<string> }[] = [];
  for (const workflow of workflows) {
    const kinds = boundKinds(workflow, configuration);
    const group = groups.find((each) =>
      [...kinds].every(([name, kind]) => !each.kinds.has(name) || each.kinds.get(name) === kind),
    );
    if (group) {
      group.ids.add(workflow.id);
      for (const [name, kind] of kinds) group.kinds.set(name, kind);
    } else groups.push({ kinds, ids: new Set([workflow.id]) });
  }
  if (groups.length === 0) return [{ configuration, ids: new Set() }];
  return groups.map(({ kinds, ids }) => ({ ids, configuration: withBindings(configuration, kinds) }));
}

/** The kinds by which a workflow's functions are bound; undefined for others. */
function boundKinds(
  { functions }: Workflow,
  { functions: bound }: TargetConfiguration,
): Map<string, string | undefined> {
  const kindOf = (each: Workflow["functions"][number]): string | undefined => {
    const known = knownName(each, functions, (name) => bound.has(name));
    return known === each.name ? undefined : known;
  };
  return new Map(functions.map((each) => [each.name, kindOf(each)] as const));
}

function withBindings(
  configuration: TargetConfiguration,
  kinds: ReadonlyMap<string, string | undefined>,
): TargetConfiguration {
  const bound = [...kinds].flatMap(([name, kind]): readonly (readonly [string, Binding])[] => {
    const binding = kind === undefined ? undefined : configuration.functions.get(kind);
    return binding ? [[name, { ...binding, name: { ...binding.name, name } }]] : [];
  });
  return bound.length === 0
    ? configuration
    : { ...configuration, functions: new Map([...configuration.functions, ...bound]) };
}
