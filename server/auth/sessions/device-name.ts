/** Each hides behind the names of those below it: Edge calls itself Chrome and Safari as well. */
const browsers: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|OPT|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

const systems: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "a Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * The device that a `User-Agent` names, in words that its owner recognises: "Firefox on Windows". No versions, so that
 * an update does not look like another device; and no more than browsers tell, so an iPad may call itself a Mac.
 */
export function deviceNameOf(userAgent: string | undefined): string {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `A program on ${system}` : "An unknown device");
}

function nameIn(names: typeof browsers, userAgent = ""): string | undefined {
  return names.find(([sign]) => sign.test(userAgent))?.[1];
}
