/**
 * The quotas of a template that the schemas do not have.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
 * The CDK uploads each template to the bucket of its bootstrap, so the quota of 51,200 bytes for a template in a request does not apply.
 */
import { renderText } from "./render.ts";
import type { Problem, StackTemplate } from "./template.ts";

const TEMPLATE_BYTES = 1_000_000;
const ID_CHARACTERS = 255;

export function checkSize(stack: StackTemplate): readonly Problem[] {
  const { text, resources, outputs } = stack;
  const problems: Problem[] = [];
  const bytes = Buffer.byteLength(text);
  if (bytes > TEMPLATE_BYTES)
    problems.push({
      logicalId: "",
      text: `the template has ${bytes} bytes, CloudFormation takes ${TEMPLATE_BYTES}: move a part into a nested stack`,
    });
  for (const logicalId of [...Object.keys(resources), ...Object.keys(outputs)])
    if (logicalId.length > ID_CHARACTERS)
      problems.push({
        logicalId,
        text: `a logical id has at most ${ID_CHARACTERS} characters, this one has ${logicalId.length}: name the construct shorter`,
      });
  const exported = new Map<string, string>();
  for (const [logicalId, { Export }] of Object.entries(outputs)) {
    if (Export === undefined) continue;
    const name = renderText(stack, Export.Name);
    const other = exported.get(name);
    if (other !== undefined)
      problems.push({
        logicalId,
        text: `exports ${name}, as ${other} does: an export's name is unique in a region`,
      });
    if (!name.includes(stack.stackName))
      problems.push({
        logicalId,
        text: `exports ${name}, which a second stack would export, too: put the stack's name into it`,
      });
    exported.set(name, logicalId);
  }
  return problems;
}
