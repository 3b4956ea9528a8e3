/** Returns the times that VPCS's `ping` has printed, in milliseconds, one for each reply. */
export const roundTripsMs = (output: string): number[] =>
  [...output.matchAll(/icmp_seq=\d+ ttl=\d+ time=([\d.]+) ms/g)].map(([, time]) => Number(time));
