import {
  defineError,
  type Engine,
  type EngineRun,
  FunctionFailure,
  isObject,
  type Json,
  type JsonObject,
  type OutputFile,
  type RunStatus,
  type Simulator,
  stepsOf,
  type Target,
  type Workflow,
} from "../../src/library/ir.ts";

/** The error for steps other than calls. */
const notOnPaper = defineError("WB9802", (a: { name: string }) => ({
  message: `A sheet cannot say \`${a.name}\`: it lists calls.`,
}));

/** A line of a sheet: the function, its argument and its tool. */
interface Line {
  readonly call: string;
  readonly argument: Json;
  readonly tool?: string;
}

/** The calls of each workflow. */
type Sheets = readonly { readonly id: string; readonly title: string; readonly lines: readonly Line[] }[];

/**
 * A target for tests that lists the calls of a workflow. It has tools as bindings, a setting, a form of expressions and
 * a command.
 */
export const sheets: Target<Sheets> = {
  name: "sheets",
  summary: "sheets of calls, for tests",
  bindings: schemaOf({
    functions: { additionalProperties: { properties: { sheets: { $ref: "#/$defs/function" } } } },
    $defs: {
      function: { title: "binding", type: "object", properties: { tool: { type: "string" } }, required: ["tool"] },
    },
  }),
  settings: {
    validate: (value) =>
      isObject(value) && Object.entries(value).every(([key, each]) => key === "title" && typeof each === "string"),
    schema: () => ({
      title: "settings of sheets",
      type: "object",
      properties: { title: { type: "string" } },
      additionalProperties: false,
    }),
  },
  generate({ workflows }, { configurationOf: configured }, report) {
    let isRefused = false;
    const compiled = workflows.map((workflow) => ({
      id: workflow.id,
      title: String(configured(workflow).values["title"] ?? workflow.name),
      lines: stepsOf(workflow).flatMap((step): readonly Line[] => {
        if (step.kind === "end") return [];
        if (step.kind === "call" && step.argument.kind === "literal") {
          const tool = configured(workflow).functions.get(step.function.name)?.value["tool"];
          return [{ call: step.function.name, argument: step.argument.value, ...(tool ? { tool: String(tool) } : {}) }];
        }
        isRefused = true;
        report(notOnPaper(step.span, { name: step.origin.name }));
        return [];
      }),
    }));
    return isRefused ? undefined : compiled;
  },
  emit: (made) =>
    made.map(({ id, ...sheet }) => ({ path: `${id}.sheet.json`, text: `${JSON.stringify({ id, ...sheet })}\n` })),
  metrics: (made) => made.map(({ id, lines }) => ({ workflow: id, name: "lines", value: lines.length })),
  loadSimulator: async () => executor,
  openEngine: async (files) => engineOn(files),
  printExpression: {
    as: "sheet",
    print: async (expression, _, span) =>
      expression.kind === "literal" ? JSON.stringify(expression.value) : notOnPaper(span, { name: expression.kind }),
  },
  commands: [
    {
      name: "count",
      summary: "counts its arguments",
      run: async (args, { out }) => {
        out(`${args.length}: ${args.join(" ")}\n`);
        return 0;
      },
    },
  ],
};

function schemaOf(schema: JsonObject): NonNullable<Target["bindings"]> {
  const isBinding = (value: unknown): boolean =>
    isObject(value) &&
    (value["sheets"] === undefined || (isObject(value["sheets"]) && typeof value["sheets"]["tool"] === "string"));
  return {
    validate: (value) =>
      isObject(value) && isObject(value["functions"]) && Object.values(value["functions"]).every(isBinding),
    schema: () => ({
      title: "bindings of sheets",
      type: "object",
      properties: { functions: schema["functions"]! },
      $defs: schema["$defs"]!,
    }),
  };
}

function linesOf(files: readonly OutputFile[], workflow: Workflow["id"]): readonly Line[] {
  const { text } = files.find(({ path }) => path === `${workflow}.sheet.json`)!;
  return (JSON.parse(text) as { readonly lines: readonly Line[] }).lines;
}

const executor: Simulator = {
  async run(files, { workflow, environment, input = {} }) {
    environment.started();
    let dish: Json = input;
    try {
      for (const { call, argument } of linesOf(files, workflow)) {
        environment.visit(call);
        dish = await environment.call(call, argument, { position: [] });
      }
      return { status: "succeeded", output: dish };
    } catch (error) {
      if (!(error instanceof FunctionFailure)) throw error;
      const { name, message, data } = error;
      return { status: "failed", error: { name, message, ...(data === undefined ? {} : { data }) } };
    }
  },
  close() {},
};

/** Each function returns its argument and its tool. */
function engineOn(files: readonly OutputFile[]): Engine {
  const endings = new Map<string, RunStatus>();
  const runs = new Map<string, EngineRun>();
  return {
    async start(workflow, input, id) {
      const last = linesOf(files, workflow).at(-1);
      endings.set(id, { status: "succeeded", output: last ? ({ ...last } as unknown as Json) : input });
      runs.set(id, { workflow, input });
      return { workflow, input };
    },
    find: async (id) => runs.get(id),
    deliver: async () => undefined,
    ended: async (id) => endings.get(id)!,
    waitingFor: async () => undefined,
    close: async () => {},
  };
}
