import type { Api } from "./api.ts";
import { RequestError } from "./api.ts";
import { fill, h } from "./dom.ts";
import type { RunRow } from "./model.ts";
import type { Graph } from "./picture.ts";
import type { RunSteps } from "./run-steps.ts";

/** The picture of a workflow; it is absent if the server has no graph. */
export interface PicturePanel {
  readonly element: HTMLElement;
  /** Shows the path of a run. */
  update(run: Pick<RunRow, "workflow" | "version" | "status">, steps: Pick<RunSteps, "steps" | "pending">): void;
  /** Shows a version of a workflow. */
  show(workflow: string, version: string): Promise<void>;
}

/** Creates the panel. */
export function createPicturePanel(api: Api): PicturePanel {
  const body = h("div", { class: "picture", tabindex: 0, role: "group", "aria-label": "Picture of the workflow" });
  const element = h("section", { class: "panel picture-panel", hidden: true }, h("h2", {}, "Workflow"), body);
  let drawn: { readonly graph: Graph; readonly picture: Element } | undefined;
  let shown: string | undefined;
  let graph: Promise<Graph | undefined> | undefined;
  let graphOf: string | undefined;

  function load(workflow: string, version: string): Promise<Graph | undefined> {
    const wanted = JSON.stringify([workflow, version]);
    if (graph && graphOf === wanted) return graph;
    graphOf = wanted;
    graph = api
      .get<{ readonly graph: Graph }>(`/workflows/${encodeURIComponent(workflow)}/graph`, { version })
      .then((found) => found.graph)
      .catch((reason: unknown) => {
        if (!(reason instanceof RequestError)) throw reason;
        if (reason.status === 0 || reason.status >= 500) graph = undefined;
        return undefined;
      });
    return graph;
  }

  async function draw(workflow: string, version: string, run?: Pick<RunSteps, "steps" | "pending">, isFailed = false) {
    const found = await load(workflow, version);
    element.hidden = false;
    if (!found) {
      fill(body, h("p", { class: "muted" }, "The program has no picture of this version."));
      return;
    }
    const { drawPicture, markPicture } = await import("./picture.ts");
    if (drawn?.graph !== found) {
      drawn = { graph: found, picture: drawPicture(found) };
      fill(body, drawn.picture);
    }
    const last = run?.steps.at(-1);
    const keys = {
      recorded: run?.steps.map(({ key }) => key) ?? [],
      pending: run?.pending.map(({ key }) => key) ?? [],
      failed: isFailed && last?.status === "failed" ? [last.key] : [],
    };
    const state = JSON.stringify(keys);
    if (run && state !== shown) markPicture(drawn.picture, found, keys);
    shown = state;
  }

  return {
    element,
    update({ workflow, version, status }, steps) {
      void draw(workflow, version, steps, status === "failed");
    },
    async show(workflow, version) {
      element.hidden = true;
      await draw(workflow, version);
    },
  };
}
