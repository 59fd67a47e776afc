import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findAdmins } from "#backend/auth/admin-roles";
import { versionsOf } from "#backend/database/migrations";
import { migrate, readProductMigrations } from "#server/database";
import { startAuth } from "#tests/support/auth-server";
import { createDatabase, createEmptyDatabase, hostedSchema } from "#tests/support/database";
import { admin } from "#tests/support/run-command";
import { silentLog } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { totpCode } from "#tests/support/totp";

describe("on the database of DATABASE_URL", async () => {
  const server = await startAuth();
  const environment = { DATABASE_URL: server.database.url };
  await server.member("member@example.com");

  const run = (line: string, input?: string) => admin(line, { environment, ...(input !== undefined && { input }) });
  const kindsOfMailsTo = async (email: string) => (await server.mailsTo(email)).map(({ kind }) => kind);
  const signIn = (email: string, password: string) => server.client().auth.signInWithPassword({ email, password });

  test("`npm run admin -- create` makes an account that can log in; --admin adds the admin role", async () => {
    expect(await run("create Boss@Example.com --admin --password-stdin", "owl feathers\n")).toEqual({
      code: 0,
      out: "boss@example.com can log in and read the contacts as soon as a server runs.",
      err: "",
    });
    const { data, error } = await signIn("boss@example.com", "owl feathers");
    expect(error).toBeNull();
    expect(data.user?.email_confirmed_at).toBeTruthy();

    expect((await run("create clerk@example.com --password-stdin", "owl feathers")).out).toBe(
      "clerk@example.com can log in as soon as a server runs.",
    );
    const admins = (await run("list")).out.split("\n");
    expect(admins.filter((address) => /^(boss|clerk)@/.test(address))).toEqual(["boss@example.com"]);
    expect(await findAdmins(server.database.owner)).toContain("boss@example.com");
  });

  test("`npm run admin -- invite` mails an invitation; --admin gives the guest the admin role", async () => {
    const { code, out, err } = await run("invite Guest@Example.com --admin");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe("guest@example.com is invited to read the contacts. The email is sent as soon as a server runs.");
    const [mail] = await server.mailsTo("guest@example.com");
    expect(mail).toMatchObject({ kind: "invite", code: expect.stringMatching(/^\d{6}$/) });

    const client = server.client();
    const { data, error } = await client.auth.verifyOtp({
      email: "guest@example.com",
      token: mail?.code ?? "",
      type: "invite",
    });
    expect(error).toBeNull();
    expect((await client.rpc("has_role", { _user_id: data.user?.id, _role: "admin" })).data).toBe(true);
    expect((await client.auth.updateUser({ password: "owl feathers" })).error).toBeNull();
    expect((await run("invite guest@example.com")).err).toMatch(/^guest@example\.com already has an account\. /);
  });

  test("`npm run admin -- grant` and `revoke` change the admin role or report no change", async () => {
    const { email } = await server.member();
    expect(await run(`revoke ${email}`)).toMatchObject({
      code: 0,
      out: `${email} had no access to the contacts, so nothing changed.`,
    });
    expect((await run(`grant ${email}`)).out).toMatch(
      `${email} can read the contacts as soon as a server runs.\nAn email tells its owner.`,
    );
    expect((await run(`grant ${email}`)).out).toMatch(`${email} could already read the contacts.`);
    expect((await run("list")).out).toContain(email);
    expect((await run(`revoke ${email}`)).out).toBe(`${email} cannot read the contacts any more.`);
    expect((await run("list")).out).not.toContain(email);
  });

  test("`npm run admin -- events` prints what happened to an account, the newest last", async () => {
    const { email, client, password } = await server.member();
    await signIn(email, "wrong");
    await signIn(email, "wrong");
    await client.auth.updateUser({ password: "owl feathers", current_password: password });
    await run(`grant ${email}`);
    const { code, out } = await run(`events ${email.toUpperCase()}`);
    expect(code).toBe(0);
    const [time, ...lines] = out.split("\n");
    expect(time).toBe("Times are UTC.");
    expect(lines.map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/, ""))).toEqual([
      "login  127.0.0.1  provider=email",
      "login_failed  2 times  127.0.0.1  reason=invalid_credentials",
      "user_modified  127.0.0.1",
      "user_updated_password  127.0.0.1",
      expect.stringMatching(`^role_granted  -  .*user_email=${email}`),
    ]);
    expect((await run("events nobody@example.com")).out).toBe("The log has no events of nobody@example.com.");
  });

  test("`npm run admin -- grant` mails the owner once, and names a password from before the confirmation", async () => {
    const { email } = await server.memberBySignUp();
    const warning = /^Its password was set before .* grant \S+@example\.com --new-password$/m;
    expect((await run(`grant ${email}`)).out).toMatch(warning);
    expect((await run(`grant ${email}`)).out).toMatch(warning);
    expect(await kindsOfMailsTo(email)).toEqual(["confirm-address", "contacts-granted"]);

    const chosen = await server.memberBySignUp();
    // A stranger who knows the password from before can make this change as well.
    const change = { password: "owl feathers", current_password: chosen.password };
    expect((await chosen.client.auth.updateUser(change)).error).toBeNull();
    expect((await run(`grant ${chosen.email}`)).out).toMatch(warning);
    await chosen.client.auth.resetPasswordForEmail(chosen.email);
    // The mail about the changed password may be composed after the one with the code.
    const token = (await server.mailsTo(chosen.email)).find(({ kind }) => kind === "recover")?.code ?? "";
    await chosen.client.auth.verifyOtp({ email: chosen.email, token, type: "recovery" });
    expect((await chosen.client.auth.updateUser({ password: "owls feather" })).error).toBeNull();
    expect((await run(`grant ${chosen.email}`)).out).not.toMatch(warning);
    await run("create chief@example.com --password-stdin", "owl feathers");
    expect((await run("grant chief@example.com")).out).not.toMatch(warning);
    await run(`reset-password ${email} --password-stdin`, "owl feathers");
    expect((await run(`grant ${email}`)).out).not.toMatch(warning);
  });

  test("`npm run admin -- grant --new-password` shuts out a stranger; the mail lets the owner choose", async () => {
    const { email, password, session } = await server.member();
    const { code, out } = await run(`grant ${email} --new-password`);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        `${email} can read the contacts as soon as a server runs.`,
        "An email tells its owner.",
        "It is logged out everywhere and has no password now. An email asks its owner to choose one.",
      ].join("\n"),
    );
    expect((await server.call("/auth/v1/user", { token: session.access_token })).status).toBe(403);
    expect((await signIn(email, password)).error?.code).toBe("invalid_credentials");

    // The two mails are composed at the same time, in any order.
    const mails = await server.mailsTo(email);
    expect(mails.map(({ kind }) => kind).sort()).toEqual(["choose-password", "contacts-granted"]);
    const token = mails.find(({ kind }) => kind === "choose-password")?.code ?? "";
    const owner = server.client();
    expect((await owner.auth.verifyOtp({ email, token, type: "recovery" })).error).toBeNull();
    expect((await owner.auth.updateUser({ password: "owl feathers" })).error).toBeNull();
    expect((await signIn(email, "owl feathers")).error).toBeNull();
    expect((await run(`grant ${email}`)).out).toBe(`${email} could already read the contacts.`);
    const changes = (await server.events(email)).filter(({ action }) => action === "user_updated_password");
    expect(changes[0]?.traits).toEqual({ removed_by: "operator" });
  });

  test("`npm run admin -- reset-password` sets a new password and ends all sessions", async () => {
    const { email, session } = await server.member();
    expect(await run(`reset-password ${email} --password-stdin`, "new feathers")).toMatchObject({
      code: 0,
      out: `${email} has a new password and is logged out everywhere.`,
    });
    expect((await server.call("/auth/v1/user", { token: session.access_token })).status).toBe(403);
    expect((await signIn(email, "correct horse")).error?.code).toBe("invalid_credentials");
    expect((await signIn(email, "new feathers")).error).toBeNull();
  });

  test("`npm run admin -- reset-mfa` removes factors and recovery codes, ends all sessions and mails the owner", async () => {
    const { email, password, client } = await server.member();
    const { data } = await client.auth.mfa.enroll({ factorType: "totp" });
    const [factorId, secret] = data?.type === "totp" ? [data.id, data.totp.secret] : ["", ""];
    expect((await run(`reset-mfa ${email}`)).out).toBe(`${email} has no second factor.`);
    await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(secret) });
    expect((await client.auth.mfa.recoveryCodes.generate()).error).toBeNull();
    await signIn(email, password);

    expect(await run(`reset-mfa ${email.toUpperCase()}`)).toMatchObject({
      code: 0,
      out: `${email} no longer has a second factor or recovery codes, and is logged out everywhere. An email tells its owner.`,
    });
    const { rows } = await server.database.owner.query(
      `select (select count(*)::int from auth.mfa_factors) as factors,
         (select count(*)::int from auth.mfa_recovery_codes) as codes, (select count(*)::int from auth.sessions s
         join auth.users u on u.id = s.user_id where u.email = $1) as sessions`,
      [email],
    );
    expect(rows).toEqual([{ factors: 0, codes: 0, sessions: 0 }]);
    const reset = expect.objectContaining({ action: "second_factor_reset", traits: { by: "operator" } });
    expect(await server.events(email)).toContainEqual(reset);
    expect((await kindsOfMailsTo(email)).sort()).toEqual(["second-factor-added", "second-factor-removed"]);
    expect((await signIn(email, password)).data.user).not.toHaveProperty("factors");
  });

  test("`npm run admin -- grant` refuses an unconfirmed account; `create` replaces the account", async () => {
    const email = "claimed@example.com";
    await server.client().auth.signUp({ email, password: "squatter" });
    expect(await run(`grant ${email}`)).toMatchObject({
      code: 1,
      err: `${email} has not confirmed the address yet, so it may be somebody else's account.`,
    });
    expect((await run(`create ${email} --password-stdin`, "owl feathers")).code).toBe(0);
    expect((await signIn(email, "squatter")).error?.code).toBe("invalid_credentials");
    expect((await signIn(email, "owl feathers")).error).toBeNull();
  });

  test("`rotate-keys` makes the key that signs, also after one that was made while the clock ran ahead", async () => {
    await server.database.owner.query("update auth.signing_keys set created_at = now() + interval '806 days'");
    const { out } = await run("rotate-keys");
    await server.keys.load();
    expect(out).toContain(`the key ${(await server.keys.forSigning()).kid}.`);
  });

  test.each([
    [
      "create member@example.com --password-stdin",
      "owl feathers",
      /already has an account\. .* grant member@example\.com$/,
    ],
    ["create new@example.com --password-stdin", "short", /^Password should be at least 8 characters\.$/],
    ["create new@example.com --password-stdin", "Password1", /^This is one of the most commonly leaked /],
    ["reset-password member@example.com --password-stdin", "member@example.com", /^This password is part of /],
    ["create nonsense --password-stdin", "owl feathers", /^Unable to validate email address: invalid format$/],
    ["create new@example.com", "owl feathers", /^There is no terminal .* --password-stdin\.$/],
    ["grant nobody@example.com", "", /^nobody@example\.com has no account\. /],
    ["reset-password nobody@example.com --password-stdin", "owl feathers", /^nobody@example\.com has no account\. /],
    ["reset-mfa nobody@example.com", "", /^nobody@example\.com has no account\. /],
    ["reset-mfa", "", /^Usage:/],
    ["invite nonsense", "", /^Unable to validate email address: invalid format$/],
    ["create boss@example.com --new-password", "", /^Usage:/],
    ["list boss@example.com", "", /^Usage:/],
    ["create boss@example.com --force", "", /^Usage:/],
    ["promote boss@example.com", "", /^Usage:/],
  ])("`admin %s` exits with 1 and prints the reason", async (line, input, reason) => {
    const { code, out, err } = await run(line, input);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(reason);
    expect(err).not.toMatch(/^\s+at /m);
  });
});

describe("on a hosted Supabase project", () => {
  test("`npm run admin` allows grant and list, but refuses what the project's dashboard does", async () => {
    const database = await createEmptyDatabase();
    const environment = { DATABASE_URL: database.url };
    await database.owner.query(hostedSchema);
    await database.owner.query("insert into auth.users values (gen_random_uuid(), 'boss@example.com', now())");

    expect((await admin("list", { environment })).err).toMatch(/^The database is older than this code \([^\n]+$/);
    expect(await admin("grant boss@example.com", { environment })).toMatchObject({ code: 0, err: "" });
    expect((await admin("list", { environment })).out).toBe("boss@example.com");
    const refused = "These accounts belong to a hosted project: use its dashboard for that.";
    for (const command of [
      "create new@example.com --password-stdin",
      "invite new@example.com",
      "reset-password boss@example.com --password-stdin",
      "grant boss@example.com --new-password",
      "rotate-keys --now --yes",
      "trust-clock --yes",
      "reset-mfa boss@example.com",
    ]) {
      const { code, err } = await admin(command, { environment, input: "owl feathers" });
      expect([code, err]).toEqual([1, refused]);
    }
  });

  test("it grants the right to read where migrations were run in the SQL editor, even with a password in PGPASSFILE", async () => {
    const project = await createEmptyDatabase();
    await project.owner.query(hostedSchema);
    for (const { sql } of readProductMigrations().schema_migrations) await project.owner.query(sql);
    await project.owner.query("insert into auth.users values (gen_random_uuid(), 'boss@example.com', now())");
    const folder = await temporaryFolder();
    onTestFinished(() => void vi.unstubAllEnvs());
    const { password } = project.connection;
    await writeFile(join(folder, "pgpass"), `*:*:*:*:${password}\n`, { mode: 0o600 });
    vi.stubEnv("PGPASSFILE", join(folder, "pgpass"));
    const withoutPassword = (url: string) => ({ environment: { DATABASE_URL: url.replace(`:${password}@`, "@") } });
    expect(await admin("grant boss@example.com", withoutPassword(project.url))).toEqual({
      code: 0,
      out: "boss@example.com can read the contacts now.",
      err: "",
    });
    // A server's own database needs it in the address.
    const own = await createDatabase();
    expect(await admin("grant boss@example.com", withoutPassword(own.url))).toEqual({
      code: 1,
      out: "",
      err: "DATABASE_URL must contain the user's password: that of the login for requests is derived from it.",
    });
  });

  test("`npm run admin` needs DATABASE_URL there, and makes no database of its own", async () => {
    const dataDir = join(tmpdir(), `never-made-${process.pid}`);
    const environment = { PUBLIC_SUPABASE_URL: "https://project.example", DATA_DIR: dataDir };
    const { code, err } = await admin("grant boss@example.com", { environment });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^The project at https:\/\/project\.example .*DATABASE_URL.*\.$/),
    ]);
    expect(existsSync(dataDir)).toBe(false);
  });
});

test("`npm run admin` refuses a data folder without a database in one sentence and makes none", async () => {
  const dataDir = await temporaryFolder();
  for (const folder of [dataDir, join(dataDir, "none")]) {
    const refused = await admin("create boss@example.com --password-stdin", { environment: { DATA_DIR: folder } });
    expect(refused).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(
        `^There is no site database in ${folder}: npm start makes one\\. .*DATABASE_URL.*ENV_FILE\\.$`,
      ),
    });
  }
  expect(await readdir(dataDir)).toEqual([]);
});

test("`list` and `export` change nothing in an older database, and say that it is older", async () => {
  const database = await createEmptyDatabase();
  const { bootstrap, schema_migrations: all } = versionsOf(readProductMigrations());
  const only = { bootstrap, schema_migrations: all.slice(0, 1), server_migrations: [] };
  await migrate(database.owner, silentLog, { only });
  const state = async () => {
    const { rows } = await database.owner.query(`select c.oid, c.xmin, c.relname from pg_class c
      union all select 0, xmin, version from supabase_migrations.schema_migrations order by 1, 3`);
    return rows;
  };
  const stored = await state();
  const environment = { DATABASE_URL: database.url };
  expect(await admin("list", { environment })).toEqual({
    code: 0,
    out: "No one can read the contacts yet.",
    err: "",
  });
  const older =
    /^The database is older than this code \([^\n]+\)\. Start this version of the site first, or use the version that belongs to the database\.$/;
  expect(await admin("export ada@example.com", { environment })).toMatchObject({
    code: 1,
    err: expect.stringMatching(older),
  });
  expect(await state()).toEqual(stored);
});
