import type { OptionDefinition } from "../../options.ts";

/** The options of the language. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "embedded",
    values: ["text", "evaluate"],
    fallback: "text",
    summary: `Whether \`\${ … }\` inside a longer string is plain text (\`text\`) or replaced by its value (\`evaluate\`).`,
  },
];
