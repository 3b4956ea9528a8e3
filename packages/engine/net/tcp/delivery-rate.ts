/**
 * The rate at which the path delivers (draft-cheng-iccrg-delivery-rate-estimation-00): each segment carries what had been delivered when
 * it was sent, and its acknowledgement is compared with this.
 */

/** What a segment carries. */
export interface Departure {
  /** P.delivered and P.delivered_time */
  readonly deliveredBytes: number;
  readonly deliveredUs: number;
  /** P.first_sent_time */
  readonly firstSentUs: number;
  readonly isAppLimited: boolean;
}

/** The figures of a connection: plain JSON data. */
export interface Delivery {
  /** C.delivered and C.delivered_time */
  deliveredBytes: number;
  deliveredUs: number;
  /** C.first_sent_time */
  firstSentUs: number;
  /** C.app_limited: the application had no more data for segments up to here. */
  limitedUntil?: number | undefined;
  /** The most recently sent segment of the acknowledgement that is being taken. */
  latest?: (Departure & { readonly sentUs: number; readonly serial: number }) | undefined;
}

export interface RateSample {
  /** Bytes for each microsecond; undefined if the interval is shorter than a round trip. */
  readonly rate?: number | undefined;
  readonly isAppLimited: boolean;
  /** The `deliveredBytes` of the segment. */
  readonly priorBytes: number;
}

export const makeDelivery = (nowUs: number): Delivery => ({
  deliveredBytes: 0,
  deliveredUs: nowUs,
  firstSentUs: nowUs,
});

/** Section 3.2. @param isIdle nothing else is in flight. */
export function depart(delivery: Delivery, nowUs: number, isIdle: boolean): Departure {
  if (isIdle) {
    delivery.firstSentUs = nowUs;
    delivery.deliveredUs = nowUs;
  }
  const { deliveredBytes, deliveredUs, firstSentUs, limitedUntil } = delivery;
  return { deliveredBytes, deliveredUs, firstSentUs, isAppLimited: limitedUntil !== undefined };
}

interface Sent {
  readonly sentUs: number;
  readonly serial: number;
  readonly departure?: Departure | undefined;
}

/** Section 3.3: takes a segment that has arrived. */
export function noteDelivered(
  delivery: Delivery,
  { departure, sentUs, serial }: Sent,
  bytes: number,
  nowUs: number,
): void {
  delivery.deliveredBytes += bytes;
  delivery.deliveredUs = nowUs;
  if (departure === undefined || (delivery.latest !== undefined && delivery.latest.serial > serial)) return;
  delivery.latest = { ...departure, sentUs, serial };
  delivery.firstSentUs = sentUs;
}

/** Takes the sample of an acknowledgement; undefined if no segment has arrived by it. */
export function takeSample(delivery: Delivery, leastUs: number): RateSample | undefined {
  const { latest, deliveredBytes, deliveredUs, limitedUntil } = delivery;
  if (limitedUntil !== undefined && deliveredBytes > limitedUntil) delivery.limitedUntil = undefined;
  if (latest === undefined) return undefined;
  delivery.latest = undefined;
  const intervalUs = Math.max(latest.sentUs - latest.firstSentUs, deliveredUs - latest.deliveredUs);
  const isLong = intervalUs >= leastUs && intervalUs > 0;
  return {
    ...(isLong && { rate: (deliveredBytes - latest.deliveredBytes) / intervalUs }),
    isAppLimited: latest.isAppLimited,
    priorBytes: latest.deliveredBytes,
  };
}
