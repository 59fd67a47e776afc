import { invisible } from "#validation/contact";

/** A condition that a word of a search makes of a contact. The operators are those of the data API. */
export interface SearchCondition {
  column: "search_text" | "referrer" | "campaign" | "first_page";
  operator: "like" | "ilike" | "eq";
  value: string;
}

const wordsMax = 8;
const lengthMax = 200;
const separators = new RegExp(`[\\p{Cc}${invisible}]+`, "u");

/** What a search asks for: a contact must meet every condition (docs/specification.md#search-and-counts). */
export function parseSearch(search: string): SearchCondition[] {
  const words = [...search.toLowerCase()].slice(0, lengthMax).join("").split(separators);
  const searched = new Set(words.filter((word) => toSearchText(word) !== ""));
  return [...searched].slice(0, wordsMax).map(toCondition);
}

function toCondition(word: string): SearchCondition {
  const [, kind, source = ""] = /^(site|campaign|page):(.*)/u.exec(word) ?? [];
  switch (kind) {
    case "site":
      return { column: "referrer", operator: "eq", value: source };
    case "campaign":
      return {
        column: "campaign",
        operator: "eq",
        value: source.replaceAll("+", " ").replaceAll("%2b", "+"),
      };
    case "page":
      return { column: "first_page", operator: "ilike", value: escapePattern(source) };
    default: {
      // One letter can become eighteen, and addresses of requests have a maximum length.
      const text = [...toSearchText(domainInLetters(word))].slice(0, lengthMax).join("");
      return { column: "search_text", operator: "like", value: `%${escapePattern(text)}%` };
    }
  }
}

/**
 * The text as the column `search_text` has it (supabase/migrations/): in lower case, without accents, apostrophes and the
 * characters that are removed from a contact. Letters that Unicode does not divide into a letter and an accent are
 * replaced one by one.
 */
export function toSearchText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[łøđħıςßæœ]/g, (letter) => replacements[letter] ?? letter)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f<>"']/g, "");
}

const replacements: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ħ: "h",
  ı: "i",
  ς: "σ",
  ß: "ss",
  æ: "ae",
  œ: "oe",
};

/** The data API takes an asterisk for a percent sign, with a backslash too, so it stands for any one character. */
function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&").replaceAll("*", "_");
}

/** The ASCII labels of a domain (`xn--`) in letters, which is how the database stores them; an unreadable one stays. */
function domainInLetters(word: string): string {
  return word.replace(/(?<=^|[@.])xn--([a-z0-9-]{1,59})/gu, (label, encoded) => {
    return decodePunycode(encoded) ?? label;
  });
}

/** RFC 3492, section 6.2. The browser's own URL parser only encodes. */
function decodePunycode(encoded: string): string | undefined {
  const basicLength = Math.max(encoded.lastIndexOf("-"), 0);
  const letters = [...encoded.slice(0, basicLength)];
  const digits = [...encoded.slice(basicLength && basicLength + 1)].map((digit) =>
    "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(digit),
  );
  let [code, position, bias] = [128, 0, 72];
  while (digits.length > 0) {
    const first = position;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = digits.shift();
      if (digit === undefined || digit < 0) return undefined;
      position += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = letters.length + 1;
    code += Math.floor(position / length);
    if (code > 0x10ffff) return undefined;
    let delta = Math.floor((position - first) / (first === 0 ? 700 : 2));
    delta += Math.floor(delta / length);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    position %= length;
    letters.splice(position++, 0, String.fromCodePoint(code));
  }
  return letters.join("");
}
