/** What a router reports: to servers, if `syslog` is configured. */
export interface LogEvent {
  /** RFC 5424, section 6.2.1: 0 (emergency) to 7 (debug). */
  readonly severity: number;
  /** The kind of the event, for programs: `LINK_DOWN`. */
  readonly id: string;
  readonly text: string;
}
