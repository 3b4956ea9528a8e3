/** The properties that are a configuration as a text. */
import { checked, choice, type Kind, prose } from "../../../../settings/kind.ts";
import { optional, type PropertiesOf, setting } from "../../../../settings/shape.ts";

const MAX_CONFIGURATION_CHARACTERS = 65_536;

const configuration: Kind<string> = checked(prose("TEXT"), (text) =>
  text.length > MAX_CONFIGURATION_CHARACTERS
    ? `has ${text.length} characters; ${MAX_CONFIGURATION_CHARACTERS} are allowed`
    : undefined,
);

export const TEXT = {
  config: optional(configuration, {
    about:
      "a configuration in the form of FRR (frr.conf): lines of configuration mode, which change the other properties",
  }),
  unsupported: setting(choice("refuse", "warn"), "refuse", {
    about: "lines of the configuration that a router does not have are refused, or left out and listed",
  }),
} as const;

export const TEXT_KEYS = Object.keys(TEXT);

declare module "../../services/base/config.ts" {
  interface RouterProperties extends PropertiesOf<typeof TEXT> {}
}
