import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page, TestInfo } from "@playwright/test";

const folder = fileURLToPath(new URL("../../../screenshots/", import.meta.url));

/** Pictures of the state in which a test leaves its page, at three widths, light and dark, for `npm run screenshots`. */
export async function takePictures(page: Page, { titlePath, status }: Pick<TestInfo, "titlePath" | "status">) {
  if (status !== "passed" || page.isClosed() || page.url() === "about:blank") return;
  const [file = "", ...titles] = titlePath;
  const name = `${file.replace(/.*\/|\.spec\.ts$/g, "")} ${titles.join(" ")}`;
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 100);
  for (const width of [360, 768, 1440])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: width < 700 ? 740 : 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${slug}-${width}-${colorScheme}.png`), fullPage: true });
    }
}
