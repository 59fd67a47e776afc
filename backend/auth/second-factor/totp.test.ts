import decodeQR from "qr/decode.js";
import sharp from "sharp";
import { expect, test } from "vitest";
import { newTotp, stepOfCode } from "./totp.ts";

test("a camera reads the address of the app from the QR code, and a browser takes it as an image", async () => {
  const { uri, qr_code } = await newTotp({ issuer: 'Ü#"<&>', email: "ada+x@example.com" });
  const pixels = await sharp(Buffer.from(qr_code)).resize(400).raw().toBuffer({ resolveWithObject: true });
  expect(decodeQR({ ...pixels.info, data: pixels.data })).toBe(uri);
  // The client puts it behind `data:image/svg+xml;utf-8,` as it is.
  expect(qr_code).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(qr_code).not.toContain("#");
});

test.each([
  ["Heron: Finch & Partners", "Heron Finch & Partners"],
  ["localhost:3000", "localhost 3000"],
  [`${"𝔉".repeat(50)}, a very long name`, "𝔉".repeat(50)],
  [`${" ".repeat(65_000)}Heron`, "Heron"],
])("an app reads the issuer %s as %s, and the account after it", async (issuer, read) => {
  const { uri } = await newTotp({ issuer, email: "ada@example.com" });
  const address = new URL(uri);
  // An app takes the issuer up to the first colon of the label, and refuses another one in the parameter.
  expect(decodeURIComponent(address.pathname)).toBe(`/${read}:ada@example.com`);
  expect(address.searchParams.get("issuer")).toBe(read);
});

test("a code belongs to its 30-second step, and is right one step early or late", async () => {
  // The secret and codes of RFC 6238, appendix B, cut to six digits.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const at = (seconds: number) => stepOfCode(secret, "081804", new Date(seconds * 1000));
  const step = Math.floor(1_111_111_109 / 30);
  const found = await Promise.all([-60, -30, 0, 30, 60].map((seconds) => at(1_111_111_109 + seconds)));
  expect(found).toEqual([undefined, step, step, step, undefined]);
});
