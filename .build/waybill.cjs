#!/usr/bin/env node
// The entry point of the command. Old versions of Node.js can parse it and report that they are unsupported.
"use strict";

var version = process.versions.node.split(".").map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  process.stderr.write(`Waybill requires Node.js 22.18 or later, not ${process.versions.node}.\n`);
  process.exitCode = 3;
} else {
  require("./compiled.cjs").enableCache();
  require("./command/main.cjs");
}
