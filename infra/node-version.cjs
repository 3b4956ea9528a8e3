/**
 * Checks the version of Node.js of `npm start` and `npm test`, and warns if npm itself runs on an older one. The file is CommonJS
 * with the syntax of 2015, so that an old Node.js can run it.
 */
"use strict";

/** The first release of 22 that runs TypeScript without a flag: https://nodejs.org/docs/latest-v22.x/api/typescript.html */
const LEAST = [22, 18];
const least = LEAST.join(".");

/** @param {string} version such as `v20.20.2` */
function isTooOld(version) {
  const parts = version.replace("v", "").split(".").map(Number);
  return parts[0] < LEAST[0] || (parts[0] === LEAST[0] && parts[1] < LEAST[1]);
}

/** npm sets the variable: `npm/11.19.1 node/v20.20.2 linux x64 workspaces/false`. */
const ofNpm = /\bnode\/(v[\d.]+)/.exec(process.env.npm_config_user_agent || "");

if (isTooOld(process.version)) {
  process.stderr.write(
    `Wirelab needs Node.js ${least} or newer, but ${process.execPath} is ${process.version}. Install a newer one, or run npm ci without --ignore-scripts: it installs Node.js 24 for the scripts.\n`,
  );
  process.exitCode = 1;
} else if (ofNpm && isTooOld(ofNpm[1])) {
  process.stderr.write(
    `npm runs on Node.js ${ofNpm[1]}, and Wirelab asks for ${least} or newer: npm ci prints EBADENGINE warnings. This script runs on ${process.version} all the same.\n`,
  );
}
