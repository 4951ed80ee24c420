import type { Block, Loop } from "../../../src/flow/index.ts";
import { quoted } from "../expressions/literal.ts";
import { listed } from "../expressions/written.ts";
import { stepName } from "./acts.ts";
import type { Place } from "./place.ts";

/** The beginning of a round of a loop, with what goes on from one round to the next. */
export function roundLine({ label, body }: Loop, place: Place): readonly string[] {
  const steps = new Set(stepsIn(body));
  const [first] = body;
  const targets = first?.kind === "branch" && first.by.kind === "aim" ? first.by.targets : undefined;
  const live = new Set((targets ?? [label]).flatMap((id) => place.webs.liveAt(id)));
  const carried = [...live].filter((web) => [...web.definitions].some((step) => steps.has(step)));
  const names = [...(targets ? ["aim"] : []), ...carried.flatMap((web) => place.variables.get(web.id)?.name ?? [])];
  const name = quoted(stepName(place, targets?.[0] ?? label));
  if (names.length === 0) return [`await flow.round(${name}, {});`];
  const object = listed("{", names, "}", " ");
  return [`(${object} = await flow.round(${name}, ${object}));`];
}

/** The ids of the steps of a block, those of attempts in it included. */
function stepsIn(block: Block): readonly string[] {
  return block.flatMap((item): readonly string[] => {
    switch (item.kind) {
      case "act":
        return [
          item.step.id,
          ...(item.step.kind === "attempt" ? item.step.body.steps.map(({ id }) => id) : []),
          ...item.handlers.flatMap(stepsIn),
        ];
      case "branch":
        return [...item.ways, item.otherwise ?? []].flatMap(stepsIn);
      case "loop":
      case "labelled":
        return stepsIn(item.body);
      default:
        return [];
    }
  });
}
