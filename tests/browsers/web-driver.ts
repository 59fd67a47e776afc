import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { findFirefox } from "../../scripts/browsers.mjs";
import { freePort } from "../support/site.ts";

/** The commands of WebDriver (w3.org/TR/webdriver2) that the tests need, and their addresses over HTTP. */
const addresses = {
  Navigate: "url",
  SetWindowRect: "window/rect",
  ElementClick: "element/:id/click",
  ElementSendKeys: "element/:id/value",
  ExecuteScript: "execute/sync",
};

export interface Browser {
  send(command: keyof typeof addresses, parameters: { id?: string; [name: string]: unknown }): Promise<unknown>;
  close(): Promise<void>;
}

/** Ends a start that hangs. */
const limit = { timeout: 60_000 };

/** `npm run test:long` says which browser it is. */
export const startBrowser = process.env.TEST_BROWSER === "webkit" ? startWebKit : startFirefox;

/** Starts WebKit on a screen of its own, without windows on the real one. */
async function startWebKit({ javaScript = true } = {}): Promise<Browser> {
  const screen = spawn("Xvfb", ["-displayfd", "1"], { stdio: ["ignore", "pipe", "ignore"] });
  const [display] = await once(screen.stdout, "data");
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${`${display}`.trim()}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
    stdio: "ignore",
  });
  async function request(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`http://localhost:${port}/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: { error?: string } };
    if (!answer.ok) throw new Error(JSON.stringify(value));
    return value;
  }
  await vi.waitFor(() => request("GET", "status"), limit);
  // Without bars around the page, the window can be as narrow as that of a phone.
  const args = ["--automation", "--full-screen", ...(javaScript ? [] : ["--enable-javascript-markup=FALSE"])];
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { args } } };
  const { sessionId } = (await request("POST", "session", { capabilities })) as { sessionId: string };
  const session = `session/${sessionId}`;
  return {
    send: (command, parameters) =>
      request("POST", `${session}/${addresses[command].replace(":id", parameters.id ?? "")}`, parameters),
    async close() {
      await request("DELETE", session);
      await Promise.all([end(driver), end(screen)]);
    },
  };
}

/**
 * Starts an unmodified Firefox with a profile of its own. It takes the commands in JSON over TCP
 * (firefox-source-docs.mozilla.org/testing/marionette/Protocol.html).
 */
async function startFirefox({ javaScript = true } = {}): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "firefox-profile-"));
  const preferences = { "marionette.port": 0, "javascript.enabled": javaScript };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});`);
  await writeFile(join(profile, "user.js"), lines.join("\n"));
  const path = findFirefox();
  if (!path) throw new Error("There is no Firefox here: npm run test:long says how to get one.");
  const firefox = spawn(path, ["--marionette", "--headless", "--no-remote", "--profile", profile], { stdio: "ignore" });
  const port = await vi.waitFor(async () => {
    const written = Number(await readFile(join(profile, "MarionetteActivePort"), "utf8"));
    if (!written) throw new Error("Firefox has not written its port yet.");
    return written;
  }, limit);
  const socket = connect(port, "127.0.0.1");
  const answers = messagesOf(socket);
  await answers.next(); // Its greeting.
  let last = 0;
  async function send(command: string, parameters: object) {
    const message = JSON.stringify([0, ++last, `WebDriver:${command}`, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = (await answers.next()).value;
    if (error) throw new Error(JSON.stringify(error));
    return result;
  }
  await send("NewSession", {});
  return {
    send: async (command, parameters) => (await send(command, parameters)).value,
    async close() {
      socket.end();
      await end(firefox);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A message is its length in bytes, a colon and JSON. */
async function* messagesOf(socket: Socket) {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    for (let start = 1 + received.indexOf(":"); start > 0; start = 1 + received.indexOf(":")) {
      const end = start + Number(received.subarray(0, start - 1));
      if (received.length < end) break;
      yield JSON.parse(`${received.subarray(start, end)}`);
      received = received.subarray(end);
    }
  }
}

async function end(child: ChildProcess) {
  const exit = once(child, "exit");
  child.kill();
  await exit;
}
