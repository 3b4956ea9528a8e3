/** The querier of MLD snooping. */

export interface MldQuerierSettings {
  /** The source of the queries; of several queriers, the lowest address queries. Absent: the link-local address of the switch. */
  readonly address?: string;
  readonly version: 1 | 2;
}
