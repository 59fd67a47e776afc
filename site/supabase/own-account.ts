import { authRequest } from "./request";
import type { Result } from "./result";
import { appsOf, type Factor } from "./second-factor";
import { siteRoot } from "./session";

/** What the page shows of the account itself. */
export interface OwnAccount {
  /** The address that the account gets when both addresses have confirmed it. */
  newEmail: string | undefined;
  factors: readonly Factor[];
}

export function readOwnAccount(): Promise<Result<OwnAccount>> {
  return authRequest(
    (auth) => auth.getUser(),
    ({ user }) => ({ newEmail: user.new_email, factors: appsOf(user) }),
  );
}

/** Asks for another address of the account: both addresses get a mail, and both have to confirm. */
export function requestEmailChange(email: string): Promise<Result<null>> {
  return authRequest(
    (auth) => auth.updateUser({ email }, { emailRedirectTo: siteRoot() }),
    () => null,
  );
}
