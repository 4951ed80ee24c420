import { sqlite } from "./sqlite.ts";
import { lawsOn, scenariosOn } from "./suite.ts";

lawsOn(sqlite);
scenariosOn(sqlite, "./left-out.txt");
