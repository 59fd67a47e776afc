import { admin } from "#tests/support/admin";
import { testSiteSettings } from "#tests/support/site";

/** Makes an account as `npm run admin -- create` does, in the data folder of a running server. */
export async function createAccount(
  dataDir: string,
  { email, password, isAdmin = false }: { email: string; password: string; isAdmin?: boolean },
) {
  const { code, err } = await admin(`create ${email} ${isAdmin ? "--admin " : ""}--password-stdin`, {
    input: password,
    environment: { ...testSiteSettings, DATA_DIR: dataDir },
  });
  if (code !== 0) throw new Error(err);
}
