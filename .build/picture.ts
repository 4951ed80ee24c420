// Draws .github/pipeline.svg, the picture in README.md. Run by `npm run picture`.

import { writeFileSync } from "node:fs";
import { languages } from "../src/languages/index.ts";
import { targets } from "../targets/index.ts";

const titles: { readonly [name: string]: string } = {
  "serverless-workflow": "Serverless Workflow 2020",
  "serverless-workflow-0.8": "Serverless Workflow 0.8",
  "serverless-workflow-1.0": "Serverless Workflow 1.0",
  "function-workflow": "Function Workflow",
  yawl: "YaWL",
  "composer-fsm": "OpenWhisk Composer",
  sm4c: "SM4C",
  asl: "AWS Step Functions",
  openwhisk: "Apache OpenWhisk",
  typescript: "Durable TypeScript",
};
const details: { readonly [name: string]: string } = {
  asl: "state machine, SAM template",
  openwhisk: "composition, manifest",
  typescript: "SQLite, PostgreSQL, Restate, Lambda",
};

const [width, height] = [860, 300];
const box = { width: 196, height: 34 };
const core = { x: 336, y: 66, width: 188, height: 168 };
const columns = { left: 20, right: width - 20 - 240 };

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const rectangle = (x: number, y: number, w: number, h: number, name: string): string =>
  `<rect class="${name}" x="${x}" y="${y}" width="${w}" height="${h}" rx="8"/>`;

const label = (x: number, y: number, text: string, name = ""): string =>
  `<text${name && ` class="${name}"`} x="${x}" y="${y}">${escaped(text)}</text>`;

const spread = (count: number, i: number, size: number): number => ((i + 0.5) * height) / count - size / 2;

function arrow(fromX: number, fromY: number, toX: number, toY: number): string {
  const middle = (fromX + toX) / 2;
  return `<path class="arrow" d="M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}" marker-end="url(#head)"/>`;
}

const inputs = languages.map(({ name }, i) => {
  const y = spread(languages.length, i, box.height);
  const end = core.y + ((i + 1) * core.height) / (languages.length + 1);
  return [
    rectangle(columns.left, y, box.width, box.height, "input"),
    label(columns.left + box.width / 2, y + 22, titles[name] ?? name),
    arrow(columns.left + box.width, y + box.height / 2, core.x - 6, end),
  ].join("");
});

const outputs = targets.map(({ name }, i) => {
  const y = spread(targets.length, i, 56);
  const start = core.y + ((i + 1) * core.height) / (targets.length + 1);
  return [
    rectangle(columns.right, y, 240, 56, "output"),
    label(columns.right + 120, y + 24, titles[name] ?? name, "strong"),
    label(columns.right + 120, y + 43, details[name] ?? "", "small"),
    arrow(core.x + core.width, start, columns.right - 6, y + 28),
  ].join("");
});

const middle = core.x + core.width / 2;
const stages = ["check", "scenarios", "one IR", "diagnostics"];
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Workflow definitions in ${languages.length} languages are compiled by Waybill to ${targets.length} targets">
<style>
text{font:14px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;text-anchor:middle;fill:#1f2328}
.strong{font-weight:600}.small{font-size:12px;fill:#59636e}.title{font-size:20px;font-weight:700;fill:#fff}.stage{font-size:13px;fill:#dbe7ff}
.input{fill:#f6f8fa;stroke:#d1d9e0}.output{fill:#eef6ff;stroke:#9ec5fe}.core{fill:#1f4fbf}
.arrow{fill:none;stroke:#818b98;stroke-width:1.5}.head{fill:#818b98}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.input{fill:#151b23;stroke:#3d444d}.output{fill:#12233f;stroke:#2f5fa8}}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
${inputs.join("\n")}
${rectangle(core.x, core.y, core.width, core.height, "core")}
${label(middle, core.y + 38, "Waybill", "title")}
${stages.map((stage, i) => label(middle, core.y + 70 + i * 24, stage, "stage")).join("\n")}
${outputs.join("\n")}
</svg>
`;

writeFileSync(new URL("../.github/pipeline.svg", import.meta.url), picture);
