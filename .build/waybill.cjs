#!/usr/bin/env node
// The command. Written so that any old Node.js can read it and say what is wrong.
"use strict";

var version = process.versions.node.split(".").map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  process.stderr.write(`Waybill needs Node.js 22.18 or later; this is ${process.versions.node}.\n`);
  process.exitCode = 3;
} else {
  require("./compiled.cjs").keepCompiled();
  require("./command/main.cjs");
}
