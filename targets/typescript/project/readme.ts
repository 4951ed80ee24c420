import type { Program } from "../../../src/program.ts";

/** What a reader of the folder has to know. */
export function readmeText({ workflows }: Program): string {
  const list = workflows.map(({ id, name }) => `- \`${plain(id)}\`: ${plain(name)}`).join("\n");
  const id = shellWord(workflows[0]?.id ?? "workflow");
  return `# Workflows

${list}

Each workflow is a module; \`functions.ts\` says where the functions are that they call; \`runtime/\` is the same in every such program. Do not edit these
files: they are written anew from the definitions and their configuration.

\`\`\`sh
npm install
npm run types                        # checks the program
node main.ts start ${id} --input '{}' --wait
node main.ts serve                   # takes CloudEvents and starts runs over HTTP
node main.ts list
node main.ts --help
\`\`\`

Runs are kept in \`runs.db\` (\`--store\`). The program can be killed at any moment: what has been recorded is not done again, and every run goes on when the
program is started again. A function is called at least once for each step; the key of its \`step\` argument is the same when it has to be called again.

## A new version while runs are waiting

A run stays with the version of its workflow that it began with. Before this folder is written anew, copy the modules of the workflows
(\`<id>.ts\` and what begins with \`<id>.expressions\`) into a folder \`previous/\` beside them, under any name that ends in \`.ts\`: the program finds them there.
Runs whose version it does not have are listed as \`stranded\`; they wait, and nothing of them is lost.
`;
}

/** A text in which nothing has a meaning for Markdown. */
const plain = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);

const shellWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replace(/[\p{C}\s]+/gu, " ").replaceAll("'", "'\\''")}'`;
