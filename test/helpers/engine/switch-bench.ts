/** One switch, with the properties that clients set, whose frames are recorded. */

import { EthernetSwitch, type SwitchPort, type SwitchState } from "@wirelab/engine/devices/switch/index";
import { parseSwitch } from "@wirelab/engine/net/bridge/settings/parse";
import type { SwitchSettings } from "@wirelab/engine/net/bridge/settings/settings";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { pushTag } from "@wirelab/engine/wire/vlan-tag";
import { FrameSlab } from "../../../packages/engine/base/frame-slab.ts";
import { DeviceBench } from "./device-bench.ts";

export const access = (vlan = 1): SwitchPort => ({ type: "access", vlan, etherType: 0x8100 });
export const trunk = (vlan = 1): SwitchPort => ({ type: "dot1q", vlan, etherType: 0x8100 });

export const accessPorts = (count: number): SwitchPort[] => Array.from({ length: count }, () => access());

export const frameTo = (target: number, source: number, bytes = 46): Uint8Array =>
  encodeEthernet(target, source, 0x0800, new Uint8Array(bytes));

export const tagged = (inner: Uint8Array, vlan: number): Uint8Array =>
  pushTag(inner, { etherType: 0x8100, priority: 0, vlan }, new FrameSlab());

type SwitchProperties = Readonly<Record<string, unknown>>;

/** The settings of a switch with the properties. @throws Error if they have problems. */
export function settingsOf(
  properties: SwitchProperties,
  ports: readonly SwitchPort[],
  name = "SW",
): SwitchSettings {
  const portNames = ports.map((_, port) => `Ethernet${port}`);
  const parsed = parseSwitch(properties, { name, ports, portNames });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

export interface Sent {
  readonly port: number;
  readonly frame: Uint8Array;
}

export class SwitchBench {
  readonly bench = new DeviceBench();
  readonly device: EthernetSwitch;
  /** Why frames were discarded, in order. */
  readonly discarded: string[] = [];

  constructor(ports: readonly SwitchPort[], properties: SwitchProperties = {}, state?: SwitchState) {
    const spec = { type: "ethernet_switch" as const, name: "SW", ports, ...settingsOf(properties, ports) };
    const discard = (reason: string): void => {
      this.discarded.push(reason);
    };
    this.device = this.bench.add(
      "SW",
      (world) => new EthernetSwitch(spec, Object.create(world, { discard: { value: discard } }), state),
    );
  }

  /** What the switch sends because of a frame. */
  receive(port: number, bytes: Uint8Array): Sent[] {
    const before = this.bench.frames.length;
    this.bench.inject("SW", port, bytes);
    this.bench.run();
    return this.sentSince(before);
  }

  sentSince(count: number): Sent[] {
    return this.bench.frames.slice(count).map(({ port, frame }) => ({ port, frame }));
  }

  /** The state as it is stored between two runs. */
  saved(): SwitchState {
    return JSON.parse(JSON.stringify(this.device.saveState())) as SwitchState;
  }
}

export const portsOf = (sent: readonly Sent[]): number[] => sent.map(({ port }) => port);
