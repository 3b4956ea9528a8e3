/**
 * `npm run deploy -- ...`: `cdk deploy` with the same arguments, a check of what they leave out, and the first user of a new stack.
 *
 *     --change KEY    the setting may change although it is left out
 *     --unchecked     does not read the settings of the deployed stack
 */

import { deploy } from "./deploy.ts";
import { deployedTemplate } from "./deployed-template.ts";
import { firstPasswordIn } from "./earlier-secret.ts";
import { run } from "./run.ts";

process.exitCode = await deploy(process.argv.slice(2), {
  run,
  templateOf: deployedTemplate,
  firstPasswordIn,
  password: process.env.WIRELAB_ADMIN_PASSWORD || undefined,
  print: (line) => console.error(line),
});
