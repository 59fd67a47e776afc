import { readFile } from "node:fs/promises";
import { inboxWords, workWords } from "#content/inbox";
import { personalDataFileWords } from "#content/personal-data-file";
import { expect, test } from "./support/accounts.ts";

test.afterEach(async ({ database, admin }) => {
  await database.query("delete from contacts where email like $1", [`%${admin.email}`]);
});

test("all contacts of an address, and no other, are in the file", async ({ page, admin, startSession, database }) => {
  // The address of another person contains this one.
  const email = `o'neil-${admin.email}`;
  const { rows } = await database.query(
    `insert into contacts (name, company, email, interest, state, note)
     values ('Ada Heron', 'Herons', $1, 'consulting', 'new', 'Called back.'), ('A. Heron', '', $1, 'partnerships', 'spam', ''),
       ('Another', '', $2, 'consulting', 'new', 'Not theirs.')
     returning id`,
    [email, `x${email}`],
  );
  await startSession(admin);
  await page.goto(`/admin/contacts?contact=${rows[0].id}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: workWords.panel.more }).click();
  await page.getByRole("button", { name: workWords.panel.saveData }).click();
  await page.getByRole("button", { name: personalDataFileWords.save }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^stored-about-o_neil-.+@example\.com-\d{4}-\d\d-\d\d\.json$/);
  const file = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(file).toMatchObject({
    about: personalDataFileWords.about(email),
    not_in_this_file: personalDataFileWords.elsewhere(email),
  });
  const stored = await database.query("select * from contacts where email = $1", [email]);
  expect(stored.rowCount).toBe(2);
  for (const row of stored.rows) {
    const { id, name, company, interest, state, note, note_version, spam_reason } = row;
    expect(file.contacts).toContainEqual(
      expect.objectContaining({ id, name, company, email, interest, state, note, note_version, spam_reason }),
    );
  }
  expect(file.contacts).toHaveLength(2);
  expect(JSON.stringify(file)).not.toMatch(/"(handled|read|note)_by"/);
  await expect(page.getByText(personalDataFileWords.saved(inboxWords.total(2)))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: workWords.panel.more })).toBeFocused();
});
