/**
 * One BFD session in asynchronous mode (RFC 5880, section 6.8). Names in brackets are the RFC's.
 *
 *     down --down heard--> init --init or up heard--> up
 *     down --init heard------------------------------> up
 *     init, up --detection time without a packet-----> down
 *     up --down heard--------------------------------> down
 *
 * Until it is up, a session sends one packet a second. Changed intervals apply when the neighbour has answered a poll. Neither the echo
 * function nor authentication are there, and the session never asks for demand mode.
 */
import { type BfdDiagnostic, type BfdPacket, type BfdState, encodeBfd } from "../../wire/bfd.ts";

export interface SessionConfig {
  /** What the session is to send in [bfd.DesiredMinTxInterval], and can take [bfd.RequiredMinRxInterval]. */
  readonly txUs: number;
  readonly rxUs: number;
  readonly multiplier: number;
  /** The session sends nothing until it hears its neighbour. */
  readonly isPassive: boolean;
  /** The session is administratively down. */
  readonly isShut: boolean;
}

export interface SessionHost {
  /** Integer microseconds. */
  readonly nowUs: number;
  /** Draws an integer from 0 to below `bound`. */
  random(bound: number): number;
  send(packet: Uint8Array): void;
  changed(from: BfdState, to: BfdState): void;
}

/** What a session keeps between two runs. Times are what is left: no time passes between runs. */
export interface SavedSession {
  readonly mine: number;
  readonly yours: number;
  readonly state: BfdState;
  readonly diagnostic: BfdDiagnostic;
  readonly remoteState: BfdState;
  readonly remoteDiagnostic: number;
  readonly remoteTxUs: number;
  readonly remoteRxUs: number;
  readonly remoteMultiplier: number;
  readonly isRemoteDemand: boolean;
  readonly desiredTxUs: number;
  readonly requiredRxUs: number;
  readonly activeTxUs: number;
  readonly activeRxUs: number;
  readonly isPolling: boolean;
  readonly sinceAgoUs: number;
  readonly sendInUs: number | null;
  readonly detectInUs: number | null;
}

/** Section 6.8.3: the least interval of a session that is not up. */
const SLOW_US = 1_000_000;
/** Section 6.8.1: until the neighbour says otherwise. */
const FIRST_REMOTE_RX_US = 1;
/** Section 6.8.7: intervals are shorter by up to a quarter, at random; with the multiplier 1 by a tenth at least. */
const LEAST_PERCENT = 75;
const MOST_PERCENT = 100;
const MOST_PERCENT_OF_ONE = 90;

const EXPIRED = 1;
const NEIGHBOUR_DOWN = 3;
const SHUT = 7;

export class BfdSession {
  readonly #host: SessionHost;
  #config: SessionConfig;
  #own: Omit<SavedSession, "sinceAgoUs" | "sendInUs" | "detectInUs">;
  #sinceUs: number;
  #sendUs: number | undefined;
  #detectUs: number | undefined;

  /** @param mine the discriminator, which no other session of the router has. @param saved the state of an earlier run. */
  constructor(host: SessionHost, config: SessionConfig, mine: number, saved?: SavedSession) {
    this.#host = host;
    this.#config = config;
    if (saved === undefined) {
      this.#own = newState(config, mine);
      this.#sinceUs = host.nowUs;
      return;
    }
    const { sinceAgoUs, sendInUs, detectInUs, ...own } = saved;
    this.#own = own;
    this.#sinceUs = host.nowUs - sinceAgoUs;
    this.#sendUs = sendInUs === null ? undefined : host.nowUs + sendInUs;
    this.#detectUs = detectInUs === null ? undefined : host.nowUs + detectInUs;
  }

  get state(): BfdState {
    return this.#own.state;
  }

  get mine(): number {
    return this.#own.mine;
  }

  /** For displays. */
  get status() {
    return { ...this.#own, config: this.#config, sinceUs: this.#sinceUs, detectionUs: this.#detectionUs() };
  }

  /** Whether the neighbour has ended the session on purpose, which says nothing of the path (RFC 5882, section 3.2). */
  get isEndedByNeighbour(): boolean {
    return this.#own.remoteState === "admin-down";
  }

  /** When `wake` is to be called; undefined while no timer runs. */
  get nextUs(): number | undefined {
    if (this.#sendUs === undefined || this.#detectUs === undefined) return this.#sendUs ?? this.#detectUs;
    return Math.min(this.#sendUs, this.#detectUs);
  }

  /** The session begins to send. */
  start(): void {
    if (this.#config.isShut) this.#become("admin-down", SHUT);
    this.#transmit();
  }

  configure(config: SessionConfig): void {
    const wasShut = this.#config.isShut;
    this.#config = config;
    if (config.isShut && !wasShut) this.#become("admin-down", SHUT);
    else if (!config.isShut && wasShut) this.#become("down", 0);
    else if (this.#setIntervals()) this.#transmit();
  }

  /** The session ends; its neighbour hears of it. */
  end(): void {
    const { state } = this.#own;
    this.#set({ state: "admin-down", diagnostic: SHUT });
    if (state === "init" || state === "up") this.#send();
  }

  /** Section 6.8.6. */
  receive(packet: BfdPacket): void {
    this.#set({
      yours: packet.mine,
      remoteState: packet.state,
      remoteDiagnostic: packet.diagnostic,
      isRemoteDemand: packet.isDemand,
      remoteRxUs: packet.requiredRxUs,
      remoteTxUs: packet.desiredTxUs,
      remoteMultiplier: packet.multiplier,
    });
    if (packet.isFinal && this.#own.isPolling) this.#endPoll();
    if (this.#own.state === "admin-down") return;
    this.#detectUs = this.#host.nowUs + this.#detectionUs();
    this.#advance(packet.state);
    if (packet.isPoll) this.#send(true);
    this.#schedule();
  }

  /** Fires the timers that are due. */
  wake(): void {
    const { nowUs } = this.#host;
    if (this.#detectUs !== undefined && this.#detectUs <= nowUs) this.#expire();
    if (this.#sendUs !== undefined && this.#sendUs <= nowUs) this.#transmit();
  }

  save(): SavedSession {
    const { nowUs } = this.#host;
    const left = (dueUs: number | undefined): number | null =>
      dueUs === undefined ? null : Math.max(0, dueUs - nowUs);
    return {
      ...this.#own,
      sinceAgoUs: nowUs - this.#sinceUs,
      sendInUs: left(this.#sendUs),
      detectInUs: left(this.#detectUs),
    };
  }

  #set(some: Partial<SavedSession>): void {
    this.#own = { ...this.#own, ...some };
  }

  #advance(heard: BfdState): void {
    const { state } = this.#own;
    if (heard === "admin-down") {
      if (state !== "down") this.#become("down", NEIGHBOUR_DOWN);
    } else if (state === "down") {
      if (heard === "down") this.#become("init");
      else if (heard === "init") this.#become("up");
    } else if (state === "init") {
      if (heard !== "down") this.#become("up");
    } else if (heard === "down") this.#become("down", NEIGHBOUR_DOWN);
  }

  /** The detection time has passed without a packet (section 6.8.4). */
  #expire(): void {
    this.#detectUs = undefined;
    const { state } = this.#own;
    this.#set({ yours: 0, remoteState: "down", isRemoteDemand: false, remoteRxUs: FIRST_REMOTE_RX_US });
    if (state === "init" || state === "up") this.#become("down", EXPIRED);
  }

  #become(to: BfdState, diagnostic: BfdDiagnostic = this.#own.diagnostic): void {
    const from = this.#own.state;
    this.#set({ state: to, diagnostic, isPolling: false });
    this.#sinceUs = this.#host.nowUs;
    if (to === "admin-down") this.#detectUs = undefined;
    this.#setIntervals();
    // What the neighbour is to know goes out at once (section 6.8.7), before a protocol ends the session.
    this.#transmit();
    this.#host.changed(from, to);
  }

  /** Takes the intervals of the configuration (section 6.8.3). @returns whether they have changed. */
  #setIntervals(): boolean {
    const isUp = this.#own.state === "up";
    const { desiredTxUs, requiredRxUs, activeTxUs, activeRxUs } = this.#own;
    const txUs = isUp ? this.#config.txUs : Math.max(SLOW_US, this.#config.txUs);
    const { rxUs } = this.#config;
    if (txUs === desiredTxUs && rxUs === requiredRxUs) return false;
    this.#set({
      desiredTxUs: txUs,
      requiredRxUs: rxUs,
      // A longer interval of sending, and a shorter one of detection, wait for the neighbour.
      activeTxUs: isUp && txUs > activeTxUs ? activeTxUs : txUs,
      activeRxUs: isUp && rxUs < activeRxUs ? activeRxUs : rxUs,
      isPolling: isUp,
    });
    return true;
  }

  #endPoll(): void {
    const { desiredTxUs, requiredRxUs } = this.#own;
    this.#set({ isPolling: false, activeTxUs: desiredTxUs, activeRxUs: requiredRxUs });
  }

  #detectionUs(): number {
    const { remoteMultiplier, activeRxUs, remoteTxUs } = this.#own;
    return remoteMultiplier * Math.max(activeRxUs, remoteTxUs);
  }

  /** Whether the session sends by itself (section 6.8.7). */
  #isSending(): boolean {
    const { yours, remoteRxUs, isRemoteDemand, state, remoteState, isPolling } = this.#own;
    if (remoteRxUs === 0 || (this.#config.isPassive && yours === 0)) return false;
    return isPolling || !(isRemoteDemand && state === "up" && remoteState === "up");
  }

  #transmit(): void {
    this.#sendUs = undefined;
    if (!this.#isSending()) return;
    this.#send();
    const { activeTxUs, remoteRxUs } = this.#own;
    const most = this.#config.multiplier === 1 ? MOST_PERCENT_OF_ONE : MOST_PERCENT;
    const percent = LEAST_PERCENT + this.#host.random(most - LEAST_PERCENT + 1);
    this.#sendUs = this.#host.nowUs + Math.floor((Math.max(activeTxUs, remoteRxUs) * percent) / 100);
  }

  /** A shorter interval applies to the packet that is to be sent next. */
  #schedule(): void {
    if (!this.#isSending()) {
      this.#sendUs = undefined;
      return;
    }
    const { activeTxUs, remoteRxUs } = this.#own;
    const latestUs = this.#host.nowUs + Math.max(activeTxUs, remoteRxUs);
    if (this.#sendUs === undefined || this.#sendUs > latestUs) this.#transmit();
  }

  #send(isFinal = false): void {
    const { state, diagnostic, mine, yours, desiredTxUs, requiredRxUs, isPolling } = this.#own;
    this.#host.send(
      encodeBfd({
        diagnostic,
        state,
        isPoll: isPolling && !isFinal,
        isFinal,
        isDemand: false,
        multiplier: this.#config.multiplier,
        mine,
        yours,
        desiredTxUs,
        requiredRxUs,
      }),
    );
  }
}

const newState = ({ txUs, rxUs }: SessionConfig, mine: number) => ({
  mine,
  yours: 0,
  state: "down" as BfdState,
  diagnostic: 0 as BfdDiagnostic,
  remoteState: "down" as BfdState,
  remoteDiagnostic: 0,
  remoteTxUs: 0,
  remoteRxUs: FIRST_REMOTE_RX_US,
  remoteMultiplier: 0,
  isRemoteDemand: false,
  desiredTxUs: Math.max(SLOW_US, txUs),
  requiredRxUs: rxUs,
  activeTxUs: Math.max(SLOW_US, txUs),
  activeRxUs: rxUs,
  isPolling: false,
});
