import { refusals } from "../refusals.ts";

/** As upstream and hosted: what is longer, bcrypt would not look at (protocol section 3). */
const bytesMax = 72;

/** The setting's default, and what nobody can set it below. */
export const passwordCharacters = { usual: 8, least: 6 } as const;

/** The checks of protocol section 2.2, in its order, and those for which there is a list. */
export async function checkNewPassword(
  password: string,
  { email, charactersMin }: { email: string; charactersMin: number },
) {
  if (password === "") throw refusals.noPassword();
  if (Buffer.byteLength(password) > bytesMax) throw refusals.longPassword();
  if ([...password].length < charactersMin) throw refusals.shortPassword(charactersMin);

  const plain = password.toLowerCase();
  if (isPartOf(plain, email.toLowerCase())) throw refusals.addressAsPassword();
  if (isRun(plain) || (await commonPasswords()).has(plain)) throw refusals.commonPassword();
}

/** The address itself, or what stands on either side of its @: the first things that somebody tries who knows it. */
function isPartOf(password: string, email: string): boolean {
  return [email, ...email.split("@")].includes(password);
}

/** "aaaaaaaa", "abababab" and "23456789" in either direction: no list holds them all. */
function isRun(password: string): boolean {
  const characters = [...password];
  const steps = characters.slice(1).map((character, index) => codeOf(character) - codeOf(characters[index]));
  return new Set(characters).size <= 2 || steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

function codeOf(character = ""): number {
  return character.codePointAt(0) ?? 0;
}

let loaded: Promise<ReadonlySet<string>> | undefined;

/**
 * The most common leaked passwords, in lower case. Read at the first need, which takes 60 ms and 5 MB: most commands and
 * many a server never have one.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => {
    const passwords = dictionary["passwords-common"];
    return new Set(passwords.filter(({ length }) => length >= passwordCharacters.least));
  });
  return loaded;
}
