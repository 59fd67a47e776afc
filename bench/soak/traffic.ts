import { setTimeout as pause } from "node:timers/promises";
import { defaultPublicKey } from "#server/settings";
import { jsonRequest, publicAddress } from "../load/requests.ts";
import type { Random } from "../load/seeded-random.ts";

export const kinds = ["page", "contact", "form", "sign-in", "refresh", "inbox"] as const;
type Kind = (typeof kinds)[number];

/** Shares in percent: most visitors read, some write, fewer log in. */
const shares: Record<Kind, number> = { page: 50, contact: 10, form: 5, "sign-in": 8, refresh: 17, inbox: 10 };
const deck = kinds.flatMap((kind) => Array<Kind>(shares[kind]).fill(kind));
const pages = ["/", "/auth", "/privacy-policy", "/terms-of-service", "/thanks", "/no/such/page"];
const interests = ["consulting", "co-development", "partnerships"];

/** If this many requests are unanswered, the server is too slow, and the next request counts as failed. */
const outstandingMax = 100;
const answerSecondsMax = 15;

export interface Account {
  email: string;
  password: string;
}

/** An account and its session, if it has signed in. It sends one request at a time. */
interface Member extends Account {
  address: string;
  session: { access_token: string; refresh_token: string } | undefined;
  isBusy: boolean;
}

export interface Traffic {
  /** Milliseconds of each answer, by kind. */
  readonly times: Record<Kind, number[]>;
  /** The number of contacts that the server accepted. */
  accepted: number;
  /** A sentence for each request with an unexpected answer. */
  readonly failures: string[];
  /** Resolves when the last request is answered. */
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

/** An open loop: each request is sent at its planned time, whether or not the earlier ones are answered. */
export function sendTraffic({ url, admin, members, perSecond, seconds, random, signal }: Options): Traffic {
  const times = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Traffic["times"];
  const traffic: Traffic = { times, accepted: 0, failures: [], done: Promise.resolve() };
  const [adminMember, ...otherMembers] = [admin, ...members].map(
    (account, number): Member => ({ ...account, address: publicAddress(number), session: undefined, isBusy: false }),
  );
  const outstanding = new Set<Promise<void>>();
  const etags = new Map<string, string>();
  let sent = 0;

  const work: Record<Kind, () => Promise<void>> = {
    async page() {
      const path = random.pick(pages);
      const etag = random.below(2) === 0 ? etags.get(path) : undefined;
      const status = path.startsWith("/no/") ? 404 : etag ? 304 : 200;
      const headers: Record<string, string> = etag ? { "if-none-match": etag } : {};
      const answer = await request(status, path, { headers });
      etags.set(path, answer.headers.get("etag") ?? "");
    },
    async contact() {
      await request(201, "/rest/v1/contacts", jsonRequest(newContact()));
      traffic.accepted += 1;
    },
    async form() {
      await request(303, "/contact", { method: "POST", body: new URLSearchParams(newContact()), redirect: "manual" });
      traffic.accepted += 1;
    },
    "sign-in": () => asMember(signIn),
    refresh: () => asMember((member) => (member.session ? refresh(member) : signIn(member))),
    async inbox() {
      if (!adminMember || adminMember.isBusy) return work.page();
      adminMember.isBusy = true;
      try {
        if (!adminMember.session) await signIn(adminMember);
        const headers = { authorization: `Bearer ${adminMember.session?.access_token}` };
        const id = subjectOf(adminMember.session?.access_token ?? "");
        const isAdmin = jsonRequest({ _user_id: id, _role: "admin" }, headers);
        const answer = await request(200, "/rest/v1/rpc/has_role", isAdmin, adminMember.address);
        if ((await answer.text()) !== "true") throw new Error("has_role does not know the admin.");
        const list = "/rest/v1/contacts?select=*&order=submitted_at.desc&offset=0&limit=50";
        await request(200, list, { headers: { apikey: defaultPublicKey, ...headers } }, adminMember.address);
      } finally {
        adminMember.isBusy = false;
      }
    },
  };

  async function asMember(act: (member: Member) => Promise<void>) {
    const idle = otherMembers.filter(({ isBusy }) => !isBusy);
    if (idle.length === 0) return work.page();
    const member = random.pick(idle);
    member.isBusy = true;
    try {
      await act(member);
    } finally {
      member.isBusy = false;
    }
  }

  /** Signs in, then ends the member's previous session. If a table still grows, the server does not clean it. */
  async function signIn(member: Member) {
    const { email, password, address, session } = member;
    const answer = await request(200, "/auth/v1/token?grant_type=password", jsonRequest({ email, password }), address);
    member.session = await answer.json();
    if (!session) return;
    const signOut = jsonRequest({}, { authorization: `Bearer ${session.access_token}` });
    await request(204, "/auth/v1/logout?scope=local", signOut, address);
  }

  async function refresh(member: Member) {
    const path = "/auth/v1/token?grant_type=refresh_token";
    const body = { refresh_token: member.session?.refresh_token };
    member.session = await (await request(200, path, jsonRequest(body), member.address)).json();
  }

  async function request(status: number, path: string, init: RequestInit, address = publicAddress(1000 + sent)) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerSecondsMax * 1000)]);
    const headers = { "x-forwarded-for": address, ...init.headers };
    const answer = await fetch(url + path, { ...init, headers, signal: limit });
    const body = await answer.arrayBuffer();
    if (answer.status === status) return new Response(body.byteLength ? body : null, { headers: answer.headers });
    throw new Error(`${path} was answered with ${answer.status}: ${Buffer.from(body).toString().slice(0, 200)}`);
  }

  function newContact() {
    const name = `Visitor ${sent}`;
    return { name, company: "Soak", email: `visitor-${sent}@soak.example`, interest: random.pick(interests) };
  }

  async function send(kind: Kind) {
    const startedAt = performance.now();
    try {
      if (outstanding.size >= outstandingMax) throw new Error(`${outstandingMax} requests are not answered yet.`);
      await work[kind]();
      traffic.times[kind].push(performance.now() - startedAt);
    } catch (error) {
      if (!signal.aborted) traffic.failures.push(`${kind}: ${error instanceof Error ? error.message : error}`);
    }
  }

  async function run() {
    const startedAt = performance.now();
    for (let due = startedAt; due < startedAt + seconds * 1000; due += 1000 / perSecond) {
      await pause(Math.max(0, due - performance.now()), undefined, { signal });
      sent += 1;
      const one = send(random.pick(deck)).finally(() => outstanding.delete(one));
      outstanding.add(one);
    }
    await Promise.all(outstanding);
  }

  traffic.done = run();
  return traffic;
}

function subjectOf(token: string): string {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sub;
}
