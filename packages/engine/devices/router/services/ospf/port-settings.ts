/** The settings of OSPF at a port: the lines `ip ospf ...` of FRR. */

import { DEFAULT_INTERFACE } from "../../../../routing/ospf/config.ts";
import { map } from "../../../../settings/collections.ts";
import { choice, flag, integer, type Kind, seconds, spelled } from "../../../../settings/kind.ts";
import {
  optional,
  type PropertiesOf,
  type Shape,
  type SpecOf,
  unlessEmpty,
  unlessUsual,
} from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import { profileName } from "../base/bfd-profile.ts";
import { area } from "./kinds.ts";

const MAX_SECONDS = 65_535;
const SECRET = /^[!-~]+$/;
const MAX_PASSWORD = 8;
const MAX_KEY = 16;

const secret = (most: number): Kind<string> =>
  spelled(
    `1 to ${most} characters of ASCII without spaces`,
    (text) => (SECRET.test(text) && text.length <= most ? text : null),
    { placeholder: "KEY" },
  );

const keyId = spelled(
  "the number of a key, 1 to 255",
  (text) =>
    /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 255 ? String(Number(text)) : null,
  { placeholder: "ID" },
);

/** FRR's `md5 KEY`. */
const md5Key: Kind<string> = {
  ...secret(MAX_KEY),
  placeholder: "md5 KEY",
  words: (key) => `md5 ${key}`,
  parse: ([word, ...rest]) => (word?.toLowerCase() === "md5" && rest.length === 1 ? rest[0] : undefined),
};

/** `ip ospf authentication` without a word means passwords. */
const authentication: Kind<"password" | "message-digest"> = {
  ...choice("password", "message-digest"),
  placeholder: "[message-digest]",
  words: (value) => (value === "password" ? "" : value),
  parse: (words) => {
    if (words.length === 0) return "password";
    return words.length === 1 && words[0]!.toLowerCase() === "message-digest" ? "message-digest" : undefined;
  },
};

export const OSPF_PORT = {
  area: optional(area, {
    about: "the area of the port; it takes the place of router ospf network",
    line: "area",
  }),
  network: unlessUsual(choice("broadcast", "point-to-point"), "broadcast", {
    about: "whether the link has a designated router",
    line: "network",
  }),
  cost: optional(integer(1, 65_535), { about: "the cost of packets that leave there (10)", line: "cost" }),
  priority: unlessUsual(integer(0, 255), DEFAULT_INTERFACE.priority, {
    about: "the highest becomes the designated router (1); 0 never does",
    line: "priority",
  }),
  hello_seconds: unlessUsual(seconds(1, MAX_SECONDS), DEFAULT_INTERFACE.helloSeconds, {
    about: "seconds between hellos (10)",
    name: "helloSeconds",
    line: "hello-interval",
  }),
  dead_seconds: optional(seconds(1, MAX_SECONDS), {
    about: "seconds without a hello until a neighbour is lost (4 times the hello interval)",
    name: "deadSeconds",
    line: "dead-interval",
  }),
  retransmit_seconds: unlessUsual(seconds(1, MAX_SECONDS), DEFAULT_INTERFACE.retransmitSeconds, {
    about: "seconds until a packet that is not acknowledged is sent again (5)",
    name: "retransmitSeconds",
    line: "retransmit-interval",
  }),
  transmit_delay_seconds: unlessUsual(seconds(1, MAX_SECONDS), DEFAULT_INTERFACE.transmitDelaySeconds, {
    about: "seconds that LSAs age on the link (1)",
    name: "transmitDelaySeconds",
    line: "transmit-delay",
  }),
  passive: optional(flag, {
    about: "announce the subnet, and send and take nothing; false excepts the port from passive_default",
    isPresence: true,
    line: "passive",
  }),
  mtu_ignore: unlessUsual(flag, false, {
    about: "become a neighbour of routers with a larger MTU",
    name: "ignoresMtu",
    isPresence: true,
    line: "mtu-ignore",
  }),
  bfd: unlessUsual(flag, false, {
    about: "watch the neighbours with BFD",
    isPresence: true,
    line: "bfd",
  }),
  bfd_profile: optional(profileName, {
    about: "watch the neighbours with BFD and the values of a profile",
    name: "bfdProfile",
    line: "bfd profile",
  }),
  authentication: optional(authentication, {
    about: "take only packets with the password, or with a digest",
    line: "authentication",
  }),
  authentication_key: optional(secret(MAX_PASSWORD), {
    about: "the password",
    name: "password",
    line: "authentication-key",
  }),
  message_digest_keys: unlessEmpty(map(keyId, md5Key, { max: 8, keys: "keys" }), {
    about: "keys of digests by number; the first one signs",
    name: "digestKeys",
    line: "message-digest-key",
  }),
} as const;

export type OspfPortSpec = SpecOf<typeof OSPF_PORT>;
type OspfPortProperties = PropertiesOf<typeof OSPF_PORT>;

export const ospfPort: Kind<OspfPortSpec> = record<unknown, typeof OSPF_PORT>(OSPF_PORT);

/** The lines in the block of an interface; defaults are omitted. */
export const ospfPortLines = (spec: OspfPortSpec): string[] =>
  Object.entries<Shape[string]>(OSPF_PORT).flatMap(([key, { kind, name: own = key, line, isPresence }]) => {
    const value: unknown = (spec as Readonly<Record<string, unknown>>)[own];
    if (value === undefined) return [];
    const head = `ip ospf ${line}`;
    if ("key" in kind)
      return Object.entries(value as Readonly<Record<string, string>>).map(
        ([id, secret]) => `${head} ${id} md5 ${secret}`,
      );
    if (isPresence) return [value === true ? head : `no ${head}`];
    return [`${head} ${kind.words(value)}`.trimEnd()];
  });

declare module "../base/config.ts" {
  interface RouterPortSpec {
    readonly ospf?: OspfPortSpec;
  }
  interface PortProperties {
    ospf?: OspfPortProperties;
  }
}
