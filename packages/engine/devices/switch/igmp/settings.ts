/** The querier of IGMP snooping. */

export interface IgmpQuerierSettings {
  /** The source of the queries, as a number; of several queriers, the lowest address queries. */
  readonly address: number;
  readonly version: 2 | 3;
}
