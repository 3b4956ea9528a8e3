/** The tags of a stack, which CloudFormation gives to all its resources: `-c tags=team=network,stage=prod`. */
import type { Settings } from "./chosen-settings.ts";

/** Has the stack's name, for cost allocation. */
const OWN_TAG = "wirelab";

/** As AWS limits them, without the comma, which separates tags here, and the equals sign in keys. */
const KEY = /^(?!aws:)[\p{L}\p{N} _.:/+@-]{1,128}$/u;
const VALUE = /^[\p{L}\p{N} _.:/=+@-]{0,256}$/u;

/** @throws Error for a text that is no list of tags. */
export function readTags(settings: Settings): Record<string, string> {
  const given = (settings.get("tags") ?? "").split(",").filter(Boolean);
  const tags = given.map((tag) => {
    const [, key = "", value = ""] = /^([^=]*)=(.*)$/.exec(tag.trim()) ?? [];
    if (KEY.test(key) && VALUE.test(value)) return [key, value] as const;
    throw new Error(
      `The setting tags has ${tag}; it must list tags such as team=network, separated by commas`,
    );
  });
  return { [OWN_TAG]: settings.get("stack_name"), ...Object.fromEntries(tags) };
}
