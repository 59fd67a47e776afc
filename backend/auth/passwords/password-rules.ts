import { refusals } from "../refusals.ts";

/** As upstream, whose bcrypt accepts at most 72 bytes (docs/protocol.md#password-rules). */
const bytesMax = 72;

/** The default of `PASSWORD_MIN`, and its lowest value. */
export const passwordCharacters = { default: 8, min: 6 } as const;

/** A sign-up checks the length before the address, and the rest after it (docs/protocol.md#sign-up). */
export function checkPasswordLength(password: string, charactersMin: number) {
  if (password === "") throw refusals.noPassword();
  if (Buffer.byteLength(password) > bytesMax) throw refusals.longPassword();
  if ([...password].length < charactersMin) throw refusals.shortPassword(charactersMin);
}

/** Makes the checks of docs/protocol.md#password-rules in the order given there. */
export async function checkNewPassword(
  password: string,
  { email, charactersMin }: { email: string; charactersMin: number },
) {
  checkPasswordLength(password, charactersMin);
  const lowerCase = password.toLowerCase();
  if (isPartOf(lowerCase, email.toLowerCase())) throw refusals.addressAsPassword();
  if (isRun(lowerCase) || (await commonPasswords()).has(lowerCase)) throw refusals.commonPassword();
}

/** An attacker who knows the address guesses it and either side of its @ first. */
function isPartOf(password: string, email: string): boolean {
  return [email, ...email.split("@")].includes(password);
}

/** Passwords like "aaaaaaaa", "abababab", or "23456789" in either direction are too many for a list. */
function isRun(password: string): boolean {
  const characters = [...password];
  const steps = characters.slice(1).map((character, index) => codeOf(character) - codeOf(characters[index]));
  return new Set(characters).size <= 2 || steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

function codeOf(character = ""): number {
  return character.codePointAt(0) ?? 0;
}

let loaded: Promise<ReadonlySet<string>> | undefined;

/** In lower case. Loaded at the first use: that takes 60 ms and 5 MB, and most admin commands do not need them. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => {
    const passwords = dictionary["passwords-common"];
    return new Set(passwords.filter(({ length }) => length >= passwordCharacters.min));
  });
  return loaded;
}
