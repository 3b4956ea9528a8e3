/** The election of a designated router and its backup (RFC 2328, section 9.4). */

export interface Candidate {
  /** The router id. */
  readonly id: number;
  readonly address: number;
  readonly priority: number;
  /** Addresses that its hellos state; 0: none. */
  readonly designated: number;
  readonly backup: number;
}

export interface Elected {
  /** Addresses; 0: none. */
  readonly designated: number;
  readonly backup: number;
}

/**
 * @param own the router itself, with the result of its last election.
 * @param others neighbours in state 2-Way or higher.
 */
export function elect(own: Candidate, others: readonly Candidate[]): Elected {
  const first = count([own, ...others]);
  const roleBefore = roleOf(own.address, own);
  const roleAfter = roleOf(own.address, first);
  // Step 4: a router that gets or loses a role counts again, so that it does not have both.
  if (roleBefore === roleAfter) return first;
  return count([{ ...own, designated: first.designated, backup: first.backup }, ...others]);
}

/** Steps 2 and 3. */
function count(all: readonly Candidate[]): Elected {
  const eligible = all.filter(({ priority }) => priority > 0);
  const claimsToBeDesignated = ({ address, designated }: Candidate): boolean => designated === address;
  const others = eligible.filter((each) => !claimsToBeDesignated(each));
  const claimsToBeBackup = others.filter(({ address, backup }) => backup === address);
  const backup = best(claimsToBeBackup.length > 0 ? claimsToBeBackup : others)?.address ?? 0;
  const designated = best(eligible.filter(claimsToBeDesignated))?.address ?? backup;
  return { designated, backup };
}

const best = (all: readonly Candidate[]): Candidate | undefined =>
  all.toSorted((a, b) => b.priority - a.priority || b.id - a.id)[0];

function roleOf(address: number, { designated, backup }: Elected): "designated" | "backup" | "other" {
  if (designated === address) return "designated";
  return backup === address ? "backup" : "other";
}
