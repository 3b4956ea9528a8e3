/**
 * The bridge of a segment: where each address is, among the segment's members and its remote ends.
 *
 * A place is a number, as a port of a switch is: the index of an interface, or `REMOTE` and the address of an end.
 */
import { MacTable, type SavedMac } from "../../../../net/bridge/mac-table.ts";
import type { Segment } from "../../../../net/plane/segment.ts";

const REMOTE = 2 ** 32;

export type Place = number;

export const remotePlace = (address: number): Place => REMOTE + address;
/** The address of a remote end; undefined for an interface of the router. */
export const remoteOf = (place: Place): number | undefined => (place >= REMOTE ? place - REMOTE : undefined);

export class SegmentBridge {
  readonly #vni: number;
  readonly #macs: MacTable;
  readonly #places: readonly Place[];

  constructor({ vni, members, remotes, ageingSeconds }: Segment, saved: readonly SavedMac[] = []) {
    this.#vni = vni;
    this.#places = [...members, ...remotes.map(remotePlace)];
    this.#macs = new MacTable(saved, ageingSeconds);
  }

  learn(mac: number, place: Place, nowUs: number): void {
    this.#macs.learn(this.#vni, mac, place, nowUs);
  }

  find(mac: number, nowUs: number): Place | undefined {
    return this.#macs.find(this.#vni, mac, nowUs);
  }

  /**
   * The places that a frame is flooded to. A frame of a remote end does not go to others: each end sends to all others itself
   * (split horizon).
   * @param from undefined for a frame of the router.
   */
  around(from: Place | undefined): readonly Place[] {
    const isRemote = from !== undefined && remoteOf(from) !== undefined;
    return this.#places.filter((place) => place !== from && !(isRemote && remoteOf(place) !== undefined));
  }

  flush(place: Place): void {
    this.#macs.flush(place);
  }

  save(nowUs: number): SavedMac[] {
    return this.#macs.save(nowUs);
  }
}
