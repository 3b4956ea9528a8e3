/**
 * Checks the version of Node.js of `npm start` and `npm test`. The file is CommonJS with the syntax of 2015, so that an old Node.js can run
 * it. npm itself may run on an older one: `npm ci` installs Node.js 24, on which the scripts run.
 */
"use strict";

const { isTooOld, least } = require("../packages/wirelab/node-version.cjs");

if (isTooOld(process.version)) {
  process.stderr.write(
    `Wirelab needs Node.js ${least} or newer, but ${process.execPath} is ${process.version}. Install a newer one, or run npm ci without --ignore-scripts: it installs Node.js 24 for the scripts.\n`,
  );
  process.exitCode = 1;
}
