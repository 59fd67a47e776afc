import { queryOptions } from "@tanstack/react-query";
import { throwBugs, unwrap } from "../../supabase/load-error";
import { type OwnAccount, readOwnAccount } from "../../supabase/own-account";
import { countRecoveryCodes, type SecondFactorStep, secondFactorStep } from "../../supabase/second-factor";
import { findUser, isAdmin } from "../../supabase/session";

export interface Account extends OwnAccount {
  /** What the session still has to do with the second factor. */
  step: SecondFactorStep;
  /** The number of recovery codes; null on a hosted Supabase project, which has none. */
  codesLeft: number | null;
}

export const account = queryOptions({
  ...throwBugs,
  queryKey: ["account"],
  staleTime: 10_000,
  queryFn: async (): Promise<Account> => {
    const [read, asked] = await Promise.all([readOwnAccount(), secondFactorStep()]);
    const own = unwrap(read);
    const step = unwrap(asked);
    const mayHaveCodes = own.factors.length > 0 && step !== "verify";
    return { ...own, step, codesLeft: mayHaveCodes ? (unwrap(await countRecoveryCodes()) ?? null) : 0 };
  },
});

/** The email address of the user, and whether the user is an administrator; null if nobody is signed in. */
export const owner = queryOptions({
  ...throwBugs,
  queryKey: ["owner"],
  queryFn: async ({ client }) => {
    const user = unwrap(await findUser());
    if (!user) return null;
    // Loaded together, so that the sections do not move when the account has been read.
    const [role] = await Promise.all([isAdmin(user.id), client.prefetchQuery(account)]);
    return { email: user.email, isAdmin: unwrap(role) };
  },
});
