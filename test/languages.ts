import { loadLanguages } from "../src/language.ts";
import { languages } from "../src/languages/index.ts";

// The source languages with their front ends, for tests that use them without a command.

await loadLanguages(languages);

export { languages };
