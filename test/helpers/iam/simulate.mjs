// Reads {policies, requests} as JSON from the standard input and writes, for each request, whether the policy of its role allows it. Runs under
// `npx -p @cloud-copilot/iam-simulate`: the package is AGPL and no dependency, so it is found by the PATH that npx sets.
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";

const folder = process.env.PATH.split(delimiter).find((each) => each.endsWith(join("node_modules", ".bin")));
const { runSimulation } = createRequire(join(folder, "..", "of-npx.js"))("@cloud-copilot/iam-simulate");

const ACCOUNT = "123456789012";
const { policies, requests } = JSON.parse(await text(process.stdin));
const verdicts = [];
for (const { role, action, resource, context } of requests) {
  const result = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${ACCOUNT}:role/${role}`,
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: context,
      },
      identityPolicies: [{ name: role, policy: policies[role] }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (result.resultType === "error")
    throw new Error(`${action} on ${resource}: ${JSON.stringify(result.errors)}`);
  verdicts.push(result.overallResult === "Allowed");
}
process.stdout.write(JSON.stringify(verdicts));
