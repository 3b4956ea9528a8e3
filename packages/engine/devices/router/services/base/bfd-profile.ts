/** The names of profiles of BFD, which protocols refer to. */
import { type Kind, spelled } from "../../../../settings/kind.ts";

const MAX_NAME = 64;
const NAME = /^[!-~]+$/;

export const profileName: Kind<string> = spelled(
  `a name of 1 to ${MAX_NAME} characters of ASCII without spaces`,
  (text) => (NAME.test(text) && text.length <= MAX_NAME ? text : null),
  { placeholder: "NAME" },
);
