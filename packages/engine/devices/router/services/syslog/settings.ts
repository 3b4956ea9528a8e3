/** The settings of syslog. */
import { ipv4 } from "../../../../settings/addresses.ts";
import { list } from "../../../../settings/collections.ts";
import { integer } from "../../../../settings/kind.ts";
import { type PropertiesOf, type SpecOf, setting } from "../../../../settings/shape.ts";
import { shapedService } from "../base/service-shape.ts";

const MAX_SERVERS = 4;
/** local7 (RFC 5424, section 6.2.1). */
const LOCAL7 = 23;
const INFORMATIONAL = 6;

const SHAPE = {
  servers: setting(list(ipv4, { max: MAX_SERVERS }), [], {
    about: "report ports, leases and logged packets to a server",
    line: "server",
  }),
  facility: setting(integer(0, 23), LOCAL7, {
    about: "the facility of the messages, 0 to 23 (23, local7)",
    line: "facility",
  }),
  severity: setting(integer(0, 7), INFORMATIONAL, {
    about: "the least severe messages that are sent, 0 to 7 (6)",
    line: "severity",
  }),
} as const;

export type SyslogSpec = SpecOf<typeof SHAPE>;

export const SYSLOG = shapedService("syslog", SHAPE, {
  head: "syslog",
  off: "Syslog is not configured",
  about: "report to the servers that are configured",
  aboutNo: "end the reports",
  order: ["facility", "severity", "server"],
});

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly syslog?: SyslogSpec;
  }
  interface ServicesProperties {
    syslog?: PropertiesOf<typeof SHAPE>;
  }
}
