/** What one kind of attack did. All counts but the first must be 0. */
export interface Tally {
  requests: number;
  serverErrors: number;
  hung: number;
  /** Attacks that succeeded: a forged token that was accepted, one more password attempt than the limit allows. */
  letThrough: number;
  rowsChanged: number;
  /** A sentence for each thing that went wrong. */
  problems: string[];
}

export function newTally(): Tally {
  return { requests: 0, serverErrors: 0, hung: 0, letThrough: 0, rowsChanged: 0, problems: [] };
}

export function hasFailed({ serverErrors, hung, letThrough, rowsChanged, problems }: Tally): boolean {
  return serverErrors + hung + letThrough + rowsChanged + problems.length > 0;
}

/** Counts an answer. `description` names the request, so that a failure can be repeated. */
export function countAnswer(
  tally: Tally,
  { status, isHung = false }: { status: number; isHung?: boolean },
  description: string,
) {
  tally.requests += 1;
  if (isHung) {
    tally.hung += 1;
    tally.problems.push(`No answer: ${description}`);
  } else if (status >= 500) {
    tally.serverErrors += 1;
    tally.problems.push(`Status ${status}: ${description}`);
  }
}
