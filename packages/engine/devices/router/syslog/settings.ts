/** The settings of syslog: as they are configured, and with the names of the API's `properties`. */
import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import type { PropertyReader } from "../../property-reader.ts";

export interface SyslogSpec {
  readonly servers: readonly string[];
  readonly facility: number;
  /** Events that are less severe, with a higher number, are not sent. */
  readonly severity: number;
}

export interface SyslogProperties {
  servers?: string[];
  facility?: number;
  severity?: number;
}

export const MAX_SYSLOG_SERVERS = 4;
/** local7 (RFC 5424, section 6.2.1). */
export const DEFAULT_FACILITY = 23;
/** Informational. */
export const DEFAULT_SEVERITY = 6;

/** @returns undefined if a value is invalid: the reader then has the problem. */
export function readSyslog(reader: PropertyReader, value: unknown): SyslogSpec | undefined {
  const syslog = reader.object(value, ["syslog"], ["servers", "facility", "severity"]);
  if (syslog === null) return undefined;
  const { facility = DEFAULT_FACILITY, severity = DEFAULT_SEVERITY } = syslog;
  const path = ["syslog", "servers"];
  const servers = reader
    .array(syslog.servers ?? [], path, 0, MAX_SYSLOG_SERVERS)
    ?.map((each, index) => reader.parsed(each, [...path, index], parseIpv4, "an IPv4 address"));
  const read = {
    servers: servers?.includes(null) ? null : servers?.map((each) => formatIpv4(each!)),
    facility: reader.integer(facility, ["syslog", "facility"], 0, 23),
    severity: reader.integer(severity, ["syslog", "severity"], 0, 7),
  };
  return Object.values(read).some((each) => each === null || each === undefined)
    ? undefined
    : (read as SyslogSpec);
}

export const formatSyslog = ({ servers, facility, severity }: SyslogSpec): SyslogProperties => ({
  servers: [...servers],
  facility,
  severity,
});

/** The commands that configure it; defaults are omitted. */
export const syslogLines = ({ servers, facility, severity }: SyslogSpec): string[] => [
  "syslog",
  ...(facility === DEFAULT_FACILITY ? [] : [`syslog facility ${facility}`]),
  ...(severity === DEFAULT_SEVERITY ? [] : [`syslog severity ${severity}`]),
  ...servers.map((server) => `syslog server ${server}`),
];
