/**
 * The Node.js that Wirelab needs: the command and the scripts of the repository check it, and the package's manifest names it. The file is
 * CommonJS with the syntax of 2015, so that an old Node.js can run it.
 */
"use strict";

/** The first release of 22 that runs TypeScript without a flag: https://nodejs.org/docs/latest-v22.x/api/typescript.html */
const LEAST = [22, 18];

exports.least = LEAST.join(".");

/** @param {string} version such as `v20.20.2` */
exports.isTooOld = (version) => {
  const parts = version.replace("v", "").split(".").map(Number);
  return parts[0] < LEAST[0] || (parts[0] === LEAST[0] && parts[1] < LEAST[1]);
};
