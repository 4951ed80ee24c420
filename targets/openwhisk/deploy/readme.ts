import { templates } from "../../../src/generated/openwhisk-templates.js";
import { mainWorkflow } from "../../../src/ir/order.ts";
import { renderTemplate } from "../../../src/js-ast/index.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import { nativeComposition } from "../composition.ts";
import { secretKey } from "../runtime/actions/secrets.ts";
import { type Deployment, isAction } from "./deployment.ts";
import {
  endTriggers,
  eventsOf,
  helperKind,
  needsJanitor,
  needsStore,
  type PlannedWorkflow,
  type ProgramTimer,
  secretsOf,
  timersOf,
} from "./plan.ts";

/** Prints the README with only the sections that apply to the program. */
export function printReadme(
  workflows: readonly PlannedWorkflow[],
  deployment: Deployment,
  composer: readonly OutputFile[],
): string {
  const own = deployment.package;
  const isWrapping = ({ workflow }: PlannedWorkflow) => nativeComposition(workflow) === undefined;
  const missing = workflows.flatMap(({ workflow }) =>
    workflow.functions
      .filter((definition) => isAction(definition) && deployment.isUnbound(workflow, definition))
      .map((definition) => deployment.action(workflow, definition)),
  );
  const events = eventsOf(workflows, deployment);
  const received = events.filter(({ isReceived }) => isReceived).map(({ trigger }) => ({ trigger }));
  const emitted = events.filter(({ isReceived }) => !isReceived).map(({ trigger }) => ({ trigger }));
  const kind = helperKind(workflows);
  const receiving = kind === "events" ? [{}] : [];
  const ended = endTriggers(workflows).map(([action, trigger]) => ({ action: `${own}/${action}`, trigger }));
  const files = composer.map(({ path, workflow }) => {
    const { action } = workflows.find((each) => each.workflow.id === workflow)!;
    return { action: `${own}/${action}`, file: path };
  });
  const { id } = mainWorkflow({ workflows: workflows.map(({ workflow }) => workflow) })!;
  const main = workflows.find(({ workflow }) => workflow.id === id)!;
  const hasStore = needsStore(workflows);
  const secrets = secretsOf(workflows);
  return renderTemplate(templates["README.md"], {
    workflows: workflows.map(({ workflow, action, name }) => ({
      name: escapeMarkdown(workflow.name),
      action: `${own}/${action}`,
      file: `${name}.composition.json`,
    })),
    helpers: kind === undefined ? [] : [{}],
    storing: hasStore ? [{ package: own, ended }] : [],
    janitor: hasStore && needsJanitor(workflows) ? [{}] : [],
    unattended: hasStore && !needsJanitor(workflows) ? [{ package: own }] : [],
    direct: hasStore ? [] : [{}],
    secrets: secrets.length > 0 ? [{ example: exampleOf(secrets) }] : [],
    composer: files.length > 0 ? [{ files }] : [],
    missing: missing.length > 0 ? [{ actions: [...new Set(missing)].map((action) => ({ action })) }] : [],
    wrapping: workflows.some(isWrapping) ? [{}] : [],
    first: `${own}/${main.action}`,
    events: events.length > 0 ? [{ received, emitted, receiving }] : [],
    receiving,
    timers: timersOf(workflows).length > 0 ? [{ started: timersOf(workflows).map(timerLine) }] : [],
  });
}

const timerLine = ({ trigger, flow, alarm: { inputs } }: ProgramTimer): { readonly [name: string]: string } => ({
  trigger,
  name: escapeMarkdown(flow.workflow.name),
  when: "cron" in inputs ? `at \`${String(inputs["cron"])}\`` : `every ${String(inputs["minutes"])} minutes`,
});

/** Quoted for a shell: `{"mail":{"key":"…"}}` */
function exampleOf(secrets: ReturnType<typeof secretsOf>): string {
  const byId = [...Map.groupBy(secrets, ({ id }) => id)].map(([id, each]) => {
    return [id, Object.fromEntries(each.map((secret) => [secretKey(secret), "…"]))] as const;
  });
  return JSON.stringify(Object.fromEntries(byId)).replaceAll("'", "'\\''");
}

const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);
