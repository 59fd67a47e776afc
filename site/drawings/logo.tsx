import { parseLogo } from "./own-logo";

/**
 * A fern leaf in the shape of a rising curve, as one filled path. The build draws the icons and the social card with
 * `Logo`.
 */
const logoPath =
  "M1.3 27.1Q6.5 26.1 8.7 25.3Q10.9 24.5 12.7 23.5Q14.4 22.4 15.9 21.1Q17.4 19.8 18.5 18.3Q19.7 16.7 20.5 14.8Q21.3 12.9 21.7 10.6Q22.2 8.2 23 6.9Q23.8 5.7 25.2 5.1Q26.6 4.6 27.9 5Q29.3 5.4 30 6.5Q30.8 7.6 30.7 8.8Q30.6 10.1 29.8 10.9Q29 11.8 27.9 12Q26.9 12.1 26 11.6Q25.1 11.1 24.8 10.3Q24.5 9.4 24.7 8.6Q25 7.8 26.1 7.1Q27.4 7.3 27 8.6Q26.5 8.9 26.4 9.1Q26.4 9.3 26.5 9.6Q26.6 9.8 26.9 10Q27.2 10.1 27.6 10.1Q28 10 28.3 9.6Q28.6 9.3 28.6 8.8Q28.6 8.2 28.3 7.8Q27.9 7.3 27.3 7.1Q26.7 6.9 26 7.2Q25.4 7.5 25 8.2Q24.6 9 24.2 11.3Q23.7 13.6 22.9 15.8Q22 18 20.7 19.8Q19.4 21.7 17.7 23.2Q16 24.7 13.9 25.7Q11.8 26.7 9.3 27.2Q6.9 27.8 1.5 28.1ZM10.9 25.8C7.9 23.7 7.3 19 9 16.4C12 18.5 13.2 22.6 10.9 25.8ZM16.9 22.2C12.9 20.8 10.2 15.4 10.5 11.8C14.7 13.1 17.8 17.6 16.9 22.2ZM21.6 15.8C18 15 14.9 10.4 14.6 7.2C18.5 8 21.8 11.7 21.6 15.8ZM17.3 21.8C19.8 19.7 24 20.4 25.8 22.5C23.3 24.7 19.5 24.7 17.3 21.8ZM21.4 16.1C23.1 13.3 27.2 12.6 29.5 14.1C27.9 16.9 24.3 18.2 21.4 16.1Z";

const files: Readonly<Record<string, string>> = import.meta.glob("/content/logo.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});
const [file] = Object.values(files);
const ownLogo = file === undefined ? undefined : parseLogo(file);

/** Whether the logo's colours are its own, and not those of the place where it stands. */
export const hasOwnColours = file !== undefined && !/currentColor/i.test(file);

/** The owner's `content/logo.svg` if there is one, else the drawn leaf. */
export function Logo() {
  if (!ownLogo)
    return (
      <svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor">
        <path d={logoPath} />
      </svg>
    );
  const drawing = `<g${ownLogo.attributes}>${ownLogo.content}</g>`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the owner, read at build time
  return <svg viewBox={ownLogo.viewBox} aria-hidden="true" dangerouslySetInnerHTML={{ __html: drawing }} />;
}
