/** Loaded on first use: both libraries together would make the start of the server 7 ms slower. */
const loadOtpauth = () => import("otpauth");
const loadQr = () => import("qr");

/** RFC 4226, section 4, R6. */
const secretBytes = 20;

/** A QR code holds 2,331 bytes, and each character may need twelve in the address. */
const issuerCharactersMax = 50;

/**
 * A new secret, and the two forms in which an authenticator app takes it (docs/protocol.md#second-factor). The issuer is
 * cut, and without a colon, at which an app would end it: an owner's name must not keep people from a second factor.
 */
export async function newTotp({ issuer: name, email }: { issuer: string; email: string }) {
  const { Secret, TOTP } = await loadOtpauth();
  const issuer = [...name.trim().replaceAll(/:\s?/g, " ")].slice(0, issuerCharactersMax).join("");
  const totp = new TOTP({ issuer, label: email, secret: new Secret({ size: secretBytes }) });
  const uri = totp.toString();
  return { secret: totp.secret.base32, uri, qr_code: await qrCodeOf(uri) };
}

/**
 * The client puts it after `data:image/svg+xml;utf-8,` without encoding, so it must not contain `#`. The background is
 * white, because many cameras read no QR code on a dark page.
 */
async function qrCodeOf(uri: string): Promise<string> {
  const { default: encodeQR } = await loadQr();
  return encodeQR(uri, "svg", { border: 4 }).replace(">", '><rect width="100%" height="100%" fill="white"/>');
}

/**
 * The 30-second step of the code: the present one, the one before or the one after, because clocks differ and people
 * need time to type. Undefined for a wrong code.
 */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<number | undefined> {
  const { Secret, TOTP } = await loadOtpauth();
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const steps = totp.validate({ token: code, timestamp, window: 1 });
  return steps === null ? undefined : totp.counter({ timestamp }) + steps;
}
