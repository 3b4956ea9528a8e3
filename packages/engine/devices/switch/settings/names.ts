/** The properties of a switch beside its ports, as the interface and lab files spell them. */
export const SWITCH_PROPERTIES = [
  "rstp",
  "ageing_time",
  "static_macs",
  "isolated_ports",
  "storm_control",
  "mirror",
  "mtu",
  "lldp",
  "bundles",
  "igmp_snooping",
  "mld_snooping",
] as const;

type SwitchProperty = (typeof SWITCH_PROPERTIES)[number];
export type SwitchProperties = Readonly<Partial<Record<SwitchProperty, unknown>>>;

/** Returns those of an object's fields that are properties of a switch. */
export const switchPropertiesOf = (given: Readonly<Record<string, unknown>>): SwitchProperties =>
  Object.fromEntries(
    SWITCH_PROPERTIES.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
