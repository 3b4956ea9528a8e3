/** The congestion controls of a connection. */

/** Names by the words that settings and commands have. */
export const ALGORITHMS = { cubic: "CUBIC", newreno: "NewReno", bbr: "BBR" } as const;
export type Algorithm = keyof typeof ALGORITHMS;

export const ALGORITHM_WORDS = Object.keys(ALGORITHMS) as readonly Algorithm[];
export const isAlgorithm = (value: unknown): value is Algorithm =>
  ALGORITHM_WORDS.some((word) => word === value);
