import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { Secret } from "otpauth";
import { hashOf } from "#backend/auth/tokens/random-tokens";
import { secretKeys } from "#backend/secret-keys";
import { secondFactorStepWords } from "#content/second-factor-step";
import { expect } from "./accounts.ts";
import { type Account, button } from "./auth-forms.ts";
import { test as base } from "./contacts.ts";
import { mouseUser } from "./input-methods.ts";

interface Fixtures {
  /** Adds an app to the account, as if it had been set up on another device. Returns the secret for `totpCode`. */
  addApp: (account: Account, name?: string) => Promise<string>;
  addRecoveryCodes: (account: Account, codes: readonly string[]) => Promise<void>;
}

export const test = base.extend<Fixtures>({
  addApp: async ({ database }, use) => {
    await use(async ({ email }, name = "Phone") => {
      const secret = new Secret({ size: 20 }).base32;
      const id = randomUUID();
      const dataDir = process.env.E2E_DATA_DIR ?? "";
      const keys = secretKeys({ secretsKeys: [], databaseUrl: undefined, dataDir });
      await database.query(
        `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
         select $3, id, $2, 'totp', 'verified', now(), now(), $4 from auth.users where email = $1`,
        [email, name, id, await keys.encrypt(secret, id)],
      );
      return secret;
    });
  },

  addRecoveryCodes: async ({ database }, use) => {
    await use(async ({ email }, codes) => {
      await database.query(
        `insert into auth.mfa_recovery_codes (user_id, code_hash, created_at)
         select id, unnest($2::bytea[]), now() from auth.users where email = $1`,
        [email, codes.map(hashOf)],
      );
    });
  },
});

export const codeField = (page: Page) => page.getByLabel(secondFactorStepWords.label);

export async function submitCode(page: Page, code: string, { press, write } = mouseUser) {
  await write(codeField(page), code);
  await press(button(page, secondFactorStepWords.submit));
}

export { expect };
