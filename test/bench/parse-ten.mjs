// What a process takes that only reads ten.yaml with `yaml`.

import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";

parseDocument(readFileSync(new URL("ten.yaml", import.meta.url), "utf8"), {
  stringKeys: true,
  merge: true,
  prettyErrors: false,
}).toJS();
