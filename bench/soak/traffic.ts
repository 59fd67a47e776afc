import { setTimeout as pause } from "node:timers/promises";
import { defaultPublicKey } from "#server/settings";
import type { Random } from "../chaos/random.ts";
import { publicAddress } from "../public-address.ts";

export const kinds = ["page", "contact", "form", "sign-in", "refresh", "inbox"] as const;
export type Kind = (typeof kinds)[number];

/** How many of a hundred requests are of each kind: most people read, a few write, fewer log in. */
const shares: Record<Kind, number> = { page: 50, contact: 10, form: 5, "sign-in": 8, refresh: 17, inbox: 10 };
const deck = kinds.flatMap((kind) => Array<Kind>(shares[kind]).fill(kind));
const pages = ["/", "/auth", "/privacy-policy", "/terms-of-service", "/thanks", "/no/such/page"];
const interests = ["consulting", "co-development", "partnerships"];

/** More than this at once mean that the server does not keep up, which counts as a failure of the next request. */
const outstandingMax = 100;
const answerSecondsMax = 15;

export interface Account {
  email: string;
  password: string;
}

/** Someone with a session, who does one thing at a time. */
interface Member extends Account {
  address: string;
  session: { access_token: string; refresh_token: string } | undefined;
  busy: boolean;
}

export interface Traffic {
  /** Milliseconds of each answer, by kind. */
  readonly times: Record<Kind, number[]>;
  /** How many contacts were answered with success. */
  accepted: number;
  /** A sentence for each request that was not answered as it should be. */
  readonly failures: string[];
  /** Resolves when the last one is answered. */
  done: Promise<void>;
}

interface Options {
  url: string;
  admin: Account;
  members: readonly Account[];
  perSecond: number;
  seconds: number;
  random: Random;
  signal: AbortSignal;
}

/** An open loop: the next request leaves at its time, whatever became of those before. */
export function sendTraffic({ url, admin, members, perSecond, seconds, random, signal }: Options): Traffic {
  const times = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Traffic["times"];
  const traffic: Traffic = { times, accepted: 0, failures: [], done: Promise.resolve() };
  const [reader, ...people] = [admin, ...members].map(
    (account, number): Member => ({ ...account, address: publicAddress(number), session: undefined, busy: false }),
  );
  const outstanding = new Set<Promise<void>>();
  const etags = new Map<string, string>();
  let sent = 0;

  const work: Record<Kind, () => Promise<void>> = {
    async page() {
      const path = pick(pages);
      const known = random.below(2) === 0 ? etags.get(path) : undefined;
      const wanted = path.startsWith("/no/") ? 404 : known ? 304 : 200;
      const headers: Record<string, string> = known ? { "if-none-match": known } : {};
      const answer = await ask(wanted, path, { headers });
      etags.set(path, answer.headers.get("etag") ?? "");
    },
    async contact() {
      await ask(201, "/rest/v1/contacts", json(newContact()));
      traffic.accepted += 1;
    },
    async form() {
      await ask(303, "/contact", { method: "POST", body: new URLSearchParams(newContact()), redirect: "manual" });
      traffic.accepted += 1;
    },
    "sign-in": () => asMember(signIn),
    refresh: () => asMember((member) => (member.session ? refresh(member) : signIn(member))),
    async inbox() {
      if (!reader || reader.busy) return work.page();
      reader.busy = true;
      try {
        if (!reader.session) await signIn(reader);
        const headers = { authorization: `Bearer ${reader.session?.access_token}` };
        const id = subjectOf(reader.session?.access_token ?? "");
        const isAdmin = json({ _user_id: id, _role: "admin" }, headers);
        const answer = await ask(200, "/rest/v1/rpc/has_role", isAdmin, reader.address);
        if ((await answer.text()) !== "true") throw new Error("The admin was taken for none.");
        const list = "/rest/v1/contacts?select=*&order=submitted_at.desc&offset=0&limit=50";
        await ask(200, list, { headers: { apikey, ...headers } }, reader.address);
      } finally {
        reader.busy = false;
      }
    },
  };

  async function asMember(act: (member: Member) => Promise<void>) {
    const idle = people.filter(({ busy }) => !busy);
    if (idle.length === 0) return work.page();
    const member = pick(idle);
    member.busy = true;
    try {
      await act(member);
    } finally {
      member.busy = false;
    }
  }

  /** The session before is signed out, so that what stays in the tables is what the server leaves there. */
  async function signIn(member: Member) {
    const { email, password, address, session } = member;
    const answer = await ask(200, "/auth/v1/token?grant_type=password", json({ email, password }), address);
    member.session = await answer.json();
    if (!session) return;
    const leaving = json({}, { authorization: `Bearer ${session.access_token}` });
    await ask(204, "/auth/v1/logout?scope=local", leaving, address);
  }

  async function refresh(member: Member) {
    const path = "/auth/v1/token?grant_type=refresh_token";
    const proof = { refresh_token: member.session?.refresh_token };
    member.session = await (await ask(200, path, json(proof), member.address)).json();
  }

  async function ask(wanted: number, path: string, request: RequestInit, address = publicAddress(1000 + sent)) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerSecondsMax * 1000)]);
    const headers = { "x-forwarded-for": address, ...request.headers };
    const answer = await fetch(url + path, { ...request, headers, signal: limit });
    const body = await answer.arrayBuffer();
    if (answer.status === wanted) return new Response(body.byteLength ? body : null, { headers: answer.headers });
    throw new Error(`${path} was answered with ${answer.status}: ${Buffer.from(body).toString().slice(0, 200)}`);
  }

  function newContact() {
    const name = `Visitor ${sent}`;
    return { name, company: "Soak", email: `visitor-${sent}@soak.example`, interest: pick(interests) };
  }

  function pick<T>(list: readonly T[]): T {
    return list[random.below(list.length)] as T;
  }

  async function send(kind: Kind) {
    const asked = performance.now();
    try {
      if (outstanding.size >= outstandingMax) throw new Error(`${outstandingMax} requests are not answered yet.`);
      await work[kind]();
      traffic.times[kind].push(performance.now() - asked);
    } catch (error) {
      if (!signal.aborted) traffic.failures.push(`${kind}: ${error instanceof Error ? error.message : error}`);
    }
  }

  async function run() {
    const began = performance.now();
    for (let due = began; due < began + seconds * 1000; due += 1000 / perSecond) {
      await pause(Math.max(0, due - performance.now()), undefined, { signal });
      sent += 1;
      const one = send(pick(deck)).finally(() => outstanding.delete(one));
      outstanding.add(one);
    }
    await Promise.all(outstanding);
  }

  traffic.done = run();
  return traffic;
}

const apikey = defaultPublicKey;

function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { apikey, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

function subjectOf(token: string): string {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sub;
}
