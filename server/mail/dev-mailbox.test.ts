import { chmod, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { CapturedMailbox, devMailbox, mailboxKeyFile, writeMailboxKey } from "./dev-mailbox.ts";

const mail = {
  to: "ida@example.com",
  from: { name: "Owls", address: "owls@example.com" },
  subject: "<b>Hello</b>",
  text: "Open http://localhost:3000/verify?a=1&b=2 now",
  html: "<p>Hello</p>",
};

async function requestMails(path: string, query = (key: string) => `?key=${key}`) {
  const mailbox = new CapturedMailbox();
  mailbox.add(mail);
  const app = Fastify();
  app.register(devMailbox(mailbox));
  return app.inject({ url: path + query(mailbox.key) });
}

const paths = ["/dev/mail", "/dev/mail.json"];

test("`/dev/mail.json` lists the captured mails as JSON", async () => {
  const answer = await requestMails("/dev/mail.json");
  expect(answer.json()).toEqual([{ ...mail, sent_at: expect.stringMatching(/Z$/) }]);
  expect(answer.headers["cache-control"]).toBe("no-store");
});

test("`/dev/mail` shows the captured mails as a page with escaped text and clickable links", async () => {
  const { body, headers } = await requestMails("/dev/mail");
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(body).toContain('<a href="http://localhost:3000/verify?a=1&amp;b=2">');
  expect(body).toContain("&lt;b&gt;Hello&lt;/b&gt;");
  expect(body).not.toContain("<b>");
});

test.each<[string, (key: string) => string]>([
  ["no key", () => ""],
  ["the key of another start", () => `?key=${new CapturedMailbox().key}`],
  ["a key that ends otherwise", (key) => `?key=${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`],
  ["a longer key", (key) => `?key=${key}x`],
  ["the key twice", (key) => `?key=${key}&key=${key}`],
])("a request with %s gets 404", async (_case, query) => {
  for (const path of paths) expect((await requestMails(path, query)).statusCode).toBe(404);
});

test("the file of the key is readable only by its owner, and a new start replaces it", async () => {
  const dataDir = join(await temporaryFolder(), "missing");
  onTestFinished(() => rm(dirname(dataDir), { recursive: true }));
  const file = join(dataDir, mailboxKeyFile);
  const [first, second] = [new CapturedMailbox(), new CapturedMailbox()];
  await writeMailboxKey(dataDir, first);
  expect(await readFile(file, "utf8")).toBe(first.key);
  expect(Buffer.from(first.key, "base64url").length * 8).toBeGreaterThanOrEqual(128);

  await chmod(file, 0o644);
  await writeMailboxKey(dataDir, second);
  expect(await readFile(file, "utf8")).toBe(second.key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
