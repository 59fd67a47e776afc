import { expect, test } from "vitest";
import { finishPage } from "./finish-page.ts";

const policy = (sources: string) => `<meta http-equiv="content-security-policy" content="${sources}">`;

test("the columns of a Markdown table keep their alignment, whose style the policy would block", () => {
  expect(finishPage('<td style="text-align: right">1</td>')).toBe('<td align="right">1</td>');
});

test("the policy names the hashes of the page's own scripts and styles only", () => {
  const page = finishPage(
    `<head>${policy("script-src 'self' 'sha256-a'; style-src 'self' 'sha256-b';")}</head><style></style><script>1</script><script>2</script><script src="/x.js"></script>`,
  );
  expect(page).toContain(
    policy(
      "script-src 'self' 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=' 'sha256-1HNeOiZeFu7gP1lxi5tdAwGcB9i2xR+Q2jpmbuwTqzU='; style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';",
    ),
  );
});

test("the ids of islands, which the folder of the build decides, are not published", () => {
  expect(finishPage('<astro-island uid="Z1f" ssr client="load">')).toBe('<astro-island ssr client="load">');
});
